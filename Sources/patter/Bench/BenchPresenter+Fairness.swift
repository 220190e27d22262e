import Benchmarks
import Primitives
import Workloads

extension BenchPresenter {
  mutating func lines(for cells: [FairnessCell], _ options: FairnessOptions) -> [OutputLine] {
    for cell in cells where !cell.isTrustworthy {
      doubt(
        "the wire was \(fixedPoint(cell.lateness / 1_000, places: 1)) ms late (p99) or dropped "
          + "\(cell.drops) packets of \(cell.sharing.name) by itself")
    }
    guard !printsJSON else { return cells.flatMap { json($0, options).map(out) } }
    var table = BenchTable(header: [
      "case", "Mbit/s", "member", "gets", "min", "max", "share", "Jain", "p50 ms", "p99",
      "dropped", "late µs",
    ])
    for cell in cells {
      for (index, member) in cell.sharing.members.enumerated() {
        let range = cell.range(of: index)
        var row = [
          index == 0 ? cell.sharing.title : "",
          index == 0 ? megabits(Double(cell.rate), places: 0) : "", Self.name(member),
          megabits(cell.goodput(of: index)), megabits(range.lowerBound),
          megabits(range.upperBound), fixedPoint(cell.share(of: index) * 100, places: 1) + " %",
        ]
        row.append(
          index == 0 ? cell.fairness.map { fixedPoint($0, places: 3) } ?? "" : "")
        row += latencies(of: member, in: cell).map { $0.map { fixedPoint($0, places: 1) } ?? "" }
        row.append(index == 0 ? fixedPoint(cell.dropRate * 100, places: 2) + " %" : "")
        row.append(index == 0 ? fixedPoint(cell.lateness, places: 0) : "")
        table.append(row)
      }
    }
    return self.table(
      "payload through a bottleneck, \(options.impairment) each way, \(options.seconds) s after "
        + "\(options.warmUp) s, medians of \(options.seeds.count) runs", table)
  }

  /// The median and the 99th percentile of the latencies of games, in milliseconds.
  private func latencies(
    of member: FairnessCase.Member, in cell: FairnessCell
  ) -> [Double?] {
    guard case .games = member else { return [nil, nil] }
    var latencies = cell.latencies
    return [50, 99].map { percent in latencies.percentile(percent).map { $0 / 1e6 } }
  }

  private func megabits(_ rate: Double, places: Int = 2) -> String {
    fixedPoint(rate / 1e6, places: places)
  }

  private static func name(_ member: FairnessCase.Member) -> String {
    switch member {
    case .tcp(let control): "TCP \(control)"
    case .patter: "Patter"
    case .games(let redundancy): "games, \(redundancy)"
    }
  }

  private func json(_ cell: FairnessCell, _ options: FairnessOptions) -> [JSONObject] {
    cell.sharing.members.enumerated().map { index, member in
      let range = cell.range(of: index)
      let latencies = latencies(of: member, in: cell).map { value in
        value.map { JSONValue.decimal($0, places: 2) } ?? .null
      }
      return [
        "v": 1, "type": "fairness", "case": .string(cell.sharing.name),
        "impair": .string(options.impairment), "rate": .integer(Int64(cell.rate)),
        "runs": .integer(Int64(cell.runs)), "member": .string(Self.name(member)),
        "goodput": .decimal(cell.goodput(of: index), places: 0),
        "goodput_min": .decimal(range.lowerBound, places: 0),
        "goodput_max": .decimal(range.upperBound, places: 0),
        "share": .decimal(cell.share(of: index), places: 4),
        "jain": cell.fairness.map { .decimal($0, places: 4) } ?? .null, "p50_ms": latencies[0],
        "p99_ms": latencies[1], "dropped": .decimal(cell.dropRate, places: 5),
        "wire_late_p99_us": .decimal(cell.lateness, places: 0),
        "wire_drops": .integer(Int64(cell.drops)),
      ]
    }
  }
}
