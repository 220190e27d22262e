/// Where datagrams to a peer go and come from: the remote address, and by which of our addresses
/// and interfaces.
///
/// The same neighbour on two interfaces is two paths. For a datagram that was received, `local` is
/// the address it was sent to, which may be a group.
public struct Path: Hashable, Sendable {
  public var remote: SocketAddress
  /// Our own address; `nil` lets the system choose.
  public var local: IPAddress?
  /// The index of our interface; zero lets the system choose.
  public var interface: UInt32

  public init(remote: SocketAddress, local: IPAddress? = nil, interface: UInt32 = 0) {
    self.remote = remote
    self.local = local
    self.interface = interface
  }
}

/// What the network says about a received datagram besides its bytes.
public struct Arrival: Hashable, Sendable {
  public var path: Path
  /// The time to live or hop limit it arrived with, where the system tells.
  public var hopLimit: UInt8?

  public init(path: Path, hopLimit: UInt8? = nil) {
    self.path = path
    self.hopLimit = hopLimit
  }
}

/// Where the bytes that a machine just wrote are to go.
public struct Transmit: Hashable, Sendable {
  /// The path; for a multicast datagram the remote address is the group.
  public var path: Path
  /// The size of each datagram where the buffer holds several, all but the last of this size;
  /// `nil` where it holds one.
  public var segmentSize: Int?

  public init(path: Path, segmentSize: Int? = nil) {
    self.path = path
    self.segmentSize = segmentSize
  }
}
