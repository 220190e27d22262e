import Primitives
import SocketDriver
import Testing
import UDPTransport

extension UDPTransportTests {
  /// Why a peer cannot be opened.
  @Suite struct Opening {
    @Test func aPortOfAnotherProgramIsToldOf() throws {
      let place = try Place()
      let other = try UDPSocket(UDPSocketConfiguration(family: .ipv4, port: place.port))
      #expect(throws: UDPOpenError.portTaken(place.port)) {
        try UDPTransport(try place.configuration())
      }
      _ = other.localPort
    }

    @Test func anUnknownInterfaceIsToldOf() throws {
      var configuration = try Place().configuration()
      configuration.discovery.interfaceNames = ["lo", "none0"]
      let names = try NetworkInterfaces.current().map(\.name)
      #expect(throws: UDPOpenError.noSuchInterface("none0", known: names)) {
        try UDPTransport(configuration)
      }
    }

    @Test(arguments: [
      (
        UDPOpenError.portTaken(28420),
        "UDP port 28420 is taken by another program; choose one with --port"
      ),
      (
        .noSuchInterface("none0", known: ["lo", "eth0"]),
        "there is no interface \"none0\"; there are: lo, eth0"
      ),
      (
        .system(SystemError(code: 24, call: "socket", reason: "Too many open files")),
        "the network cannot be used: socket: Too many open files (errno 24)"
      ),
    ])
    func anErrorIsOneClearLine(_ error: UDPOpenError, _ line: String) {
      #expect("\(error)" == line)
    }
  }
}
