import Benchmarks
import Primitives
import Workloads

extension BenchPresenter {
  mutating func lines(for cells: [LossCell], _ options: LossOptions) -> [OutputLine] {
    for cell in cells where !cell.isTrustworthy {
      doubt(
        "the wire was \(fixedPoint(cell.lateness / 1_000, places: 1)) ms late (p99) or dropped "
          + "\(cell.drops) packets of \(cell.row.name) by itself")
    }
    guard !printsJSON else { return cells.map { out(json($0, options)) } }
    var table = BenchTable(header: [
      "carrier", "face", "loss", "p50 ms", "p95", "p99", "p99.9", "delivered", "B/message",
      "late µs",
    ])
    for cell in cells {
      var latencies = cell.latencies
      table.append(
        [cell.row.title, cell.row.face.rawValue, percent(cell.loss, places: 0)]
          + [50, 95, 99, 99.9].map {
            fixedPoint((latencies.percentile($0) ?? .nan) / 1e6, places: 1)
          } + [
            percent(cell.delivered, places: 2), fixedPoint(cell.bytesPerMessage, places: 0),
            fixedPoint(cell.lateness, places: 0),
          ])
    }
    let plan = options.plan
    return self.table(
      "\(plan.flows) connections, \(fixedPoint(plan.rate, places: 0)) messages a second each, "
        + "\(plan.size) bytes, \(options.condition.rawValue), \(options.impairment) each way, "
        + "seeds 1 to \(options.seeds.count); from the scheduled sending to the delivery", table)
  }

  private func percent(_ share: Double, places: Int) -> String {
    fixedPoint(share * 100, places: places) + " %"
  }

  private func json(_ cell: LossCell, _ options: LossOptions) -> JSONObject {
    var latencies = cell.latencies
    func milliseconds(_ percent: Double) -> JSONValue {
      .decimal((latencies.percentile(percent) ?? .nan) / 1e6, places: 2)
    }
    return [
      "v": 1, "type": "loss", "case": .string(cell.row.name), "title": .string(cell.row.title),
      "face": .string(cell.row.face.rawValue),
      "condition": .string(options.condition.rawValue), "impair": .string(options.impairment),
      "loss": .decimal(cell.loss, places: 4),
      "runs": .integer(Int64(cell.runs)), "expected": .integer(Int64(cell.expected)),
      "got": .integer(Int64(cell.latencies.count)), "dup": .integer(Int64(cell.duplicates)),
      "ooo": .integer(Int64(cell.outOfOrder)), "p50_ms": milliseconds(50),
      "p95_ms": milliseconds(95), "p99_ms": milliseconds(99), "p999_ms": milliseconds(99.9),
      "bytes_per_message": .decimal(cell.bytesPerMessage, places: 1),
      "wire_late_p99_us": .decimal(cell.lateness, places: 0),
      "wire_drops": .integer(Int64(cell.drops)),
    ]
  }

  func lines(for figure: ScaleFigure) -> [OutputLine] {
    guard !printsJSON else {
      return [
        out([
          "v": 1, "type": "scale", "face": "loop",
          "connections": .integer(Int64(figure.connections)),
          "bytes_per_connection": .decimal(figure.bytesPerConnection, places: 0),
          "message_ns_with_one": .decimal(figure.timeWithOne, places: 0),
          "message_ns_with_all": .decimal(figure.timeWithAll, places: 0),
        ])
      ]
    }
    let texts = [
      "", "\(figure.connections) idle connections of one endpoint, without sockets",
      "memory of a connection: \(fixedPoint(figure.bytesPerConnection, places: 0)) bytes",
      "a message and its acknowledgement, both ends: "
        + "\(fixedPoint(figure.timeWithOne, places: 0)) ns with one connection, "
        + "\(fixedPoint(figure.timeWithAll, places: 0)) ns with all",
    ]
    return texts.map(OutputLine.out)
  }
}
