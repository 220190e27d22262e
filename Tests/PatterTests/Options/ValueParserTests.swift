import Primitives
import Testing

@testable import patter

struct ValueParserTests {
  @Test(arguments: [
    ("3s", Interval.seconds(3)), ("500ms", .milliseconds(500)), ("1.5s", .milliseconds(1500)),
    ("2m", .seconds(120)), ("1h", .seconds(3600)), ("0s", .zero),
    ("0.000000001s", .nanoseconds(1)), ("0.0000000019s", .nanoseconds(1)),
    ("0.25h", .seconds(900)), ("9223372036s", .seconds(9_223_372_036)),
  ])
  func readsDurations(text: String, interval: Interval) {
    #expect(ValueParser.duration.parse(text) == interval)
  }

  @Test(arguments: [
    "", "3", "s", "ms", ".5s", "3.s", "1.2.3s", "-1s", "+1s", "3 s", "3S", "1e3s", "٣s", "1d",
    "9223372037s", "9223372036.9s", "99999999999999999999s", "2562048h",
  ])
  func refusesWhatIsNoDuration(text: String) {
    #expect(ValueParser.duration.parse(text) == nil)
  }

  @Test(arguments: [("1", UInt16(1)), ("28420", 28420), ("65535", 65535), ("080", 80)])
  func readsPorts(text: String, port: UInt16) {
    #expect(ValueParser.port.parse(text) == port)
  }

  @Test(arguments: ["", "0", "65536", "-1", "+1", "1.0", " 1", "http", "١"])
  func refusesWhatIsNoPort(text: String) {
    #expect(ValueParser.port.parse(text) == nil)
  }

  @Test(arguments: ["lan", "Büro 3", "会議室", String(repeating: "r", count: 64), "a:b"])
  func acceptsRoomNames(name: String) {
    #expect(ValueParser.roomName.parse(name) == name)
  }

  @Test(arguments: [
    "", " ", "\u{3000}", "a\nb", "a\u{0}", "\u{1B}[2J", "\u{7F}", "\u{9B}1m",
    String(repeating: "r", count: 65), String(repeating: "é", count: 33),
  ])
  func refusesRoomNames(name: String) {
    #expect(ValueParser.roomName.parse(name) == nil)
  }

  @Test(arguments: ["239.255.1.2", "224.0.0.1", "ff12::1"])
  func acceptsGroups(text: String) {
    #expect(ValueParser.multicastAddress.parse(text) == IPAddress(text))
  }

  @Test(arguments: ["192.0.2.1", "fe80::1", "ff12::1%eth0", "239.255.1.2:80", "group", ""])
  func refusesWhatIsNoGroup(text: String) {
    #expect(ValueParser.multicastAddress.parse(text) == nil)
  }

  @Test func listsTheChoices() {
    let parser = ValueParser.choice(["a": 1, "b": 2, "c": 3])
    #expect(parser.expected == "a, b or c")
    #expect(parser.choices == ["a", "b", "c"])
    #expect(parser.parse("b") == 2)
    #expect(parser.parse("B") == nil)
  }
}
