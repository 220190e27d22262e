import Foundation
import Primitives
import Testing

@testable import ChatRoom

/// The room's messages in the store that the specification is held against are what the code reads
/// and writes.
struct StoredRecordTests {
  @Test func storedMessagesAreReadAndWrittenAlike() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../WireFormat/datagrams.txt")
    var name = ""
    var count = 0
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("name: ") { name = String(line.dropFirst(6)) }
      guard line.hasPrefix("bytes: ") else { continue }
      let bytes = hexadecimal(line.dropFirst(7))
      let message = ConversationMessage(decoding: bytes.span)
      if name.hasPrefix("room") {
        count += 1
        #expect(message?.encoded() == bytes, "\(name)")
        if case .record(let record) = message { #expect(record.room == RoomHash(of: "lan")) }
      } else if name.hasPrefix("malformed: record") {
        #expect(message == nil, "\(name)")
      }
    }
    #expect(count == 5)
  }

  private func hexadecimal(_ text: Substring) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }
}
