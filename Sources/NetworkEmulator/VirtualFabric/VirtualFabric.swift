import Primitives

/// The network between the hosts of a ``VirtualNetwork``: who is attached where, which links lead
/// from one to another, and what is under way on them.
///
/// It knows nothing of machines, and so is no generic type: code that is generic over something in
/// another module runs unspecialised, at many times the cost.
struct VirtualFabric {
  let seed: UInt64
  var impairment: Impairment { didSet { applyImpairments() } }
  var mtu = 1_500
  var capacity = 1_048_576
  var tap: ((CapturedDatagram) -> Void)?
  var statistics = NetworkStatistics()

  /// By number; `nil` where a host was removed.
  private(set) var hosts: [FabricHost?] = []
  var underWay = DueQueue<Delivery>()
  var links: [VirtualLink] = []
  var placesOfLinks: [UInt32: Int] = [:]
  var overrides: [ImpairmentOverride] = []
  /// Whether any host ever stood behind one.
  var hasBlackHoles = false
  /// Raised whenever routes have to be worked out anew.
  private(set) var topology = 0
  private var attachmentCount = 0
  private var sideCount = 0

  init(seed: UInt64, impairment: Impairment) {
    self.seed = seed
    self.impairment = impairment
  }

  mutating func attach(_ configuration: HostConfiguration) -> HostID {
    for attachment in configuration.attachments {
      for address in attachment.interface.addresses {
        precondition(
          owner(of: address.ip, on: attachment.segment) == nil,
          "\(address.ip) is already taken on segment \(attachment.segment)")
      }
    }
    let id = HostID(hosts.count)
    let first = attachmentCount
    attachmentCount += configuration.attachments.count
    precondition(attachmentCount <= 1 << 16, "a link is named by two numbers of 16 bits")
    hosts.append(
      FabricHost(
        id: id, configuration: configuration, attachmentNumbers: Array(first..<attachmentCount)))
    topology += 1
    return id
  }

  mutating func remove(_ id: HostID) {
    _ = self[id]
    hosts[id.number] = nil
    topology += 1
  }

  mutating func partition(_ island: [HostID]) {
    sideCount += 1
    for id in island { self[id].side = sideCount }
  }

  mutating func heal() {
    for number in hosts.indices { hosts[number]?.side = 0 }
  }

  mutating func setInterface(_ index: UInt32, of id: HostID, isUp: Bool) {
    let place = self[id].configuration.attachments.firstIndex { $0.interface.index == index }
    guard let place else { preconditionFailure("\(id) has no interface \(index)") }
    self[id].configuration.attachments[place].interface.isUp = isUp
    topology += 1
  }

  mutating func reconfigure(_ id: HostID, as configuration: HostConfiguration) {
    precondition(
      configuration.attachments.map(\.segment) == self[id].configuration.attachments.map(\.segment),
      "a host stays where it is plugged in")
    for attachment in configuration.attachments {
      for address in attachment.interface.addresses {
        let owner = owner(of: address.ip, on: attachment.segment)?.host.id
        precondition(owner == nil || owner == id, "\(address.ip) is already taken")
      }
    }
    self[id].configuration = configuration
    topology += 1
  }

  /// Whether a datagram of `size` bytes gets through at both of its ends.
  func isPassing(_ size: Int, _ delivery: Delivery) -> Bool {
    let limits = [
      delivery.sender.flatMap { hosts[$0]?.largestPassing },
      hosts[delivery.receiver]?.largestPassing,
    ]
    return limits.allSatisfy { size <= $0 ?? .max }
  }

  func contains(_ id: HostID) -> Bool {
    id.number < hosts.count && hosts[id.number] != nil
  }

  /// A host that is on the network; asking for another is the caller's mistake.
  subscript(id: HostID) -> FabricHost {
    get {
      guard id.number < hosts.count, let host = hosts[id.number] else {
        preconditionFailure("\(id) is not on the network")
      }
      return host
    }
    _modify {
      precondition(contains(id), "\(id) is not on the network")
      yield &hosts[id.number]!
    }
  }

  /// Whether a partition stands between the two ends.
  func isCut(_ delivery: Delivery) -> Bool {
    guard let sender = delivery.sender, sender != delivery.receiver,
      // What a host sent before it was removed still arrives.
      let sender = hosts[sender], let receiver = hosts[delivery.receiver]
    else { return false }
    return sender.side != receiver.side
  }
}
