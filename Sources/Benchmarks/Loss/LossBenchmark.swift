import Host
import KernelWire
import NetworkEmulator
import Primitives
import Workloads

/// Streams over a wire that loses packets: how late messages are, and what that costs.
public enum LossBenchmark {
  private struct Run {
    var cell: Int
    var row: LossRow
    var command: ChildCommand
    var limit: Interval
  }

  /// For so long nothing is lost.
  private static let losslessTime = "2500ms"
  private static let port = 9_000
  /// Stands between the words of the server and those of the client.
  public static let separator = "::"

  /// Runs all of it, cell by cell of each loss.
  public static func run(
    _ options: LossOptions, progress: (String) -> Void
  ) throws(BenchmarkError) -> [LossCell] {
    let rows = try chosen(options)
    var cells: [LossCell] = []
    var runs: [Run] = []
    for loss in options.losses {
      let first = cells.count
      cells += rows.map { LossCell(row: $0, loss: loss) }
      // In turns, so that what the machine does meanwhile meets all rows alike.
      for seed in options.seeds {
        for (offset, row) in rows.enumerated() {
          runs.append(try run(row, cell: first + offset, loss: loss, seed: seed, options))
        }
      }
    }
    for start in stride(from: 0, to: runs.count, by: options.jobs) {
      let group = Array(runs[start..<min(start + options.jobs, runs.count)])
      let percent = fixedPoint(cells[group[0].cell].loss * 100, places: 0)
      progress(
        "runs \(start + 1) to \(start + group.count) of \(runs.count): \(group[0].row.title)"
          + " at \(percent) % loss")
      try carryOut(group, into: &cells, options.plan)
    }
    return cells
  }

  private static func chosen(_ options: LossOptions) throws(BenchmarkError) -> [LossRow] {
    let standard = LossRow.standard(
      congestionControls: MachineDescription().congestionControls)
    guard !options.rows.isEmpty else { return standard }
    let all = standard + LossRow.more
    var rows: [LossRow] = []
    for name in options.rows {
      guard let row = all.first(where: { $0.name == name }) else {
        let names = all.map(\.name).joined(separator: ", ")
        throw .unusable("there is no row \(name); there are \(names)")
      }
      rows.append(row)
    }
    return rows
  }

  private static func run(
    _ row: LossRow, cell: Int, loss: Double, seed: UInt64, _ options: LossOptions
  ) throws(BenchmarkError) -> Run {
    var impairment: Impairment
    do throws(ImpairmentSyntaxError) {
      impairment = try Impairment(parsing: options.impairment)
    } catch { throw .unusable("\(options.impairment): \(error)") }
    impairment.loss = loss
    let plan = options.plan
    let stream =
      [
        "--flows", "\(plan.flows)", "--hz", "\(plan.rate)", "--secs", "\(plan.seconds)", "--warm",
        "\(plan.warmUp)", "--size", "\(plan.size)", "--ip", WireConfiguration.address(of: 1),
        "--port", "\(port)", "--grace", "\(row.grace)s",
      ] + row.words
    let limit = Interval.nanoseconds(Int64(plan.seconds * 1e9)) + .seconds(Int64(row.grace) + 15)
    let words =
      [
        PairCase.program, "bench", "wire", "--impair", "\(impairment)", "--seed", "\(seed)",
        "--lossless", losslessTime, "--limit", "\(limit.nanoseconds / 1_000_000)ms", "--",
        PairCase.program, "bench", "stream-server", "--samples",
      ] + stream + [separator, PairCase.program, "bench", "stream-client"] + stream
    return Run(cell: cell, row: row, command: ChildCommand(words), limit: limit + .seconds(5))
  }

  private static func carryOut(
    _ group: [Run], into cells: inout [LossCell], _ plan: StreamPlan
  ) throws(BenchmarkError) {
    let outcomes: [ChildOutcome]
    do throws(SystemError) {
      outcomes = try ChildProcess.run(
        group.map(\.command), limit: group.map(\.limit).max() ?? .zero)
    } catch { throw .failed("wire", "\(error)") }
    for (run, outcome) in zip(group, outcomes) {
      let lines = outcome.output.split(separator: "\n").compactMap { FlatJSON($0) }
      if let words = lines.compactMap({ $0.text("error") }).first { throw .unusable(words) }
      guard outcome.exitCode == 0, !outcome.ranOutOfTime,
        let samples = lines.compactMap({ $0.array("samples_us") }).first,
        let server = lines.first(where: { $0.text("role") == "server" }),
        let wire = lines.first(where: { $0.text("role") == "wire" })
      else { throw .failed(run.row.name, "a run ended with \(outcome.exitCode)") }
      cells[run.cell].add(samples: samples, server: server, wire: wire, plan: plan)
    }
  }
}
