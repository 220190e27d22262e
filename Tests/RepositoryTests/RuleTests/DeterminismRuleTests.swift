import Testing

struct DeterminismRuleTests {
  @Test(arguments: [
    "var generator = SystemRandomNumberGenerator()",
    "var hasher = Hasher()",
    "let a = key.hashValue % 8",
    "let now = ContinuousClock.now",
    "let now = ContinuousClock().now",
    "let now = SuspendingClock.Instant.now",
    "let now = Date()",
    "try await Task.sleep(for: .seconds(1))",
    "let a = Int.random(in: 0..<f(4))",
    "let a = Bool.random()",
    "let a = list.shuffled()",
    "list.shuffle()",
    "let a = list.randomElement()",
    "let a = Int.random(in: 0..<4) + Int.random(in: 0..<4, using: &generator)",
  ])
  func findsWhatDiffersFromRunToRun(line: String) {
    #expect(lineNumbers(Determinism.violations(in: planted("let a = 1\n" + line))) == [2])
  }

  @Test(arguments: [
    "let a = Int.random(in: 0..<f(4), using: &generator)",
    "let a = Int.random(\n  in: 0..<4,\n  using: &generator)",
    "let a = list.shuffled(using: &generator)",
    "func hash(into hasher: inout Hasher) { hasher.combine(a) }",
    "let a = \"Date()\"  // Hasher",
    "let lastDate = updateDate(1)",
    "await sleep(deadline - now)",
  ])
  func overlooksWhatRepeats(line: String) {
    #expect(Determinism.violations(in: planted(line)) == [])
  }

  @Test func concernsThePureZoneOnly() {
    let text = "let a = Int.random(in: 0..<4)\nlet now = ContinuousClock.now"
    #expect(Determinism.violations(in: planted(text, at: "Sources/Host/A.swift")) == [])
    #expect(Determinism.violations(in: planted(text, at: "Tests/ChatRoomTests/A.swift")) == [])
  }

  @Test(arguments: [
    "for a in table {", "for (key, value) in table {", "for a in self.table where a.b {",
    "for a in state.table.enumerated() {", "for a in zip(list, table) {", "for a in table.keys {",
    "for a in other.values {", "for a in\n  table\n{", "for a in table\n  .filter({ $0.b })\n{",
    "for case .some(let a) in table { f(a) }", "table.forEach { f($0) }",
    "let a = table.map { $0.b }", "let a = table.keys.map { $0 }", "let a = table.first",
    "let a = Array(table)", "let a = Array(other.keys)", "let a = other.values.first { $0.b }",
    "let a = table.values.reduce(0) { $0 * 2 + $1 }",
    "let a = table\n  .values\n  .compactMap { $0 }",
    "let a = table.popFirst()",
  ])
  func findsARunOverAHashTable(statement: String) {
    for declaration in Self.declarations {
      let violations = Determinism.violations(in: planted("\(declaration)\n" + statement))
      #expect(lineNumbers(violations) == [2], "\(declaration)\n\(statement)")
    }
  }

  @Test(arguments: [
    "for a in table.sorted(by: { $0.key < $1.key }) {", "for a in table.keys.sorted() {",
    "for a in table\n  .values.sorted() {", "for a in 0..<table.count {", "for a in table[key] {",
    "for a in table[key, default: []] {", "for a in list {", "for a in f(table: list) {",
    "let a = table[key]", "let a = table.count { $0.b }", "if table.keys.contains(key) {",
    "let a = table.values.allSatisfy { $0.b }", "let a = table.values.reduce(0, +)",
    "let a = Array(table.values).sorted()", "table.removeAll()", "let a = list.map { $0 }",
    "let a = statistics.values.append(1)", "let a = Set(table.keys)",
    "let a = table.values.min()", "// for a in table {",
  ])
  func overlooksWhatDoesNotShowTheOrder(statement: String) {
    for declaration in Self.declarations {
      let violations = Determinism.violations(in: planted("\(declaration)\n" + statement))
      #expect(violations == [], "\(declaration)\n\(statement)")
    }
  }

  static let declarations = [
    "private var table: [Key: Value] = [:]", "let table: Set<Int>", "var table = Set<Int>()",
    "var table: Dictionary<Int, Int>", "var table: [Key: [Value]]", "var table = [Int: [Int]]()",
    "func f(list: [Int], in table: [Key: Value])", "func f(_ table: inout Set<Int>)",
    "var table: [Pair<Int, Int>: Int]", "let table: Set = [1]", "var table = Set(list)",
  ]

  @Test func overlooksTheIndicesOfAList() {
    let text = "var indices: [Key: Int]\nfor index in list.indices {\nfor index in indices {"
    #expect(lineNumbers(Determinism.violations(in: planted(text))) == [3])
  }

  @Test(arguments: [
    "let table: [Int]", "var table: [(key: Int, value: Int)]", "let table = [a, b]",
  ])
  func overlooksARunOverAnArray(declaration: String) {
    #expect(Determinism.violations(in: planted("\(declaration)\nfor a in table {")) == [])
  }
}
