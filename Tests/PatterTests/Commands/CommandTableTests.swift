import Testing

@testable import patter

struct CommandTableTests {
  private let paths = allPaths(below: CommandPath(root: CommandTable.root))

  private static func allPaths(below path: CommandPath) -> [CommandPath] {
    [path]
      + path.command.subcommands.flatMap { command in
        (try? path.appending(command.name)).map(allPaths) ?? []
      }
  }

  @Test func holdsTheCommands() {
    let bench = [
      "throughput", "latency", "loss", "fairness", "scale", "stream-server", "flood-server",
      "echo-server",
      "stream-client", "flood-client", "echo-client", "floor", "wire",
      "forged",
    ]
    #expect(
      paths.map(\.name) == [
        "patter", "patter chat", "patter who", "patter simulate", "patter bench",
      ]
        + bench.map { "patter bench \($0)" } + ["patter help"])
  }

  @Test func explainsEveryCommandInEightyColumns() {
    for path in paths {
      let lines = HelpText(of: path).lines
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(path.name)")
      #expect(lines.allSatisfy { !$0.hasSuffix(" ") }, "\(path.name)")
      #expect(lines.contains { $0.contains("--help") }, "\(path.name)")
    }
  }

  @Test func usesEachNameOnce() {
    for path in paths {
      let long = path.command.options.map(\.long)
      let short = path.command.options.compactMap(\.short)
      #expect(Set(long).count == long.count, "\(path.name)")
      #expect(Set(short).count == short.count, "\(path.name)")
    }
  }

  @Test func givesExamplesThatWork() throws {
    for example in paths.flatMap(\.command.examples) {
      let words = example.split(separator: " ").map(String.init)
      #expect(words.first == "patter")
      _ = try Invocation(Array(words.dropFirst()))
    }
  }

  @Test func listsTheExitCodes() {
    let lines = HelpText(of: CommandPath(root: CommandTable.root)).lines
    for code in ExitCode.allCases {
      let isListed = lines.contains {
        $0.hasPrefix("  \(code.rawValue) ") && $0.hasSuffix(code.meaning)
      }
      #expect(isListed, "\(code)")
    }
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 143])
  }
}
