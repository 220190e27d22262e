import Foundation
import Primitives
import Testing

@testable import PeerDiscovery

/// The beacons in the store that the specification is held against are what the code reads and
/// writes.
struct StoredBeaconTests {
  @Test func storedBeaconsAreReadAndWrittenAlike() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../WireFormat/datagrams.txt")
    var name = ""
    var count = 0
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("name: ") { name = String(line.dropFirst(6)) }
      guard line.hasPrefix("bytes: d0") else { continue }
      count += 1
      let bytes = hexadecimal(line.dropFirst(7))
      let beacon = try? Beacon(parsing: bytes.span)
      guard !name.hasPrefix("malformed") else {
        #expect(beacon == nil, "\(name)")
        continue
      }
      #expect(beacon?.topics.contains(.lan) == true, "\(name)")
      let written = [UInt8](capacity: 200) { (output: inout OutputSpan<UInt8>) in
        beacon?.emit(into: &output)
      }
      #expect(written == bytes, "\(name)")
    }
    #expect(count == 7)
  }

  private func hexadecimal(_ text: Substring) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }
}
