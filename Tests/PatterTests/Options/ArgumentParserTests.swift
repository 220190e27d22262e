import Testing

@testable import patter

/// A command with one of each kind of option and argument.
private enum SampleCommand {
  static let size = ValueOption("size", short: "s", "N", .port, help: "").defaulting(to: "7")
  static let tag = ValueOption("tag", short: "t", "TAG", .string, isRepeatable: true, help: "")
  static let color = ValueOption("color", "KIND", .choice(["red": 1, "blue": 2]), help: "")
  static let loud = Flag("loud", short: "l", help: "")
  static let quick = Flag("quick", short: "q", help: "")
  static let source = Argument("SOURCE", .string, isRequired: true, help: "")
  static let words = Argument("WORD", .string, isRequired: false, isRepeatable: true, help: "")

  static let command = CommandDescription(
    name: "sample", summary: "", arguments: [source.description, words.description],
    options: [
      size.description, tag.description, color.description, loud.description, quick.description,
    ],
    makeInvocation: { _ throws(UsageError) in .who(WhoOptions()) })

  static func parse(_ words: String...) throws(UsageError) -> ParsedArguments {
    try ArgumentParser.parse(words[...], for: command)
  }
}

struct ArgumentParserTests {
  @Test(arguments: [
    ["--tag", "x", "a"], ["--tag=x", "a"], ["-t", "x", "a"], ["-tx", "a"], ["-t=x", "a"],
    ["-lqtx", "a"], ["a", "--tag", "x"],
  ])
  func readsEveryFormOfAValue(words: [String]) throws {
    let parsed = try ArgumentParser.parse(words[...], for: SampleCommand.command)
    #expect(try parsed.values(of: SampleCommand.tag) == ["x"])
    #expect(try parsed.value(of: SampleCommand.source) == "a")
  }

  @Test func keepsTheOrderOfRepeatedOptions() throws {
    let parsed = try SampleCommand.parse("--tag", "b", "a", "-t", "a", "--tag=c")
    #expect(try parsed.values(of: SampleCommand.tag) == ["b", "a", "c"])
  }

  @Test func givesTheDefaultOnlyWhereNothingWasSaid() throws {
    #expect(try SampleCommand.parse("a").value(of: SampleCommand.size) == 7)
    #expect(try SampleCommand.parse("a", "-s9").value(of: SampleCommand.size) == 9)
    #expect(try SampleCommand.parse("a").value(of: SampleCommand.color) == nil)
  }

  @Test func readsFlagsApartAndTogether() throws {
    let together = try SampleCommand.parse("-lq", "a")
    #expect(together.has(SampleCommand.loud) && together.has(SampleCommand.quick))
    let one = try SampleCommand.parse("--loud", "a")
    #expect(one.has(SampleCommand.loud) && !one.has(SampleCommand.quick))
  }

  @Test func takesEverythingBehindTwoDashesAsArguments() throws {
    let parsed = try SampleCommand.parse("--", "--tag", "-l", "--", "-")
    #expect(try parsed.value(of: SampleCommand.source) == "--tag")
    #expect(try parsed.values(of: SampleCommand.words) == ["-l", "--", "-"])
    #expect(!parsed.has(SampleCommand.loud))
  }

  @Test func takesASingleDashAsAnArgumentAndAsAValue() throws {
    let parsed = try SampleCommand.parse("-", "--tag", "-")
    #expect(try parsed.value(of: SampleCommand.source) == "-")
    #expect(try parsed.values(of: SampleCommand.tag) == ["-"])
  }

  @Test func keepsWhatStandsBehindTheFirstEqualsSign() throws {
    #expect(try SampleCommand.parse("a", "--tag=k=v").values(of: SampleCommand.tag) == ["k=v"])
    #expect(
      try SampleCommand.parse("a", "--tag=--loud").values(of: SampleCommand.tag) == ["--loud"])
  }

  @Test func endsAtHelp() throws {
    #expect(try SampleCommand.parse("-l", "--help", "--nonsense").has(.help))
    #expect(try SampleCommand.parse("-lh").has(.help))
  }

  @Test(arguments: [
    (["--tga", "x"], UsageError.unknownOption("--tga", suggestion: "--tag")),
    (["--zzzzzz"], .unknownOption("--zzzzzz", suggestion: nil)),
    (["--=x"], .unknownOption("--", suggestion: nil)),
    (["-z"], .unknownOption("-z", suggestion: nil)),
    (["-loud"], .unknownOption("-o", suggestion: "--loud")),
    (["a", "--tag"], .missingValue(name: "--tag", placeholder: "TAG", next: nil)),
    (["--tag", "-l", "a"], .missingValue(name: "--tag", placeholder: "TAG", next: "-l")),
    (["--loud=yes"], .superfluousValue("--loud")),
    (["-l=yes"], .superfluousValue("--loud")),
    (["--size=1", "-s", "2"], .repeatedOption("--size")),
    (["-l", "--loud"], .repeatedOption("--loud")),
    (["-l"], .missingArgument("SOURCE")),
    ([], .missingArgument("SOURCE")),
  ])
  func refuses(words: [String], error: UsageError) {
    #expect(throws: error) { try ArgumentParser.parse(words[...], for: SampleCommand.command) }
  }

  @Test func saysWhichValueIsBadAndWhatIsExpected() {
    let error = UsageError.badValue(name: "--color", value: "pink", expected: "red or blue")
    #expect(throws: error) {
      try SampleCommand.parse("a", "--color", "pink").value(of: SampleCommand.color)
    }
    #expect("\(error)" == "bad value 'pink' for --color: expected red or blue")
  }
}
