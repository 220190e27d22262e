import Foundation

/// The seeds that a simulation runs with: the one in the environment, or a fixed set.
enum Seeds {
  /// `SEED=7 swift test --filter NAME` repeats one run; without it there are `count` of them.
  static func some(_ count: Int) -> [UInt64] {
    if let text = ProcessInfo.processInfo.environment["SEED"], let seed = UInt64(text) {
      return [seed]
    }
    return (1...UInt64(count)).map { $0 }
  }

  /// What a failure message says, so that the run can be repeated.
  static func replay(_ seed: UInt64, _ test: String) -> String {
    "replay with: SEED=\(seed) swift test --filter \(test)"
  }
}
