/// Takes the arguments of one command apart by its description.
///
/// Options and arguments may be mixed, and `--` ends the options. A value stands behind `=` or is
/// the next argument; an argument that begins with a dash is no value unless `=` makes it one, for
/// a forgotten value is the likelier reason. Short names may stand together behind one dash.
/// `--help` and `--version` end the reading: whatever follows them is not looked at.
struct ArgumentParser {
  private let command: CommandDescription
  private var rest: ArraySlice<String>
  private var parsed = ParsedArguments()
  private var argumentIndex = 0

  static func parse(
    _ arguments: ArraySlice<String>, for command: CommandDescription
  ) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser(command: command, rest: arguments)
    return try parser.run()
  }

  private init(command: CommandDescription, rest: ArraySlice<String>) {
    self.command = command
    self.rest = rest
  }

  private mutating func run() throws(UsageError) -> ParsedArguments {
    var optionsAreOver = false
    while let word = rest.first {
      if optionsAreOver || word == "-" || !word.hasPrefix("-") {
        if !command.subcommands.isEmpty {
          parsed.rest = rest
          return parsed
        }
        rest.removeFirst()
        try takeArgument(word)
      } else {
        rest.removeFirst()
        if word == "--" {
          optionsAreOver = true
        } else if word.hasPrefix("--") {
          try takeLong(word.dropFirst(2))
        } else {
          try takeShort(word.dropFirst())
        }
        if parsed.has(.help) || parsed.has(.version) { return parsed }
      }
    }
    for argument in command.arguments.dropFirst(argumentIndex)
    where argument.isRequired && parsed.count(under: argument.placeholder) == 0 {
      throw .missingArgument(argument.placeholder)
    }
    return parsed
  }

  private mutating func takeArgument(_ word: String) throws(UsageError) {
    guard argumentIndex < command.arguments.count else { throw .unexpectedArgument(word) }
    let argument = command.arguments[argumentIndex]
    parsed.append(word, under: argument.placeholder)
    if !argument.isRepeatable { argumentIndex += 1 }
  }

  /// Takes `name` or `name=value`, which stood behind two dashes.
  private mutating func takeLong(_ word: Substring) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = command.options.first(where: { $0.long == name }) else {
      let suggestion = nearest(to: name, among: command.options.map(\.long))
      throw .unknownOption("--\(name)", suggestion: suggestion.map { "--\($0)" })
    }
    try take(option, attached: parts.count == 2 ? String(parts[1]) : nil)
  }

  /// Takes `n`, `nVALUE`, `n=VALUE` or several flags, which stood behind one dash.
  private mutating func takeShort(_ word: Substring) throws(UsageError) {
    var letters = word
    while let letter = letters.popFirst() {
      guard let option = command.options.first(where: { $0.short == letter }) else {
        let suggestion = command.options.first { $0.long == String(word) }?.dashedName
        throw .unknownOption("-\(letter)", suggestion: suggestion)
      }
      guard option.placeholder == nil || letters.isEmpty else {
        let value = letters.hasPrefix("=") ? letters.dropFirst() : letters
        return try take(option, attached: String(value))
      }
      if letters.hasPrefix("=") { throw .superfluousValue(option.dashedName) }
      try take(option, attached: nil)
    }
  }

  private mutating func take(
    _ option: OptionDescription, attached: String?
  ) throws(UsageError) {
    let name = option.dashedName
    guard option.isRepeatable || parsed.count(under: option.long) == 0 else {
      throw .repeatedOption(name)
    }
    guard let placeholder = option.placeholder else {
      guard attached == nil else { throw .superfluousValue(name) }
      return parsed.append("", under: option.long)
    }
    if let attached { return parsed.append(attached, under: option.long) }
    guard let next = rest.first else {
      throw .missingValue(name: name, placeholder: placeholder, next: nil)
    }
    guard next == "-" || !next.hasPrefix("-") else {
      throw .missingValue(name: name, placeholder: placeholder, next: next)
    }
    rest.removeFirst()
    parsed.append(next, under: option.long)
  }
}
