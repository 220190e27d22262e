import ChatTransport
import PeerDiscovery
import Primitives
import Testing

/// The error that parsing `bytes` fails with, or `nil` where it succeeds.
private func parseError(_ bytes: [UInt8]) -> BeaconError? {
  do {
    _ = try Beacon(parsing: bytes.span)
    return nil
  } catch {
    return error
  }
}

private let longest = Beacon.from(
  kind: .answer, topics: (1...8).map { Topic(hash: $0) }, name: String(repeating: "n", count: 64))

struct BeaconCodingTests {
  @Test(
    arguments: Beacon.Kind.allCases, ["", "Leia", "Łukasz 🛰", String(repeating: "é", count: 32)])
  func comesBackAsItWas(kind: Beacon.Kind, name: String) throws {
    for count in 1...8 {
      let topics = (0..<count).map { Topic(hash: UInt64($0) << 60 | 7) }
      let beacon = Beacon(
        kind: kind,
        incarnation: Incarnation(identity: Identity(high: .max, low: 1), epoch: 1 << 63),
        nextInMilliseconds: .max, topics: topics, name: name)
      #expect(try Beacon(parsing: beacon.bytes.span) == beacon)
    }
  }

  @Test func hasTheLayoutThatIsDocumented() {
    let beacon = Beacon(
      kind: .goodbye,
      incarnation: Incarnation(
        identity: Identity(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10),
        epoch: 0x1112_1314_1516_1718),
      nextInMilliseconds: 0x191A, topics: [Topic(hash: 0x1B1C_1D1E_1F20_2122)], name: "Luke")
    let expected = [0xD0, 1, 2, 1] + Array(UInt8(1)...0x22) + [4] + Array("Luke".utf8)
    #expect(beacon.bytes == expected)
  }

  @Test func anAnswerIsSmallerThanWhatItAnswers() {
    #expect(longest.bytes.count < Beacon.answerableSize)
    for kind in Beacon.Kind.allCases where kind.isAnswerable {
      #expect(Beacon.from(kind: kind, name: "").bytes.count == Beacon.answerableSize)
    }
    #expect(Beacon.answerableSize <= 200)
  }

  @Test(arguments: Beacon.Kind.allCases) func noPrefixIsABeacon(kind: Beacon.Kind) {
    let bytes = Beacon.from(kind: kind).bytes
    for length in 0..<bytes.count {
      #expect(parseError(Array(bytes[..<length])) != nil, "prefix of \(length)")
    }
  }

  @Test(arguments: Beacon.Kind.allCases) func nothingMayFollow(kind: Beacon.Kind) {
    #expect(parseError(Beacon.from(kind: kind).bytes + [0]) == .invalidPadding)
  }

  /// What is accepted has one encoding only, so whatever a changed bit made of it is written back
  /// the same.
  @Test(arguments: [Beacon.from(), Beacon.from(kind: .goodbye, name: "Łé"), longest])
  func aChangedByteIsRefusedOrTakenAsItStands(beacon: Beacon) throws {
    let bytes = beacon.bytes
    for index in bytes.indices {
      for value in UInt8.min...UInt8.max where value != bytes[index] {
        var changed = bytes
        changed[index] = value
        guard let parsed = try? Beacon(parsing: changed.span) else { continue }
        #expect(parsed.bytes == changed, "byte \(index) as \(value)")
        #expect(parsed != beacon, "byte \(index) as \(value)")
      }
    }
  }

  @Test(arguments: UInt64(1)...20) func randomBytesNeverTrap(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let count = Int(generator.next() % 220)
      var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      // Half of them get past the first checks.
      if count > 4, generator.next() & 1 == 0 {
        bytes.replaceSubrange(0..<4, with: [0xD0, 1, 0, UInt8(generator.next() % 10)])
      }
      if let parsed = try? Beacon(parsing: bytes.span) {
        #expect(parsed.bytes == bytes, "seed \(seed)")
      }
    }
  }

  @Test(arguments: [
    ([UInt8](), BeaconError.notABeacon), (Array("msg:hi".utf8), .notABeacon),
    ([0xD1, 1], .notABeacon),
    ([0xD0], .truncated), ([0xD0, 2], .unsupportedVersion(2)), ([0xD0, 0], .unsupportedVersion(0)),
  ])
  func saysWhatIsWrongAtTheStart(bytes: [UInt8], error: BeaconError) {
    #expect(parseError(bytes) == error)
  }

  @Test(arguments: (UInt8.min...UInt8.max).filter { Beacon.Kind(rawValue: $0) == nil })
  func refusesFlagsThatMakeNoSense(flags: UInt8) {
    var bytes = Beacon.from().bytes
    bytes[2] = flags
    #expect(parseError(bytes) == .invalidFlags(flags))
  }

  @Test(arguments: [0, 9, 255] as [UInt8]) func refusesTooFewOrTooManyTopics(count: UInt8) {
    var bytes = Beacon.from().bytes
    bytes[3] = count
    #expect(parseError(bytes) == .invalidTopicCount(count))
  }

  @Test func refusesTopicsOutOfOrderOrTwice() {
    var bytes = Beacon.from(topics: [Topic(hash: 1), Topic(hash: 2)]).bytes
    bytes[45] = 1
    #expect(parseError(bytes) == .unorderedTopics)
    bytes[45] = 0
    #expect(parseError(bytes) == .unorderedTopics)
  }

  @Test(
    arguments: [
      [0xC3], [0xFF, 0xFE], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80],
    ] as [[UInt8]])
  func refusesANameThatIsNotUTF8(name: [UInt8]) {
    var bytes = Beacon.from(kind: .answer, name: "").bytes
    bytes[38] = UInt8(name.count)
    #expect(parseError(bytes + name) == .invalidName)
  }

  @Test func refusesANameThatIsTooLong() {
    var bytes = Beacon.from().bytes
    bytes[38] = 65
    #expect(parseError(bytes) == .invalidName)
  }

  @Test func refusesPaddingThatIsNotZero() {
    var bytes = Beacon.from().bytes
    bytes[159] = 1
    #expect(parseError(bytes) == .invalidPadding)
  }
}
