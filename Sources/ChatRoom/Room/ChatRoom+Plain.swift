import ChatCodec
import ChatTransport
import Primitives

/// What other programs say in bare datagrams.
extension ChatRoom {
  mutating func hear(_ message: PlainMessage) {
    guard configuration.room == Configuration.defaultRoom else {
      counters.otherRoom += 1
      return
    }
    let address = message.path.remote
    do throws(ChatFrameError) {
      switch try ChatFrame(bareDatagram: message.payload.span) {
      case .iam(let name):
        plainNames.removeAll { $0.address == address }
        plainNames.append((address, name))
        if plainNames.count > configuration.plainNameLimit { plainNames.removeFirst() }
      case .msg(let text):
        let name = plainNames.first { $0.address == address }?.name.text
        events.append(.plain(PlainLine(path: message.path, name: name, bytes: text)))
      }
    } catch {
      counters.malformed += 1
    }
  }
}
