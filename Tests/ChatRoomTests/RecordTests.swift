import ChatCodec
import ChatRoom
import ChatTransport
import Primitives
import Testing

func record(
  _ kind: Record.Kind = .msg, by author: Incarnation = incarnation(7), _ sequence: UInt64 = 1,
  name: String = "Luke", text: String = "Hey", room: String = "lan", isUnreliable: Bool = false
) throws -> Record {
  let body =
    switch kind {
    case .iam: Array("iam:\(name)".utf8)
    case .msg: Array("msg:\(text)".utf8)
    case .bye: [UInt8]()
    }
  return Record(
    kind: kind, isUnreliable: isUnreliable, room: RoomHash(of: room), author: author,
    sequence: sequence, name: try ChatName(name), body: body)
}

func encoded(_ record: Record) -> [UInt8] {
  [UInt8](capacity: record.encodedByteCount) { (output: inout OutputSpan<UInt8>) in
    record.encode(into: &output)
  }
}

struct RecordTests {
  @Test func theLayoutIsAsDocumented() throws {
    let author = Incarnation(
      identity: Identity(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F), epoch: 0x1122)
    let line = try record(by: author, 300, isUnreliable: true)
    let expected: [UInt8] =
      [1, 2, 1]
      + [0xAB, 0x7D, 0xC2, 0x19, 0xED, 0x63, 0x57, 0x2D]
      + (0...15) + [0, 0, 0, 0, 0, 0, 0x11, 0x22]
      + [0x41, 0x2C]
      + [4] + Array("Luke".utf8) + [7] + Array("msg:Hey".utf8) + [0] + [0]
    #expect(encoded(line) == expected)
    #expect(try Record(decoding: expected.span) == line)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func everyRecordComesBack(seed: UInt64) throws {
    var dice = Dice(seed)
    let kind = Record.Kind.allCases[dice.number(below: 3)]
    let name = String(repeating: "é", count: 1 + dice.number(below: 32))
    let sequence = max(1, dice.word() >> (2 + UInt64(dice.number(below: 61))))
    var original = try record(
      kind, by: incarnation(dice.word() >> 20, epoch: dice.word()), sequence, name: name,
      isUnreliable: dice.number(below: 2) == 1)
    if kind == .msg { original.body = Array("msg:".utf8) + dice.bytes(dice.number(below: 400)) }
    original.tag = dice.bytes(dice.number(below: 65))
    original.signature = dice.bytes(dice.number(below: 513))
    let bytes = encoded(original)
    #expect(bytes.count == original.encodedByteCount)
    #expect(try Record(decoding: bytes.span) == original)
  }

  @Test func aTextOf64KiBComesBack() throws {
    var original = try record()
    original.body = Array("msg:".utf8) + [UInt8](repeating: 10, count: 65_536)
    #expect(try Record(decoding: encoded(original).span) == original)
  }

  @Test(arguments: Record.Kind.allCases)
  func everyPrefixIsTruncated(kind: Record.Kind) throws {
    let bytes = encoded(try record(kind))
    for length in bytes.indices {
      #expect(throws: RecordError.truncated, "\(length) bytes") {
        try Record(decoding: bytes.span.extracting(0..<length))
      }
    }
  }

  @Test(arguments: Record.Kind.allCases)
  func whatIsAcceptedHasOneEncoding(kind: Record.Kind) throws {
    let original = encoded(try record(kind, 300))
    for index in original.indices {
      for value in UInt8.min...UInt8.max {
        var bytes = original
        bytes[index] = value
        guard let accepted = try? Record(decoding: bytes.span) else { continue }
        #expect(encoded(accepted) == bytes, "byte \(index) as \(value)")
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func randomBytesNeverTrap(seed: UInt64) {
    var dice = Dice(seed)
    for _ in 0..<500 {
      var bytes = dice.bytes(dice.number(below: 120))
      if bytes.count > 2 { bytes.replaceSubrange(0..<3, with: [1, 2, 0]) }
      if let accepted = try? Record(decoding: bytes.span) { #expect(encoded(accepted) == bytes) }
    }
  }

  static let refusals: [(change: @Sendable (inout [UInt8]) -> Void, error: RecordError)] = [
    ({ $0[0] = 2 }, .unknownVersion(2)),
    ({ $0[1] = 0 }, .unknownKind(0)),
    ({ $0[1] = 4 }, .unknownKind(4)),
    ({ $0[2] = 2 }, .unknownFlags(2)),
    ({ $0[35] = 0 }, .unnumbered),
    ({ $0.replaceSubrange(35...35, with: [0x40, 0x01]) }, .notShortest),
    ({ $0[36] = 65 }, .fieldTooLong(size: 65, limit: 64)),
    ({ $0[37] = 0xFF }, .invalidName(.invalidUTF8(at: 0))),
    ({ $0[37] = UInt8(ascii: " ") }, .nameNotTrimmed),
    ({ $0[38] = UInt8(ascii: ":") }, .invalidName(.containsColon(at: 1))),
    ({ $0[1] = 1 }, .mismatchedBody),
    ({ $0[1] = 3 }, .mismatchedBody),
    (
      { $0[42] = UInt8(ascii: "i") },
      .invalidBody(.unknownVerb(start: Array("isg".utf8), length: 3))
    ),
    ({ $0.append(0) }, .trailingBytes(1)),
    ({ $0[$0.count - 2] = 64 }, .notShortest),
    (
      { $0.replaceSubrange(($0.count - 2)..., with: [0x40, 65]) },
      .fieldTooLong(size: 65, limit: 64)
    ),
    (
      { $0.replaceSubrange(($0.count - 1)..., with: [0x42, 0x01]) },
      .fieldTooLong(size: 513, limit: 512)
    ),
    ({ $0[$0.count - 1] = 1 }, .truncated),
  ]

  @Test(arguments: refusals.indices)
  func whatIsWrongIsNamed(row: Int) throws {
    var bytes = encoded(try record())
    Self.refusals[row].change(&bytes)
    #expect(throws: Self.refusals[row].error) { try Record(decoding: bytes.span) }
  }

  @Test func anIntroductionHasTheNameOfItsRecord() throws {
    var iam = try record(.iam)
    iam.body = Array("iam:Leia".utf8)
    #expect(throws: RecordError.mismatchedBody) { try Record(decoding: encoded(iam).span) }
  }

  @Test func theRoomHashIsSipHash24() {
    #expect(RoomHash(of: "lan").rawValue == 0xAB7D_C219_ED63_572D)
    #expect(RoomHash(of: "").rawValue == 0x1E92_4B9D_7377_00D7)
    #expect(RoomHash(of: "LAN") != RoomHash(of: "lan"))
  }
}
