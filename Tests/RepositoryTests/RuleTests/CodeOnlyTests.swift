import Testing

struct CodeOnlyTests {
  @Test(arguments: [
    ("a // b \"c\nd", "a        \nd"),
    ("a /* b /* c */ d */ e", "a                   e"),
    (#"x("a b", c)"#, #"x("   ", c)"#),
    (#"x("a\"b", c)"#, #"x("    ", c)"#),
    (#"x("a\\", c)"#, #"x("   ", c)"#),
    (#"x("//", c) // d"#, #"x("  ", c)     "#),
    (#"x("a\(b("c)"))d", e)"#, #"x("            ", e)"#),
    ("x(#\"a\"b\"#, c)", "x( \"   \" , c)"),
    ("\"\"\"\na { \"b\"\n\"\"\" c", "\"\"\"\n       \n\"\"\" c"),
    ("\"\" + \"a\" + b", "\"\" + \" \" + b"),
    ("x(#/a\"b/#, c)", "x(       , c)"),
    ("#if canImport(Glibc)", "#if canImport(Glibc)"),
    ("\"é\" a", "\"  \" a"),
  ])
  func leavesBlanksInPlaceOfWhatIsNoCode(text: String, code: String) {
    #expect(blankingCommentsAndStrings(in: text) == code)
  }

  @Test(arguments: [
    "\"abc", "\"\"\"\nabc", "/* abc", "\"\\(abc", "#\"abc\"", "#/abc", "\"a\\", "#", "",
  ])
  func endsWhereTheTextDoes(text: String) {
    #expect(blankingCommentsAndStrings(in: text).utf8.count == text.utf8.count)
  }

  @Test func keepsLines() {
    for file in Repository.files { #expect(file.code.count == file.lines.count, "\(file.path)") }
  }
}
