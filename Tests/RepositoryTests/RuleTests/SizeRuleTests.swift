import Testing

struct SizeRuleTests {
  @Test func findsALongLine() {
    let text = String(repeating: "é", count: 100) + "\n" + String(repeating: "é", count: 101)
    #expect(
      LineLength.violations(in: planted(text)) == [
        "Sources/ChatRoom/Planted.swift:2: has 101 columns; break the line at 100"
      ])
  }

  @Test func findsALongFile() {
    let line = "let a = 1\n"
    #expect(FileLength.violations(in: planted(String(repeating: line, count: 400))) == [])
    #expect(
      lineNumbers(FileLength.violations(in: planted(String(repeating: line, count: 401)))) == [401])
  }

  @Test(arguments: [
    ("func f() {", "}"),
    ("func f<T>(_ a: (T) -> Void = { _ in }) throws(E)\n  -> [T] where T: P {", "}"),
    ("init?(a: Int) {", "}"),
    ("deinit {", "}"),
    ("subscript(a: Int) -> Int {", "}"),
    ("var a: Int {", "}"),
    ("struct S {\n  let a = 1\n  func f() {", "}\n}"),
    ("protocol P {\n  func f()\n  var a: Int { get }\n}\nfunc f() {\n  \"}\"  // }", "}"),
  ])
  func findsALongFunction(start: String, end: String) {
    for body in [50, 71] {
      let text = start + String(repeating: "\n  g { $0 }", count: body) + "\n" + end
      let violations = FunctionLength.violations(in: planted(text))
      #expect(violations.count == (body > 70 ? 1 : 0), "\(violations)")
    }
  }

  @Test func countsFromTheNameToTheLastBrace() {
    let text = "\nfunc f(\n  a: Int\n) {\n  g()\n}\n"
    #expect(
      FunctionLength.functions(in: planted(text)[0]) == [.init(name: "f", line: 1, length: 5)])
  }

  @Test(arguments: [
    "struct S {\n", "protocol P {\n  func f()\n", "extension E {\n  var a: Int = 1\n",
    "let a = [\n", "struct S {\n  var a: Int\n  struct T {\n",
  ])
  func takesNothingElseForAFunction(start: String) {
    let text = start + String(repeating: "\n", count: 80) + (start.contains("[") ? "]" : "}")
    #expect(FunctionLength.violations(in: planted(text)) == [])
  }
}
