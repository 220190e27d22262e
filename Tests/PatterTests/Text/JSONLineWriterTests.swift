import Foundation
import Primitives
import Testing

@testable import patter

struct JSONLineWriterTests {
  private func readBack(_ object: JSONObject) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(object.line.utf8))
    return try #require(value as? [String: Any])
  }

  @Test func writesEveryKindOfValueInOrder() {
    let object: JSONObject = [
      "z": nil, "a": true, "m": -3, "u": .unsigned(.max), "i": .integer(.min), "s": "x",
      "l": [1, "two", [false], .object([:])], "o": .object(["k": "v", "b": nil]),
    ]
    #expect(
      object.line == #"{"z":null,"a":true,"m":-3,"u":18446744073709551615,"#
        + #""i":-9223372036854775808,"s":"x","l":[1,"two",[false],{}],"o":{"k":"v","b":null}}"#)
  }

  @Test(arguments: [
    ("\"\\/", #"\"\\/"#), ("\n\r\t", #"\n\r\t"#), ("\u{0}\u{1B}\u{8}", #"\u0000\u001b\u0008"#),
    ("\u{7F}\u{85}\u{9B}", #"\u007f\u0085\u009b"#), ("\u{2028}\u{2029}", #"\u2028\u2029"#),
    ("\u{202E}\u{2069}\u{200F}\u{61C}", #"\u202e\u2069\u200f\u061c"#),
    ("\u{E0041}\u{FEFF}", #"\udb40\udc41\ufeff"#), ("ä👨‍👩‍👧 שלום", "ä👨‍👩‍👧 שלום"),
  ])
  func escapes(text: String, written: String) {
    let object: JSONObject = ["t": .string(text)]
    #expect(object.line == #"{"t":"\#(written)"}"#)
  }

  @Test func escapesNamesOfMembers() {
    let object: JSONObject = ["a\"\u{1B}": 1]
    #expect(object.line == #"{"a\"\u001b":1}"#)
  }

  @Test(arguments: 0..<100)
  func comesBackThroughAnotherParser(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var text = String.UnicodeScalarView()
    for _ in 0..<40 {
      let limit: UInt32 = Bool.random(using: &generator) ? 0x10FFFF : 0x2100
      if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &generator)) {
        text.append(scalar)
      }
    }
    let number = UInt64.random(in: 0...UInt64.max, using: &generator)
    let object: JSONObject = ["text": .string(String(text)), "number": .unsigned(number)]
    let parsed = try readBack(object)
    let string = try #require(parsed["text"] as? String)
    #expect(Array(string.unicodeScalars) == Array(text), "seed \(seed)")
    #expect((parsed["number"] as? NSNumber)?.uint64Value == number, "seed \(seed)")
    let isSafe = object.line.unicodeScalars.allSatisfy {
      [.visible, .mark, .joiner, .variationSelector].contains(ScalarKind($0))
    }
    #expect(isSafe, "seed \(seed)")
  }
}

extension JSONLineWriterTests {
  @Test func writesDecimalsWithTheirPlaces() {
    let object: JSONObject = [
      "a": .decimal(1.005e3, places: 1), "b": .decimal(.nan, places: 2),
      "c": .decimal(-0.25, places: 2),
    ]
    #expect(object.line == #"{"a":1005.0,"b":null,"c":-0.25}"#)
  }
}
