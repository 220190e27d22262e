import ChatTransport
import Primitives

/// Turns the list of who is here into lines of output, in one of two forms.
struct WhoPresenter: Hashable, Sendable {
  var room: String
  /// How long was listened.
  var wait: Interval
  var printsJSON: Bool

  /// The lines for those found, in order of name and identity. Where nobody was, nothing is data,
  /// and standard error says so.
  func lines(for rows: [WhoRow]) -> [OutputLine] {
    guard !rows.isEmpty else { return nobody }
    let sorted = rows.sorted { ($0.name, $0.incarnation) < ($1.name, $1.incarnation) }
    return printsJSON ? sorted.map(json) : table(sorted)
  }

  private var nobody: [OutputLine] {
    [
      .error("patter who: nobody was heard in \(TerminalText.name(room)) for \(wait.shortText)"),
      .error("try a longer --wait, or --connect HOST where the network blocks multicast"),
    ]
  }

  private func table(_ rows: [WhoRow]) -> [OutputLine] {
    let names = rows.map { TerminalText.name($0.name) }
    let width = names.map(\.columnCount).max() ?? 0
    return [.out("\(rows.count) here in \(TerminalText.name(room)):")]
      + zip(names, rows).map { name, row in
        let identity = row.incarnation.identity.description.prefix(8)
        let addresses = row.addresses.map(\.text).joined(separator: ", ")
        return .out("  \(name.padded(to: width))  \(identity)  \(addresses)")
      }
  }

  private func json(_ row: WhoRow) -> OutputLine {
    let object: JSONObject = [
      "v": 1, "type": "peer", "room": .string(room),
      "id": .string(row.incarnation.identity.description),
      "epoch": .unsigned(row.incarnation.epoch), "name": .string(row.name),
      "addresses": .array(row.addresses.map { .object($0.json) }),
    ]
    return .out(object.line)
  }
}
