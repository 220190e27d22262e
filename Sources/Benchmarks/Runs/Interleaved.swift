import Host
import Primitives
import SocketDriver
import Workloads

/// A case with the figures of all its runs, in the order in which they were run.
public struct CaseRuns<Figure: Sendable>: Sendable {
  public var pair: PairCase
  public var figures: [Figure]
  /// How many processors the work of others kept busy in each run.
  public var disturbances: [Double]

  /// The median of one value of the figures.
  public func median(_ value: (Figure) -> Double) -> Double {
    Workloads.median(figures.map(value)) ?? .nan
  }

  public func range(_ value: (Figure) -> Double) -> ClosedRange<Double> {
    let values = figures.map(value)
    return (values.min() ?? 0)...(values.max() ?? 0)
  }

  /// Others kept more of the machine busy in most of the runs than figures can bear.
  public var isDisturbed: Bool {
    (Workloads.median(disturbances) ?? 0) > ProcessorLoad.tolerableShare
  }
}

extension ProcessorLoad {
  /// How many processors others may keep busy in a run that is to be believed.
  static let tolerableShare = 0.25
}

/// Runs cases in turns, so that what the machine does meanwhile meets all of them alike.
///
/// - Parameters:
///   - runs: how often each is run.
///   - progress: told what is about to be run.
func interleave<Figure: Sendable>(
  _ cases: [PairCase], runs: Int, progress: (String) -> Void,
  measure: (PairCase) throws(BenchmarkError) -> Figure
) throws(BenchmarkError) -> [CaseRuns<Figure>] {
  var rows = cases.map { CaseRuns<Figure>(pair: $0, figures: [], disturbances: []) }
  for run in 1...runs {
    for index in cases.indices {
      progress("run \(run) of \(runs): \(cases[index].title), \(cases[index].size) bytes")
      let (load, start) = (ProcessorLoad(), SystemClock.now())
      rows[index].figures.append(try measure(cases[index]))
      let elapsed = UInt64((SystemClock.now() - start).nanoseconds)
      if let load, let now = ProcessorLoad() {
        rows[index].disturbances.append(now.othersShare(since: load, elapsed: elapsed))
      }
    }
  }
  return rows
}
