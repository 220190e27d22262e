import Testing

@testable import patter

struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("Luke", 4), ("李雷", 4), ("e\u{301}", 1), ("한글", 4), ("👨‍👩‍👧‍👦", 2), ("❤️", 2),
    ("🇩🇪", 2), ("\u{2068}שלום\u{2069}", 4), ("ｆ", 2),
  ])
  func countsColumns(text: String, columns: Int) {
    #expect(text.columnCount == columns)
    #expect(text.padded(to: 8).columnCount == 8)
  }

  @Test func cutsNothingThatIsTooLong() {
    #expect("Luke".padded(to: 2) == "Luke")
  }
}
