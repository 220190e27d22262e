/// A part of a help text: a title, and rows of two columns below it.
struct HelpSection: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    var term: String
    var text: String

    init(_ term: String, _ text: String) {
      self.term = term
      self.text = text
    }
  }

  var title: String
  var rows: [Row]
}
