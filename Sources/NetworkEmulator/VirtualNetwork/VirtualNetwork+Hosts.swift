public import Primitives

extension VirtualNetwork where Machine: ~Copyable {
  /// Adds a host and starts its machine.
  ///
  /// No two hosts of a segment may have the same address. Hosts that were there before keep their
  /// fates.
  ///
  /// - Parameters:
  ///   - configuration: where it is attached and what it hears.
  ///   - makeMachine: makes the machine from a seed of its own and the present.
  @discardableResult
  public func addHost(
    _ configuration: HostConfiguration, makeMachine: (_ seed: UInt64, _ now: Instant) -> Machine
  ) -> HostID {
    let id = addSilentHost(configuration)
    start(id, makeMachine)
    return id
  }

  /// Adds a host without a machine: it hears and counts what is sent to it and answers nothing, as
  /// the victim of a forged address would. It can be made to send by hand; see
  /// ``send(_:from:on:)``.
  @discardableResult
  public func addSilentHost(_ configuration: HostConfiguration) -> HostID {
    let id = fabric.attach(configuration)
    runners.append(Runner())
    deadlines.append(.never)
    return id
  }

  /// Replaces the machine of a host by a new one with another seed, as after a crash: the old one
  /// is gone without a word, and what is under way to its address reaches the new one.
  public func restartHost(
    _ id: HostID, makeMachine: (_ seed: UInt64, _ now: Instant) -> Machine
  ) {
    precondition(fabric.contains(id), "\(id) is not on the network")
    start(id, makeMachine)
  }

  /// Takes a host off the network without a word, as a crash does. What is under way to it is
  /// dropped.
  public func removeHost(_ id: HostID) {
    fabric.remove(id)
    runners[id.number].box = nil
    deadlines[id.number] = .never
  }

  /// The hosts that are on the network, in the order in which they were added.
  public var hosts: [HostID] { fabric.hosts.compactMap { $0?.id } }

  public func contains(_ id: HostID) -> Bool { fabric.contains(id) }

  public func configuration(of id: HostID) -> HostConfiguration { fabric[id].configuration }

  /// The path by which one host reaches another over a segment that they share.
  public func path(
    from sender: HostID, to receiver: HostID, _ family: IPAddress.Family = .ipv4,
    on segment: Int = 0
  ) -> Path {
    var remote = configuration(of: receiver).address(family, on: segment)
    let local = configuration(of: sender).address(family, on: segment).ip
    let attachment = configuration(of: sender).attachments.first {
      $0.segment == segment && $0.has(local)
    }
    guard let index = attachment?.interface.index else {
      preconditionFailure("\(sender) has an address without an interface")
    }
    if family == .ipv6, remote.ip.isLinkLocal { remote.scope = index }
    return Path(remote: remote, local: local, interface: index)
  }

  /// Cuts `island` off from all others: nothing crosses in either direction, not even what is under
  /// way now. Called again for other hosts it makes another island.
  public func partition(_ island: [HostID]) {
    fabric.partition(island)
  }

  /// Ends all partitions.
  public func heal() {
    fabric.heal()
  }

  /// Takes one interface of a host down, or up again: what is sent over it does not leave, and what
  /// is under way to it is dropped. The machine is not told.
  public func setInterface(_ index: UInt32, of id: HostID, isUp: Bool) {
    fabric.setInterface(index, of: id, isUp: isUp)
  }

  /// Gives a host other addresses or another port, and its machine is not told: as a router does
  /// that has forgotten a translation, or a new lease. It stays on its segments. What is under way
  /// to the old address still arrives.
  public func reconfigureHost(_ id: HostID, as configuration: HostConfiguration) {
    fabric.reconfigure(id, as: configuration)
  }

  /// Has every datagram of more than `size` bytes vanish on its way to a host or from it, without a
  /// word to anybody: a router whose messages about the MTU are filtered. `nil` ends it.
  public func setBlackHole(above size: Int?, at id: HostID) {
    fabric[id].largestPassing = size
    if size != nil { fabric.hasBlackHoles = true }
  }

  private func start(_ id: HostID, _ makeMachine: (UInt64, Instant) -> Machine) {
    let runner = runners[id.number]
    let name = UInt64(id.number) << 32 | runner.incarnations
    // The complement keeps these seeds apart from the keys of the fates.
    runner.box = Box(makeMachine(mix64(~seed &+ mix64(name)), now))
    runner.incarnations += 1
    settle(id)
  }
}
