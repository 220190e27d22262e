import Testing

struct LinkRuleTests {
  @Test(arguments: [
    "[a](Missing.md)", "text [a](../Missing.md#part) text", "![a](missing.png \"title\")",
    "[![a](Missing.svg)](https://example.com)", "[a]: Missing.md", "<img src=\"missing.png\">",
    "[a](/Docs/Missing.md)", "[a](../../README.md)", "[a](<Missing.md>)", "[a](./Sub/Here.md)",
  ])
  func findsALinkThatLeadsNowhere(line: String) {
    #expect(lineNumbers(violations(in: "# Title\n\n\(line)\n")) == [3])
  }

  @Test(arguments: [
    "[a](Here.md)", "[a](Here.md#part)", "[a](./Here.md)", "[a](../README.md)",
    "[a](/Docs/Here.md)",
    "[a](With%20space.md)", "[a](#part)", "[a](https://example.com/Missing.md)",
    "[a](mailto:a@example.com)", "`[a](Missing.md)`", "[a]: Here.md", "a (b) [c] (Missing.md)",
    "```\n[a](Missing.md)\n```", "~~~sh\n```\n[a](Missing.md)\n~~~",
  ])
  func overlooksALinkThatLeadsSomewhere(text: String) {
    #expect(violations(in: text) == [])
  }

  @Test func looksAgainBehindAFence() {
    #expect(lineNumbers(violations(in: "```\n[a](b)\n```\n[a](b)")) == [4])
  }

  private func violations(in text: String) -> [String] {
    let existing: Set = ["Docs/Here.md", "Docs/With space.md", "README.md"]
    return Links.violations(
      in: planted(text, at: "Docs/Planted.md"), exists: existing.contains)
  }
}
