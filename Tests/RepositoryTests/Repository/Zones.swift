/// Which modules may do what.
enum Zones {
  /// Modules that reach no clock, no socket, no file and no global randomness.
  static let pure: Set = [
    "Primitives", "ChatCodec", "ChatTransport", "DatagramPeer", "Qlog", "PeerDiscovery",
    "ChatRoom", "NetworkEmulator", "Workloads", "Simulation", "FuzzTargets",
  ]
  /// Modules that may call the operating system.
  static let system: Set = ["SocketDriver", "Host", "KernelWire", "Benchmarks"]
}
