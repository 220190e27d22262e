import Testing

/// Everything that uses real sockets and threads: one after the other, so that none waits for the
/// few threads of the test runner.
@Suite(.serialized) struct SocketTests {}
