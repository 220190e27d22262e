import Testing

/// Everything that uses real sockets, one test after the other. All of it stays on the loopback
/// interface.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct UDPTransportTests {}

/// How long a test waits for what has to come.
let patience = Duration.seconds(20)
