import Foundation
import Testing

@testable import Host

@Suite struct ProcessTests {
  @Test func anEmptyVariableIsNone() async {
    // In a process of its own: changing the environment is not safe while other threads read it.
    await #expect(processExitsWith: .success) {
      setenv("PATTER_TEST", "x", 1)
      precondition(Environment["PATTER_TEST"] == "x")
      setenv("PATTER_TEST", "", 1)
      precondition(Environment["PATTER_TEST"] == nil)
      unsetenv("PATTER_TEST")
      precondition(Environment["PATTER_TEST"] == nil)
    }
  }

  @Test func theUserIsTheOneOfTheEnvironmentOrOfTheDatabase() async {
    await #expect(processExitsWith: .success) {
      setenv("USER", "luke", 1)
      precondition(UserName.current == "luke")
      unsetenv("USER")
      precondition(!UserName.current.isEmpty && UserName.current != "luke")
    }
  }

  @Test(
    arguments: [
      (["XDG_STATE_HOME": "/var/states", "HOME": "/home/luke"], "/var/states/patter"),
      (["XDG_STATE_HOME": "relative", "HOME": "/home/luke"], "/home/luke/.local/state/patter"),
      (["HOME": "/home/luke"], "/home/luke/.local/state/patter"),
      (["HOME": "relative"], nil),
    ] as [([String: String], String?)])
  func theStateDirectoryFollowsItsSpecification(variables: [String: String], path: String?) {
    #expect(Directories.state { variables[$0] } == path)
  }

  @Test func theWallClockIsInThisCentury() {
    // 2020 and 2100.
    #expect((1_577_836_800_000...4_102_444_800_000).contains(WallClock.millisecondsSince1970))
  }

  @Test func aPipeIsNoTerminal() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    #expect(!Terminal.isTerminal(ends[0]))
    for end in ends { close(end) }
  }

  /// Runs `body` on a thread of its own: which signals are blocked is a thread's affair.
  private func onOwnThread<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: body()) }.start()
    }
  }

  @Test func signalsAreReadOneByOne() async throws {
    let seen = await onOwnThread { () -> [Signals.Signal?]? in
      guard let signals = try? Signals([.interrupt, .terminate]) else { return nil }
      raise(SIGTERM)
      raise(SIGINT)
      return (0..<3).map { _ in try? signals.next() }
    }
    let signals = try #require(seen)
    #expect(Set(signals.prefix(2)) == [.interrupt, .terminate])
    #expect(signals.last == .some(nil))
  }

  @Test func anIgnoredSignalStaysIgnored() async throws {
    let seen = await onOwnThread { () -> Signals.Signal?? in
      signal(SIGHUP, SIG_IGN)
      defer { signal(SIGHUP, SIG_DFL) }
      guard let signals = try? Signals() else { return nil }
      raise(SIGHUP)
      return .some(try? signals.next())
    }
    #expect(try #require(seen) == nil)
  }
}
