/// The package depends on no other.
enum PackageDependencies {
  static func violations(in files: [SourceFile]) -> [String] {
    files.filter { $0.path == "Package.swift" }.flatMap { file in
      file.code.indices.filter { file.code[$0].contains(".package(") }.map {
        file.violation($0, "depends on another package; do without")
      }
    }
  }
}
