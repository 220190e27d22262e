/// The operating system is reached in two modules only, and the pure zone imports itself alone.
enum Imports {
  private static let ofTheSystem: Set = [
    "Glibc", "Musl", "Darwin", "Bionic", "Android", "WinSDK", "CSockets", "CBenchmarks", "Dispatch",
  ]

  static func violations(in files: [SourceFile]) -> [String] {
    files.filter(\.isSwift).flatMap { file in
      imports(of: file).compactMap { index, module in
        reason(against: module, in: file).map { file.violation(index, $0) }
      }
    }
  }

  private static func reason(against module: String, in file: SourceFile) -> String? {
    if file.isPure, !Zones.pure.contains(module) {
      return "imports \(module) into the pure zone; hand in what is needed from outside"
    }
    if ofTheSystem.contains(module), !isOfTheSystem(file) {
      return "imports \(module); call the system in Sources/SocketDriver or Sources/Host"
    }
    if module.hasPrefix("Foundation"), !isOfTheSystem(file), !file.isInTests {
      return "imports \(module); use it in Sources/Host, or do without"
    }
    return nil
  }

  /// Whether a file belongs to a module that may call the system, or to its tests.
  private static func isOfTheSystem(_ file: SourceFile) -> Bool {
    guard let module = file.module else { return false }
    return Zones.system.contains { module == (file.isInTests ? $0 + "Tests" : $0) }
  }

  private static func imports(of file: SourceFile) -> [(index: Int, module: String)] {
    let statement =
      #/
      ^\s* (?: @\w+ (?: \([^)]*\) )? \s+ | (?: public|package|internal|fileprivate|private ) \s+ )*
      import \s+ (?: (?: struct|class|enum|protocol|typealias|func|let|var|actor ) \s+ )? (\w+)
      /#
    return file.code.enumerated().compactMap { index, line in
      guard line.contains("import "), let match = line.firstMatch(of: statement) else {
        return nil
      }
      return (index, String(match.1))
    }
  }
}
