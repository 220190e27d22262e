/// The help text of a command, at most 80 columns wide.
struct HelpText {
  private(set) var lines: [String] = []
  private static let width = 80
  /// Where a second column begins at most; a longer term gets a line of its own.
  private static let lastColumn = 26

  init(of path: CommandPath) {
    let command = path.command
    lines += wrap(command.summary)
    lines += ["", "usage: \(path.name)\(Self.synopsis(of: command))"]
    for paragraph in command.discussion { lines += [""] + wrap(paragraph) }
    append(
      HelpSection(
        title: "commands",
        rows: command.visibleSubcommands.map { HelpSection.Row($0.name, $0.summary) }))
    append(
      HelpSection(
        title: "arguments",
        rows: command.arguments.map { HelpSection.Row($0.placeholder, $0.help) }))
    append(HelpSection(title: "options", rows: command.options.map(Self.row)))
    for section in command.sections { append(section) }
    if !command.examples.isEmpty {
      lines += ["", "examples:"] + command.examples.map { "  \($0)" }
    }
    if !command.subcommands.isEmpty {
      lines += ["", "'\(path.name) COMMAND --help' explains a command."]
    }
  }

  private mutating func append(_ section: HelpSection) {
    guard !section.rows.isEmpty else { return }
    lines += ["", "\(section.title):"]
    let longestTerm = section.rows.map(\.term.count).max() ?? 0
    let column = min(longestTerm + 4, Self.lastColumn)
    let indent = String(repeating: " ", count: column)
    for row in section.rows {
      let term = "  \(row.term)"
      var texts = wrap(row.text, width: Self.width - column)[...]
      if term.count + 2 > column {
        lines.append(term)
      } else {
        let padding = String(repeating: " ", count: column - term.count)
        lines.append(term + padding + (texts.popFirst() ?? ""))
      }
      lines += texts.map { indent + $0 }
    }
  }

  private static func synopsis(of command: CommandDescription) -> String {
    var words = command.options.isEmpty ? "" : " [OPTIONS]"
    if !command.subcommands.isEmpty {
      words += command.makeInvocation == nil ? " COMMAND" : " [COMMAND]"
    }
    for argument in command.arguments {
      let name = argument.placeholder + (argument.isRepeatable ? "..." : "")
      words += argument.isRequired ? " \(name)" : " [\(name)]"
    }
    return words
  }

  private static func row(of option: OptionDescription) -> HelpSection.Row {
    let short = option.short.map { "-\($0), " } ?? "    "
    let value = option.placeholder.map { " \($0)" } ?? ""
    var notes: [String] = []
    if option.isRepeatable { notes.append("may be repeated") }
    if let defaultText = option.defaultText { notes.append("default: \(defaultText)") }
    let text = option.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    return HelpSection.Row("\(short)\(option.dashedName)\(value)", text)
  }
}

/// Breaks `text` at spaces into lines of at most `width` columns; a longer word stands alone.
private func wrap(_ text: String, width: Int = 80) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty, line.count + 1 + word.count > width {
      lines.append(line)
      line = ""
    }
    line += line.isEmpty ? String(word) : " \(word)"
  }
  return line.isEmpty ? lines : lines + [line]
}
