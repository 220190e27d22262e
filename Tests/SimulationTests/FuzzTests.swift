import Foundation
import FuzzTargets
import Primitives
import Testing

/// A quick pass over what the fuzzers run for hours: random bytes, and stored ones with changes.
struct FuzzTests {
  @Test(arguments: FuzzTarget.allCases)
  func `no bytes trap`(_ target: FuzzTarget) throws {
    var generator = SplitMix64(seed: Seeds.some(1)[0])
    let examples = try Self.examples()
    #expect(examples.count > 30)
    let rounds = target == .machine ? 60 : 1_500
    for _ in 0..<rounds {
      target.run(Self.noise(&generator).span)
      target.run(Self.variant(of: Self.pick(examples, &generator), &generator).span)
    }
    for example in examples { target.run(example.span) }
  }

  /// All datagrams that the specification is tested with, whole and without what stands in front.
  private static func examples() throws -> [[UInt8]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../WireFormat/datagrams.txt").standardizedFileURL
    var examples = ["loss=20%,delay=40ms", "in:jitter=1.5s,seed=7"].map { Array($0.utf8) }
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    where line.hasPrefix("bytes: ") {
      let digits = Array(line.dropFirst(7))
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
      }
      examples.append(bytes)
      // The frames of a data packet stand behind its header.
      if bytes.count > 12 { examples.append(Array(bytes[12...])) }
    }
    return examples
  }

  private static func noise(_ generator: inout SplitMix64) -> [UInt8] {
    (0..<Int.random(in: 0...300, using: &generator)).map { _ in
      // Many small numbers: they are what lengths and kinds are.
      UInt8(truncatingIfNeeded: generator.next() & (generator.next() & 1 == 0 ? 0xFF : 0x1F))
    }
  }

  private static func pick(
    _ examples: [[UInt8]], _ generator: inout SplitMix64
  ) -> [UInt8] {
    examples[Int.random(in: 0..<examples.count, using: &generator)]
  }

  private static func variant(
    of example: [UInt8], _ generator: inout SplitMix64
  ) -> [UInt8] {
    var bytes = example
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 2: bytes.removeLast(bytes.count - place)
      default: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
      }
    }
    return bytes
  }
}
