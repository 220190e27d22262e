import Testing

@testable import patter

struct UsageErrorTests {
  @Test func isOneLineWithAPointerToTheHelp() {
    let failure = UsageFailure(
      command: "patter chat", error: .unknownOption("--rom", suggestion: "--room"))
    #expect(
      failure.lines == [
        .error(
          "patter chat: unknown option '--rom'; did you mean --room? (try 'patter chat --help')")
      ])
  }

  @Test(arguments: [
    UsageError.unknownCommand("\u{1B}[2J\n", suggestion: nil),
    .unknownOption("--\u{9B}\u{2028}\u{202E}", suggestion: nil),
    .missingValue(name: "--name", placeholder: "NAME", next: "-\u{7}"),
    .badValue(name: "--port", value: "\r\n\u{7F}", expected: "a port"),
    .unusableValue(name: "--impair", value: "\u{1B}", reason: "at \u{1B}]0;x\u{7}"),
    .unexpectedArgument("a\u{0}b\u{200B}"),
    .conflict("\u{1B}c"),
  ])
  func showsWhatWasTypedHarmless(error: UsageError) {
    let isSafe = "\(error)".unicodeScalars.allSatisfy {
      [.visible, .mark].contains(ScalarKind($0))
    }
    #expect(isSafe, "\(error)")
  }

  @Test func cutsWhatIsTooLongToRead() {
    let error = UsageError.unexpectedArgument(String(repeating: "x", count: 100_000))
    #expect("\(error)" == "unexpected argument '\(String(repeating: "x", count: 64))…'")
  }

  @Test func offersTheFormForAValueThatBeginsWithADash() {
    let error = UsageError.missingValue(name: "--name", placeholder: "NAME", next: "-x")
    #expect(
      "\(error)" == "--name needs a value: --name NAME (if '-x' is meant, write '--name=-x')")
  }
}
