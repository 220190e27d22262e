import Testing

/// The repository keeps its own rules. Each message says where, and what to do.
struct RepositoryTests {
  @Test func isFound() {
    let paths = Repository.files.map(\.path)
    #expect(paths.contains("Package.swift"))
    #expect(paths.contains("Sources/Primitives/Time/Instant.swift"))
    #expect(paths.contains("Tests/RepositoryTests/RepositoryTests.swift"))
    #expect(Repository.topLevel.contains("Sources"))
  }

  /// A misspelt module would quietly be left out of every rule about its zone.
  @Test(arguments: Zones.pure.union(Zones.system).sorted())
  func zoneExists(module: String) {
    #expect(Repository.files.contains { $0.path.hasPrefix("Sources/\(module)/") })
  }

  @Test func topLevelHoldsWhatTheDesignNames() {
    expectNone(TopLevel.violations(in: Repository.topLevel))
  }

  @Test func linesFitInto100Columns() {
    expectNone(LineLength.violations(in: Repository.files))
  }

  @Test func filesHaveAtMost400Lines() {
    expectNone(FileLength.violations(in: Repository.files))
  }

  @Test func functionsHaveAtMost70Lines() {
    expectNone(FunctionLength.violations(in: Repository.files))
  }

  @Test func systemIsReachedInItsTwoModulesOnly() {
    expectNone(Imports.violations(in: Repository.files))
  }

  @Test func packageDependsOnNoOther() {
    expectNone(PackageDependencies.violations(in: Repository.files))
  }

  @Test func nothingIsPromisedInTheSource() {
    expectNone(Promises.violations(in: Repository.files))
  }

  @Test func linksLeadSomewhere() {
    expectNone(Links.violations(in: Repository.files, exists: Repository.exists))
  }

  @Test func pureZoneIsDeterministic() {
    expectNone(Determinism.violations(in: Repository.files))
  }
}

private func expectNone(
  _ violations: [String], sourceLocation: SourceLocation = #_sourceLocation
) {
  for violation in violations {
    Issue.record(Comment(rawValue: violation), sourceLocation: sourceLocation)
  }
}
