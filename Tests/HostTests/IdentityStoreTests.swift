import Foundation
import Host
import Testing

@Suite struct IdentityStoreTests {
  private let scratch: Scratch
  private let path: String

  init() throws {
    scratch = try Scratch()
    path = scratch.path + "/state/patter/identity"
  }

  private func open(
    fresh: (UInt64, UInt64) = (1, 0xFEDC_BA98_7654_3210), now: UInt64 = 5_000
  ) throws -> IdentityStore {
    try IdentityStore.open(path: path, fresh: fresh, now: now)
  }

  private func write(_ text: String) throws {
    try Directories.make(scratch.path + "/state/patter")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  @Test func theFirstRunFoundsTheIdentity() throws {
    let store = try open()
    #expect(
      store.record == IdentityRecord(high: 1, low: 0xFEDC_BA98_7654_3210, epoch: 5_000))
    #expect(
      try scratch.content(of: path)
        == "patter identity 1\nid 0000000000000001fedcba9876543210\nepoch 5000\n")
  }

  @Test func itsFilesAreForThisUserAlone() throws {
    let store = try open()
    defer { withExtendedLifetime(store) {} }
    #expect(try scratch.permissions(of: path) == 0o600)
    #expect(try scratch.permissions(of: path + ".lock") == 0o600)
    #expect(try scratch.permissions(of: scratch.path + "/state/patter") == 0o700)
    #expect(try scratch.permissions(of: scratch.path + "/state") == 0o700)
    #expect(try scratch.names(in: scratch.path + "/state/patter") == ["identity", "identity.lock"])
  }

  @Test(
    arguments: [
      (now: 6_000, epoch: 6_000), (now: 5_000, epoch: 5_001), (now: 10, epoch: 5_001),
    ] as [(now: UInt64, epoch: UInt64)])
  func aRestartKeepsTheIdentityAndBeginsAnEpoch(now: UInt64, epoch: UInt64) throws {
    _ = try open()
    let again = try open(fresh: (8, 9), now: now)
    #expect(
      again.record == IdentityRecord(high: 1, low: 0xFEDC_BA98_7654_3210, epoch: epoch))
  }

  @Test func itIsHeldByOneAtATime() throws {
    do {
      let store = try open()
      defer { withExtendedLifetime(store) {} }
      #expect(throws: IdentityError.inUse(path: path)) { try open() }
    }
    #expect(throws: Never.self) { try open() }
  }

  @Test func whoIsRefusedChangesNothing() throws {
    let store = try open()
    defer { withExtendedLifetime(store) {} }
    let before = try scratch.content(of: path)
    #expect(throws: IdentityError.self) { try open(now: 9_000) }
    #expect(try scratch.content(of: path) == before)
  }

  @Test(arguments: [
    ("", 1),
    ("something else\n", 1),
    ("patter identity 2\nid 00000000000000010000000000000002\nepoch 5\n", 1),
    ("patter identity 1\n", 2),
    ("patter identity 1\nid 0001\nepoch 5\n", 2),
    ("patter identity 1\nid 0000000000000001000000000000000g\nepoch 5\n", 2),
    ("patter identity 1\nid 00000000000000010000000000000002\n", 3),
    ("patter identity 1\nid 00000000000000010000000000000002\nepoch \n", 3),
    ("patter identity 1\nid 00000000000000010000000000000002\nepoch -5\n", 3),
    ("patter identity 1\nid 00000000000000010000000000000002\nepoch 18446744073709551615\n", 3),
    ("patter identity 1\nid 00000000000000010000000000000002\nepoch 5", 4),
    ("patter identity 1\nid 00000000000000010000000000000002\nepoch 5\nmore\n", 4),
    (String(repeating: "x", count: 10_000), 1),
  ])
  func aDamagedFileIsToldOfAndLeftAlone(text: String, line: Int) throws {
    try write(text)
    let error = #expect(throws: IdentityError.self) { try open() }
    #expect(error == .corrupt(path: path, line: line))
    #expect(error?.description.contains("remove the file") == true)
    #expect(try scratch.content(of: path) == text)
  }

  @Test func aDirectoryThatCannotBeMadeIsToldOf() throws {
    try "".write(toFile: scratch.path + "/state", atomically: true, encoding: .utf8)
    let error = #expect(throws: IdentityError.self) { try open() }
    guard case .cannotWrite(path, let cause)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.code == ENOTDIR)
  }

  @Test func whatCannotBeReadIsToldOf() throws {
    try Directories.make(path)
    let error = #expect(throws: IdentityError.self) { try open() }
    guard case .unreadable(path, let cause)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.code == EISDIR)
  }
}
