import Testing

@testable import patter

struct HelpTextTests {
  private let command = CommandDescription(
    name: "copy", summary: "Copy things.",
    discussion: [String(repeating: "word ", count: 20) + "end."],
    arguments: [
      Argument("FROM", .string, isRequired: true, help: "what to copy").description,
      Argument("TO", .string, isRequired: false, isRepeatable: true, help: "where to").description,
    ],
    options: [
      ValueOption("mode", short: "m", "MODE", .string, help: "how").defaulting(to: "all")
        .description,
      ValueOption(
        "a-long-name", "A-LONG-VALUE", .string, isRepeatable: true, help: "what",
        defaultText: "nothing"
      ).description,
    ],
    examples: ["copy a b"],
    makeInvocation: { _ throws(UsageError) in .who(WhoOptions()) })

  @Test func showsTheWholeTable() {
    #expect(
      HelpText(of: CommandPath(root: command)).lines.joined(separator: "\n") == """
        Copy things.

        usage: copy [OPTIONS] FROM [TO...]

        word word word word word word word word word word word word word word word word
        word word word word end.

        arguments:
          FROM  what to copy
          TO    where to

        options:
          -m, --mode MODE         how (default: all)
              --a-long-name A-LONG-VALUE
                                  what (may be repeated; default: nothing)
          -h, --help              show this help

        examples:
          copy a b
        """)
  }
}
