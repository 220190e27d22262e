import PeerDiscovery
import Primitives
import SocketDriver

/// The sockets of one driver: at most one of each family to send from, and others to hear with.
class SocketSet {
  private struct Sending {
    let socket: UDPSocket
    /// Whether the loop was asked to tell when it is writable.
    var isWatched = false
  }

  /// Datagrams that were not sent because there is no socket of their family.
  private(set) var unsendable: UInt64 = 0

  private var sending: [Sending]
  /// The one that was written to last: most likely the next one as well.
  private var latest = 0
  /// What those did that are closed.
  private var closed = UDPSocketStatistics()

  init(sending: [UDPSocket]) {
    self.sending = sending.map { Sending(socket: $0) }
  }

  /// The sockets that are sent from.
  var own: [UDPSocket] { sending.map(\.socket) }

  /// All sockets there are, for reading.
  var all: [UDPSocket] { own }

  /// Lets a socket go that is of no more use; it is closed when nobody else holds it.
  func remove(_ socket: UDPSocket) {
    closed += socket.statistics
    sending.removeAll { $0.socket === socket }
    latest = 0
  }

  /// What all of them have done.
  var statistics: UDPSocketStatistics {
    all.reduce(into: closed) { $0 += $1.statistics }
  }
}

// MARK: - Sending

extension SocketSet {
  /// Whether any kernel buffer is full. Nobody can say before it is written which socket the next
  /// datagram is for, so one of them holds up all.
  var isBlocked: Bool { sending.contains { $0.socket.isBlocked } }

  /// Has `body` write datagrams where they will be sent from.
  func write(_ body: (inout OutputSpan<UInt8>) -> Transmit?) -> UDPSocket.Writing {
    guard !sending.isEmpty else { return discard(body) }
    if isBlocked { return .full }
    return sending[latest].socket.write(body) { bytes, transmit in
      append(bytes, to: transmit.path, segmentSize: transmit.segmentSize)
    }
  }

  /// Queues a datagram; one of a family that there is no socket for is dropped.
  func append(_ datagram: Span<UInt8>, to path: Path, segmentSize: Int? = nil) {
    let family = path.remote.ip.family
    guard let index = sending.firstIndex(where: { $0.socket.localAddress.ip.family == family })
    else {
      unsendable &+= 1
      return
    }
    latest = index
    sending[index].socket.append(datagram, to: path, segmentSize: segmentSize)
  }

  /// Sends what is queued.
  ///
  /// - Parameters:
  ///   - watch: Told of a socket that has to be told from now on when it is writable, or not any
  ///     more.
  ///   - tell: Told of datagrams that could not be sent.
  func flush(watch: (UDPSocket, Bool) -> Void, tell: (FlushResult.Failure) -> Void) {
    for index in sending.indices {
      let result = sending[index].socket.flush()
      if result.needsWritable != sending[index].isWatched {
        sending[index].isWatched = result.needsWritable
        watch(sending[index].socket, result.needsWritable)
      }
      for failure in result.failures { tell(failure) }
    }
  }

  /// Without any socket the machine is pulled all the same: what it has to say is lost.
  private func discard(_ body: (inout OutputSpan<UInt8>) -> Transmit?) -> UDPSocket.Writing {
    var transmit: Transmit?
    var buffer: [UInt8] = []
    buffer.append(addingCapacity: UDPSocket.largestRun) { (output: inout OutputSpan<UInt8>) in
      transmit = body(&output)
    }
    guard transmit != nil else { return .nothing }
    unsendable &+= 1
    return .written
  }
}
