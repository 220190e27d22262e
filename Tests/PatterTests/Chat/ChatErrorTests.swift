import ChatTransport
import Primitives
import Testing

@testable import patter

struct ChatErrorTests {
  @Test func anotherVersionIsOneLineThatSaysWhatToDo() {
    let found = IncompatibleVersion(
      remote: SocketAddress(ip: IPAddress(192, 0, 2, 7), port: 28_421), theirs: [3, 4], ours: 2)
    #expect(
      TextChatPresenter().lines(error: .incompatible(found)) == [
        .error(
          "patter chat: at 192.0.2.7:28421 version 3, 4 of the protocol is spoken, and here "
            + "version 2: use the same release of patter at both ends")
      ])
  }
}
