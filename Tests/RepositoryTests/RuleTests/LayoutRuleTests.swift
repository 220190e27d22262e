import Testing

struct LayoutRuleTests {
  @Test func findsAStrangerOnTheTopLevel() {
    let names = ["Package.swift", "Sources", "Tests", "Docs", "README.md", "Makefile"]
    #expect(
      TopLevel.violations(in: names) == [
        "Makefile:1: does not belong to the top level; put it under Sources, Tests or Docs"
      ])
  }

  @Test func overlooksWhatGitIgnores() {
    let ignored = IgnoredNames(gitignore: "# note\nbuild/\n*.profraw\n/out\nnot*.txt\n")
    let expected = ["build", "a.profraw", "out", "notes.txt"]
    #expect(
      ["build", "builds", "a.profraw", "a.prof", "out", "notes.txt", "note"]
        .filter(ignored.contains) == expected)
  }

  @Test func findsADependency() {
    let text = "// .package(\nlet a = [\n  .package(url: \"b\", from: \"1.0.0\")\n]"
    #expect(
      lineNumbers(PackageDependencies.violations(in: planted(text, at: "Package.swift"))) == [3])
  }

  @Test(arguments: [
    "TO" + "DO: later", "// TO" + "DO", "/* FIX" + "ME(me) */", "let a = \"FIX" + "ME\"",
  ])
  func findsAPromise(line: String) {
    let violations = Promises.violations(in: planted("let a = 1\n\(line)", at: "Docs/Planted.md"))
    #expect(lineNumbers(violations) == [2])
  }

  @Test func overlooksWordsThatHoldAPromise() {
    #expect(Promises.violations(in: planted("let TO" + "DOS = 1, prefIX" + "ME = 2")) == [])
  }

  @Test(arguments: [
    ("import Glibc", "Sources/ChatRoom/A.swift"),
    ("import Glibc", "Sources/patter/A.swift"),
    ("  public import Darwin", "Sources/UDPTransport/A.swift"),
    ("@preconcurrency import Glibc", "Tests/ChatRoomTests/A.swift"),
    ("import CSockets", "Tests/PatterTests/A.swift"),
    ("internal import struct Foundation.Data", "Sources/patter/A.swift"),
    ("import FoundationEssentials", "Sources/UDPTransport/A.swift"),
    ("import Foundation", "Sources/ChatCodec/A.swift"),
    ("import Synchronization", "Sources/Primitives/A.swift"),
    ("@_spi(Testing) public import SocketDriver", "Sources/ChatRoom/Deep/A.swift"),
  ])
  func findsAnImportInTheWrongPlace(line: String, path: String) {
    let text = "#if true\n\(line)\n#endif"
    #expect(lineNumbers(Imports.violations(in: planted(text, at: path))) == [2])
  }

  @Test(arguments: [
    ("import Glibc", "Sources/SocketDriver/A.swift"),
    ("import CSockets", "Sources/Host/A.swift"),
    ("import Glibc", "Tests/SocketDriverTests/A.swift"),
    ("import Foundation", "Tests/PatterTests/A.swift"),
    ("import FoundationEssentials", "Sources/Host/A.swift"),
    ("public import Primitives", "Sources/ChatRoom/A.swift"),
    ("import Synchronization", "Sources/UDPTransport/A.swift"),
    ("// import Glibc", "Sources/ChatRoom/A.swift"),
    ("let text = \"import Glibc\"", "Sources/ChatRoom/A.swift"),
    ("#if canImport(Glibc)", "Sources/ChatRoom/A.swift"),
  ])
  func overlooksAnImportInItsPlace(line: String, path: String) {
    #expect(Imports.violations(in: planted(line, at: path)) == [])
  }
}
