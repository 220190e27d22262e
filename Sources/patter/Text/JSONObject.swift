/// A JSON object to be written, its members in the order in which they were added.
struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  struct Member: Hashable, Sendable {
    var name: String
    var value: JSONValue
  }

  private(set) var members: [Member] = []

  init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Adds a member; a name may be used once.
  mutating func append(_ name: String, _ value: JSONValue) {
    precondition(!members.contains { $0.name == name }, "\(name) is there already")
    members.append(Member(name: name, value: value))
  }

  /// The object as one line of text without a line end.
  var line: String {
    var writer = JSONLineWriter()
    writer.write(self)
    return writer.text
  }
}
