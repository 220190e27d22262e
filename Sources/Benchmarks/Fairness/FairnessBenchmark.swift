import Host
import KernelWire
import NetworkEmulator
import Primitives
import Workloads

/// What those get who share a bottleneck, and how late the messages of games are there.
public enum FairnessBenchmark {
  private struct Run {
    var cell: Int
    var command: ChildCommand
    var limit: Interval
  }

  private static let firstPort = 9_000
  private static let size = 1_200
  private static let games = StreamPlan(flows: 40, rate: 60)

  /// Runs all of it, case by case of each rate.
  public static func run(
    _ options: FairnessOptions, progress: (String) -> Void
  ) throws(BenchmarkError) -> [FairnessCell] {
    let cases = try chosen(options)
    var cells: [FairnessCell] = []
    var runs: [Run] = []
    for rate in options.rates {
      for sharing in cases {
        for seed in options.seeds {
          runs.append(
            try run(sharing, cell: cells.count, rate: rate, seed: seed, options))
        }
        cells.append(FairnessCell(sharing, rate: rate))
      }
    }
    for start in stride(from: 0, to: runs.count, by: options.jobs) {
      let group = Array(runs[start..<min(start + options.jobs, runs.count)])
      progress(
        "runs \(start + 1) to \(start + group.count) of \(runs.count): "
          + cells[group[0].cell].sharing.title)
      try carryOut(group, into: &cells)
    }
    return cells
  }

  private static func chosen(_ options: FairnessOptions) throws(BenchmarkError) -> [FairnessCase] {
    let all = FairnessCase.all(congestionControls: MachineDescription().congestionControls)
    guard !options.cases.isEmpty else { return all }
    var cases: [FairnessCase] = []
    for name in options.cases {
      guard let sharing = all.first(where: { $0.name == name }) else {
        let names = all.map(\.name).joined(separator: ", ")
        throw .unusable("there is no case \(name); there are \(names)")
      }
      cases.append(sharing)
    }
    return cases
  }

  private static func run(
    _ sharing: FairnessCase, cell: Int, rate: Int, seed: UInt64, _ options: FairnessOptions
  ) throws(BenchmarkError) -> Run {
    var impairment: Impairment
    do throws(ImpairmentSyntaxError) {
      impairment = try Impairment(parsing: options.impairment)
    } catch { throw .unusable("\(options.impairment): \(error)") }
    impairment.rate = rate
    // Connections have to be made, and the last words have to be heard.
    let limit = Interval.seconds(Int64(options.warmUp + options.seconds + 30))
    var words = [
      PairCase.program, "bench", "wire", "--impair", "\(impairment)", "--seed", "\(seed)",
      "--limit", "\(limit.nanoseconds / 1_000_000)ms", "--",
    ]
    for (index, member) in sharing.members.enumerated() {
      if index > 0 { words.append(LossBenchmark.separator) }
      let (server, client) = ends(of: member, port: firstPort + index, options)
      words += server + [LossBenchmark.separator] + client
    }
    return Run(cell: cell, command: ChildCommand(words), limit: limit + .seconds(5))
  }

  private static func ends(
    of member: FairnessCase.Member, port: Int, _ options: FairnessOptions
  ) -> (server: [String], client: [String]) {
    let place = ["--ip", WireConfiguration.address(of: 1), "--port", "\(port)"]
    let flood =
      place + [
        "--size", "\(size)", "--batch", "16", "--warm", "\(options.warmUp)s", "--secs",
        "\(options.seconds)s",
      ]
    let words: [String]
    switch member {
    case .tcp(let control): words = flood + ["--carrier", "tcp", "--congestion", control]
    case .patter: words = flood
    case .games(let redundancy):
      let stream =
        place + [
          "--flows", "\(games.flows)", "--hz", "\(games.rate)", "--secs",
          "\(options.warmUp + options.seconds)", "--warm", "\(options.warmUp)", "--redundancy",
          redundancy,
        ]
      return (
        [PairCase.program, "bench", "stream-server", "--samples"] + stream,
        [PairCase.program, "bench", "stream-client"] + stream
      )
    }
    return (
      [PairCase.program, "bench", "flood-server"] + words,
      [PairCase.program, "bench", "flood-client"] + words
    )
  }

  private static func carryOut(
    _ group: [Run], into cells: inout [FairnessCell]
  ) throws(BenchmarkError) {
    let outcomes: [ChildOutcome]
    do throws(SystemError) {
      outcomes = try ChildProcess.run(
        group.map(\.command), limit: group.map(\.limit).max() ?? .zero)
    } catch { throw .failed("wire", "\(error)") }
    for (run, outcome) in zip(group, outcomes) {
      let name = cells[run.cell].sharing.name
      let lines = outcome.output.split(separator: "\n").compactMap { FlatJSON($0) }
      if let words = lines.compactMap({ $0.text("error") }).first { throw .unusable(words) }
      guard outcome.exitCode == 0, !outcome.ranOutOfTime,
        let wire = lines.first(where: { $0.text("role") == "wire" })
      else { throw .failed(name, "a run ended with \(outcome.exitCode)") }
      try add(lines, wire, to: &cells[run.cell])
    }
  }

  private static func add(
    _ lines: [FlatJSON], _ wire: FlatJSON, to cell: inout FairnessCell
  ) throws(BenchmarkError) {
    var goodputs: [Double] = []
    var expected = 0
    for (index, member) in cell.sharing.members.enumerated() {
      // Each member has a port of its own, and its server tells which.
      let server = lines.first {
        $0.text("role") == "server" && $0.number("port") == Double(firstPort + index)
      }
      guard let server else { throw .failed(cell.sharing.name, "a server told nothing") }
      if case .games = member {
        expected += Int(server.number("expected") ?? 0)
        let share = (server.number("got") ?? 0) / max(1, server.number("expected") ?? 1)
        goodputs.append(
          share * Double(games.flows * games.size * 8) * games.rate)
      } else {
        goodputs.append((server.number("rate") ?? 0) * Double(size) * 8)
      }
    }
    let samples = lines.compactMap { $0.array("samples_us") }.first ?? []
    cell.add(goodputs: goodputs, samples: samples, expected: expected, wire: wire)
  }
}
