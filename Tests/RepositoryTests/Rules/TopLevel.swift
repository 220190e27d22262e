/// The top level holds what the design names, and nothing else.
enum TopLevel {
  static let allowed: Set = ["Package.swift", "Sources", "Tests", "Docs", "README.md"]

  static func violations(in names: [String]) -> [String] {
    names.filter { !allowed.contains($0) }.map {
      "\($0):1: does not belong to the top level; put it under Sources, Tests or Docs"
    }
  }
}
