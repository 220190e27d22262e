import ChatTransport
import NetworkEmulator
import Primitives
import Testing

/// People on one network, with everything between them but real sockets.
struct RoomSimulationTests {
  @Test(arguments: Seeds.some(5))
  func `twenty people see each other within two seconds`(seed: UInt64) {
    let lan = ChatLAN(seed: seed, impairment: Impairment(delay: .milliseconds(1)))
    let hosts = (1...20).map { lan.add($0) }
    let met = lan.network.run(until: .zero + .seconds(2)) { lan.isComplete(hosts) }
    #expect(met, "\(Seeds.replay(seed, "RoomSimulationTests"))")
  }

  @Test(arguments: Seeds.some(10))
  func `a late third sees two others within two seconds although a fifth is lost`(seed: UInt64) {
    let lan = ChatLAN(seed: seed, impairment: Impairment(loss: 0.2, delay: .milliseconds(1)))
    var hosts = [lan.add(1), lan.add(2)]
    lan.network.run(for: .seconds(20))
    #expect(lan.isComplete(hosts), "\(Seeds.replay(seed, "RoomSimulationTests"))")
    let start = lan.network.now
    hosts.append(lan.add(3))
    let met = lan.network.run(until: start + .seconds(2)) { lan.isComplete(hosts) }
    #expect(met, "\(Seeds.replay(seed, "RoomSimulationTests"))")
  }

  @Test(arguments: Seeds.some(4))
  func `every line arrives once and in order although a fifth is lost`(seed: UInt64) {
    let replay = Seeds.replay(seed, "RoomSimulationTests")
    let lan = ChatLAN(
      seed: seed,
      impairment: Impairment(
        loss: 0.2, delay: .milliseconds(5), jitter: .milliseconds(4), duplicate: 0.05,
        reorder: 0.05))
    let hosts = (1...4).map { lan.add($0) }
    _ = lan.network.run(until: lan.network.now + .seconds(30)) { lan.isComplete(hosts) }
    for number in 0..<50 {
      for (index, host) in hosts.enumerated() { lan.say("\(index) \(number)", at: host) }
      lan.network.run(for: .milliseconds(20))
    }
    lan.network.run(for: .seconds(10))
    for (receiver, host) in hosts.enumerated() {
      let lines = lan.lines(at: host)
      for sender in 0..<4 where sender != receiver {
        let got = lines.filter { $0.hasPrefix("P\(sender + 1): ") }
        let isComplete = got == (0..<50).map { "P\(sender + 1): \(sender) \($0)" }
        #expect(isComplete, "\(got.count) lines of 50; \(replay)")
      }
      #expect(!lines.contains { $0.hasPrefix("(") }, "a gap was told; \(replay)")
    }
  }

  @Test(arguments: Seeds.some(5))
  func `lost lines of an unreliable room are counted exactly`(seed: UInt64) {
    let replay = Seeds.replay(seed, "RoomSimulationTests")
    let lan = ChatLAN(
      seed: seed,
      impairment: Impairment(loss: 0.2, delay: .milliseconds(5), jitter: .milliseconds(4)))
    let speaker = lan.add(1, delivery: .unreliable)
    let listener = lan.add(2, delivery: .unreliable)
    _ = lan.network.run(until: .zero + .seconds(30)) { lan.isComplete([speaker, listener]) }
    for number in 0..<200 {
      lan.say("\(number)", at: speaker)
      lan.network.run(for: .milliseconds(10))
    }
    lan.leave(speaker)
    lan.network.run(for: .seconds(5))
    let lines = lan.lines(at: listener)
    let heard = lines.count { $0.hasPrefix("P1: ") }
    let lost = lines.reduce(0) { sum, line in
      sum + (line.hasPrefix("(") ? Int(line.dropFirst().prefix { $0 != " " }) ?? 0 : 0)
    }
    #expect(heard + lost == 200, "\(heard) heard, \(lost) lost; \(replay)")
    #expect(lost > 10, "\(replay)")
  }

  @Test
  func `leaving is seen at once, and a crash within 15 seconds`() throws {
    let lan = ChatLAN(seed: 3, impairment: Impairment(delay: .milliseconds(1)))
    let hosts = (1...20).map { lan.add($0) }
    _ = lan.network.run(until: .zero + .seconds(5)) { lan.isComplete(hosts) }
    let leaving = lan.network.now
    lan.leave(hosts[1])
    lan.network.run(for: .milliseconds(100))
    lan.network.removeHost(hosts[1])
    let crash = lan.network.now
    lan.network.removeHost(hosts[2])
    lan.network.run(for: .seconds(15))
    for host in hosts where host != hosts[1] && host != hosts[2] {
      let left = try #require(lan.time(of: "-P2 closedByThem", at: host))
      #expect(left - leaving < .milliseconds(50))
      let gone = try #require(lan.time(of: "-P3 timedOut", at: host))
      #expect(gone - crash < .seconds(15))
    }
  }

  @Test(arguments: Seeds.some(5))
  func `leaving is seen although half is lost`(seed: UInt64) throws {
    let lan = ChatLAN(seed: seed, impairment: Impairment(delay: .milliseconds(1)))
    let hosts = [lan.add(1), lan.add(2)]
    _ = lan.network.run(until: .zero + .seconds(5)) { lan.isComplete(hosts) }
    lan.network.impairment = Impairment(loss: 0.5, delay: .milliseconds(1))
    let leaving = lan.network.now
    lan.leave(hosts[0])
    lan.network.run(for: .seconds(3))
    let left = try #require(
      lan.time(of: "-P1 closedByThem", at: hosts[1]),
      "\(Seeds.replay(seed, "RoomSimulationTests"))")
    #expect(left - leaving < .seconds(2))
  }

  @Test
  func `a restarted peer is seen to leave and to join at once`() throws {
    let lan = ChatLAN(seed: 8, impairment: Impairment(delay: .milliseconds(1)))
    let hosts = [lan.add(1), lan.add(2)]
    _ = lan.network.run(until: .zero + .seconds(5)) { lan.isComplete(hosts) }
    lan.say("before", at: hosts[0])
    lan.network.run(for: .seconds(1))
    let restart = lan.network.now
    lan.restart(hosts[0], as: 1, epoch: 2)
    lan.say("after", at: hosts[0])
    lan.network.run(for: .seconds(3))
    #expect(lan.lines(at: hosts[1]) == ["+P1", "P1: before", "-P1 replaced", "+P1", "P1: after"])
    let back = try #require(lan.time(of: "-P1 replaced", at: hosts[1]))
    #expect(back - restart < .seconds(1))
  }

  @Test
  func `two interfaces and two families are one peer, and one may fail`() {
    let lan = ChatLAN(seed: 4, impairment: Impairment(delay: .milliseconds(1)))
    let hosts = [lan.add(1, segments: [0, 1]), lan.add(2, segments: [0, 1])]
    lan.network.run(for: .seconds(5))
    let paths = lan.network.withMachine(hosts[0]) { node, _ in
      node.room.members.first.flatMap { node.peer.endpoint.paths(to: $0.peer)?.count }
    }
    #expect(paths == 4)
    for host in hosts { #expect(lan.lines(at: host).count == 1) }
    for host in hosts {
      let interface = lan.network.configuration(of: host).interfaces[0]
      lan.network.setInterface(interface.index, of: host, isUp: false)
    }
    for number in 0..<20 {
      lan.say("\(number)", at: hosts[0])
      lan.network.run(for: .milliseconds(100))
    }
    lan.network.run(for: .seconds(20))
    #expect(lan.lines(at: hosts[1]) == ["+P1"] + (0..<20).map { "P1: \($0)" })
  }

  @Test
  func `peers of another room are neither shown nor spoken to`() {
    let lan = ChatLAN(seed: 6)
    let here = lan.add(1)
    let there = lan.add(2, room: "games")
    var unicast = 0
    lan.network.tap = { if $0.event == .sent, !$0.destination.ip.isMulticast { unicast += 1 } }
    lan.say("hello", at: here)
    lan.network.run(for: .seconds(10))
    #expect(lan.lines(at: here).isEmpty && lan.lines(at: there).isEmpty)
    #expect(unicast == 0)
  }

  @Test
  func `after a partition everybody is back`() {
    let lan = ChatLAN(seed: 9, impairment: Impairment(delay: .milliseconds(1)))
    let hosts = (1...6).map { lan.add($0) }
    _ = lan.network.run(until: .zero + .seconds(5)) { lan.isComplete(hosts) }
    lan.network.partition(Array(hosts[..<3]))
    lan.network.run(for: .seconds(20))
    #expect(hosts.allSatisfy { lan.memberCount(at: $0) == 2 })
    lan.network.heal()
    let isBack = lan.network.run(until: lan.network.now + .seconds(5)) { lan.isComplete(hosts) }
    #expect(isBack)
  }

  @Test
  func `a line that is said before anybody was found is heard`() {
    let lan = ChatLAN(seed: 10, impairment: Impairment(delay: .milliseconds(1)))
    let listener = lan.add(1)
    lan.network.run(for: .seconds(10))
    let speaker = lan.add(2)
    lan.say("first", at: speaker)
    lan.network.run(for: .seconds(2))
    #expect(lan.lines(at: listener) == ["+P2", "P2: first"])
  }
}
