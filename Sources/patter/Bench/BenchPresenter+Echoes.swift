import Benchmarks
import Workloads

extension BenchPresenter {
  mutating func lines(for rows: [CaseRuns<EchoFigure>]) -> [OutputLine] {
    disturbed += rows.filter(\.isDisturbed).map(\.pair.name)
    guard !printsJSON else { return rows.map { out(json($0, among: rows)) } }
    var table = BenchTable(header: [
      "case", "face", "p50 µs", "p99 µs", "p99.9 µs", "p50 ratio", "p99 ratio",
    ])
    for row in rows {
      table.append(
        [row.pair.title, row.pair.face.rawValue]
          + [row.median(\.p50), row.median(\.p99), row.median(\.p999)]
          .map { fixedPoint($0, places: 1) }
          + [ratio(row, among: rows, \.p50), ratio(row, among: rows, \.p99)]
          .map { $0.map { fixedPoint($0, places: 2) } ?? "" })
    }
    return self.table("there and back, 64 bytes, ratio to UDP of the same kind", table)
  }

  private func ratio(
    _ row: CaseRuns<EchoFigure>, among rows: [CaseRuns<EchoFigure>],
    _ value: (EchoFigure) -> Double
  ) -> Double? {
    guard let name = PairBenchmark.reference(for: row.pair) else { return 1 }
    let reference = rows.first { $0.pair.name == name }
    return reference.map { row.median(value) / $0.median(value) }
  }

  private func json(
    _ row: CaseRuns<EchoFigure>, among rows: [CaseRuns<EchoFigure>]
  ) -> JSONObject {
    var object = head("latency", row.pair)
    object.append("p50_us", .decimal(row.median(\.p50), places: 2))
    object.append("p99_us", .decimal(row.median(\.p99), places: 2))
    object.append("p999_us", .decimal(row.median(\.p999), places: 2))
    let (p50, p99) = (ratio(row, among: rows, \.p50), ratio(row, among: rows, \.p99))
    object.append("p50_ratio", p50.map { .decimal($0, places: 3) } ?? .null)
    object.append("p99_ratio", p99.map { .decimal($0, places: 3) } ?? .null)
    object.append("ratio_to", JSONValue(PairBenchmark.reference(for: row.pair)))
    return object
  }
}
