import NetworkEmulator
import Testing

struct ImpairmentErrorTests {
  static let messages = [
    ("loss=abc", #"at character 6: "abc" is not a percentage, such as 20% or 0.2"#),
    ("loss=", #"at character 6: "" is not a percentage, such as 20% or 0.2"#),
    ("loss=-1%", #"at character 6: "-1%" is not a percentage, such as 20% or 0.2"#),
    ("loss=+1%", #"at character 6: "+1%" is not a percentage, such as 20% or 0.2"#),
    ("loss=nan", #"at character 6: "nan" is not a percentage, such as 20% or 0.2"#),
    ("loss=inf%", #"at character 6: "inf%" is not a percentage, such as 20% or 0.2"#),
    ("loss=0x1", #"at character 6: "0x1" is not a percentage, such as 20% or 0.2"#),
    ("loss=1e-2", #"at character 6: "1e-2" is not a percentage, such as 20% or 0.2"#),
    ("loss=.5", #"at character 6: ".5" is not a percentage, such as 20% or 0.2"#),
    ("loss=1.2.3", #"at character 6: "1.2.3" is not a percentage, such as 20% or 0.2"#),
    (
      "loss=100.1%",
      #"at character 6: "100.1%" is more than 100%; without % a fraction up to 1 is meant"#
    ),
    (
      "reorder=20",
      #"at character 9: "20" is more than 100%; without % a fraction up to 1 is meant"#
    ),
    ("loss=20%,delay=40", #"at character 16: "40" is not a time, such as 40ms, 250us or 1.5s"#),
    ("delay=ms", #"at character 7: "ms" is not a time, such as 40ms, 250us or 1.5s"#),
    ("delay=-4ms", #"at character 7: "-4ms" is not a time, such as 40ms, 250us or 1.5s"#),
    ("jitter=4 ms", #"at character 8: "4 ms" is not a time, such as 40ms, 250us or 1.5s"#),
    ("delay=3600.1s", #"at character 7: "3600.1s" is longer than 3600s"#),
    (
      "delay=99999999999999999999s",
      #"at character 7: "99999999999999999999s" is longer than 3600s"#
    ),
    ("delay=9223372036854775807s", #"at character 7: "9223372036854775807s" is longer than 3600s"#),
    ("rate=10", #"at character 6: "10" is not a rate, such as 10mbit or 500kbit"#),
    ("rate=mbit", #"at character 6: "mbit" is not a rate, such as 10mbit or 500kbit"#),
    ("rate=-1mbit", #"at character 6: "-1mbit" is not a rate, such as 10mbit or 500kbit"#),
    ("rate=1000.1gbit", #"at character 6: "1000.1gbit" is more than 1000gbit"#),
    (
      "rate=99999999999999999999kbit",
      #"at character 6: "99999999999999999999kbit" is more than 1000gbit"#
    ),
    ("queue=3601s", #"at character 7: "3601s" is longer than 3600s"#),
    (
      "seed=-1",
      #"at character 6: "-1" is not a seed: a whole number from 0 to 18446744073709551615"#
    ),
    (
      "seed=18446744073709551616",
      #"at character 6: "18446744073709551616" is not a seed: "#
        + "a whole number from 0 to 18446744073709551615"
    ),
    ("loss=1%,loss=2%", #"at character 9: "loss" is given twice"#),
    (
      "lost=1%",
      #"at character 1: there is no "lost"; "#
        + "there are loss, burst, delay, jitter, rate, queue, duplicate, reorder and seed"
    ),
    (
      "Loss=1%",
      #"at character 1: there is no "Loss"; "#
        + "there are loss, burst, delay, jitter, rate, queue, duplicate, reorder and seed"
    ),
    ("seed=7, delay", #"at character 9: "delay" needs a value, such as delay=40ms"#),
    ("", "at character 1: expected an impairment, such as loss=20% or delay=40ms"),
    ("loss=1%,", "at character 9: expected an impairment, such as loss=20% or delay=40ms"),
    ("in:", "at character 4: expected an impairment, such as loss=20% or delay=40ms"),
    ("up:loss=1%", #"at character 1: "up" is not a direction: in, out or both"#),
    ("both:loss=1%,in:none", #"at character 14: "in" names a direction that is already given"#),
    ("loss=1%,out:none", #"at character 9: "out" names a direction that is already given"#),
    ("none,loss=1%", "at character 6: none stands alone"),
    ("loss=1%,none", "at character 9: none stands alone"),
    (
      "é=1,loss=1%",
      #"at character 1: there is no "é"; "#
        + "there are loss, burst, delay, jitter, rate, queue, duplicate, reorder and seed"
    ),
  ]

  @Test(arguments: messages)
  func saysWhatAndWhere(text: String, message: String) {
    #expect(messageOf { try ImpairmentSetting(parsing: text) } == message)
  }

  @Test func characterIsCountedNotByte() {
    let error = #expect(throws: ImpairmentSyntaxError.self) {
      try ImpairmentSetting(parsing: "seed=é,loss=1%")
    }
    #expect(error == ImpairmentSyntaxError(offset: 5, reason: .notASeed("é")))
  }

  @Test func directionStandsOnlyInASetting() {
    #expect(
      messageOf { try Impairment(parsing: "in:loss=1%") }
        == #"at character 1: "in" is not a direction: in, out or both"#)
  }

  @Test(arguments: ["loss=a\nb", "loss=\u{1B}[31m", "a\r\n\u{85}\u{2028}\u{202E}", "\0"])
  func messageIsOneHarmlessLine(text: String) {
    let message = messageOf { try ImpairmentSetting(parsing: text) }
    let isHarmless = message.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        && !$0.properties.isWhitespace || $0 == " "
    }
    #expect(isHarmless, "\(message.debugDescription)")
    #expect(message.contains("\u{FFFD}"))
  }

  @Test func messageOfALongTextIsShort() {
    let text = "loss=" + String(repeating: "x", count: 10_000)
    #expect(messageOf { try ImpairmentSetting(parsing: text) }.count < 120)
  }

  private func messageOf<Value>(_ body: () throws -> Value) -> String {
    let error = #expect(throws: ImpairmentSyntaxError.self) { _ = try body() }
    return error?.description ?? ""
  }
}
