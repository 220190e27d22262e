import Benchmarks
import Host
import Workloads

/// Turns figures into lines of output: tables for people, or an object a line.
struct BenchPresenter {
  var printsJSON: Bool
  /// Why what was measured cannot be trusted.
  private(set) var doubts: [String] = []

  init(printsJSON: Bool) {
    self.printsJSON = printsJSON
  }

  /// The machine, and how the figures came to be.
  func lines(for machine: MachineDescription, runs: Int) -> [OutputLine] {
    let congestion = machine.congestionControl ?? "unknown"
    guard !printsJSON else {
      return [
        out([
          "v": 1, "type": "machine", "processor": .string(machine.processor),
          "processors": .integer(Int64(machine.processorCount)),
          "kernel": .string(machine.kernel), "tcp_congestion": .string(congestion),
          "toolchain": .string(machine.toolchain), "patter": .string(Version.number),
          "runs": .integer(Int64(runs)),
        ])
      ]
    }
    return [
      "\(machine.processor), \(machine.processorCount) processors, \(machine.kernel)",
      "TCP congestion control \(congestion); \(machine.toolchain), patter \(Version.number)",
      "medians of \(runs) runs in turns, two processes on processors 0 and 1",
    ].map { OutputLine.out(TerminalText.line($0)) }
  }

  /// Every doubt, and whether there is one.
  func verdict() -> [OutputLine] {
    guard !printsJSON else {
      return [
        out([
          "v": 1, "type": "verdict", "trusted": .boolean(doubts.isEmpty),
          "doubts": .array(doubts.map(JSONValue.string)),
        ])
      ]
    }
    return doubts.map { .error("patter bench: not to be trusted: \($0)") }
  }

  private mutating func doubt(_ words: String) {
    if !doubts.contains(words) { doubts.append(words) }
  }

  private func out(_ object: JSONObject) -> OutputLine { .out(object.line) }

  private func table(_ title: String, _ table: BenchTable) -> [OutputLine] {
    ([" ", title] + table.lines).map { .out($0 == " " ? "" : TerminalText.line($0)) }
  }
}

// MARK: - Floods

extension BenchPresenter {
  mutating func lines(for rows: [CaseRuns<FloodFigure>]) -> [OutputLine] {
    for row in rows { judge(row) }
    guard !printsJSON else { return rows.map { out(json($0, among: rows)) } }
    var sizes: [Int] = []
    for row in rows where !sizes.contains(row.pair.size) { sizes.append(row.pair.size) }
    return sizes.flatMap { size in
      let members = rows.filter { $0.pair.size == size }
      var table = BenchTable(header: [
        "case", "face", "messages/s", "min", "max", "MB/s", "ratio", "ns sender", "ns receiver",
        "MiB",
      ])
      for row in members { table.append(cells(row, among: rows)) }
      let reference = members.first.flatMap { PairBenchmark.reference(for: $0.pair) }
      let title = rows.first { $0.pair.name == reference }?.pair.title
      return self.table(
        "messages of \(size) bytes" + (title.map { ", ratio to \($0)" } ?? ""), table)
    }
  }

  private mutating func judge(_ row: CaseRuns<FloodFigure>) {
    let name = row.pair.name
    if row.isDisturbed { doubt("others kept the processors busy while \(name) was run") }
    if row.median(\.loss) > 0.01 { doubt("\(name) lost messages in the receiver's queue") }
    if row.median(\.outOfSequence) > 0 { doubt("\(name) delivered messages out of sequence") }
  }

  private func ratio(
    _ row: CaseRuns<FloodFigure>, among rows: [CaseRuns<FloodFigure>]
  ) -> Double? {
    guard let name = PairBenchmark.reference(for: row.pair) else { return 1 }
    let reference = rows.first { $0.pair.name == name }
    return reference.map { row.median(\.rate) / $0.median(\.rate) }
  }

  private func cells(
    _ row: CaseRuns<FloodFigure>, among rows: [CaseRuns<FloodFigure>]
  ) -> [String] {
    let range = row.range(\.rate)
    let rate = row.median(\.rate)
    let memory = max(row.median(\.senderMemory), row.median(\.receiverMemory)) / 1_024
    return [
      row.pair.title, row.pair.face.rawValue, amount(rate), amount(range.lowerBound),
      amount(range.upperBound), fixedPoint(rate * Double(row.pair.size) / 1e6, places: 0),
      ratio(row, among: rows).map { fixedPoint($0, places: 2) } ?? "",
      fixedPoint(row.median(\.senderTime), places: 0),
      fixedPoint(row.median(\.receiverTime), places: 0), fixedPoint(memory, places: 1),
    ]
  }

  /// A large number with three digits or more.
  private func amount(_ value: Double) -> String {
    value >= 1e6
      ? fixedPoint(value / 1e6, places: 2) + " M" : fixedPoint(value / 1e3, places: 0) + " k"
  }

  private func json(
    _ row: CaseRuns<FloodFigure>, among rows: [CaseRuns<FloodFigure>]
  ) -> JSONObject {
    let range = row.range(\.rate)
    var object = head("throughput", row.pair)
    object.append("rate", .decimal(row.median(\.rate), places: 0))
    object.append("rate_min", .decimal(range.lowerBound, places: 0))
    object.append("rate_max", .decimal(range.upperBound, places: 0))
    object.append("ratio", ratio(row, among: rows).map { .decimal($0, places: 3) } ?? .null)
    object.append("ratio_to", JSONValue(PairBenchmark.reference(for: row.pair)))
    object.append("sender_ns", .decimal(row.median(\.senderTime), places: 1))
    object.append("receiver_ns", .decimal(row.median(\.receiverTime), places: 1))
    object.append("sender_kib", .decimal(row.median(\.senderMemory), places: 0))
    object.append("receiver_kib", .decimal(row.median(\.receiverMemory), places: 0))
    object.append("tcp_congestion", JSONValue(row.figures.first?.congestion))
    return object
  }

  private func head(_ type: String, _ pair: PairCase) -> JSONObject {
    [
      "v": 1, "type": .string(type), "case": .string(pair.name), "title": .string(pair.title),
      "carrier": .string(pair.carrier.rawValue), "face": .string(pair.face.rawValue),
      "size": .integer(Int64(pair.size)),
    ]
  }
}

// MARK: - Conversations

extension BenchPresenter {
  mutating func lines(for rows: [CaseRuns<EchoFigure>]) -> [OutputLine] {
    for row in rows where row.isDisturbed {
      doubt("others kept the processors busy while \(row.pair.name) was run")
    }
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

// MARK: - Loss and scale

extension BenchPresenter {
  mutating func lines(for cells: [LossCell], _ options: LossOptions) -> [OutputLine] {
    for cell in cells where !cell.isTrustworthy {
      doubt(
        "the wire was \(fixedPoint(cell.lateness / 1_000, places: 1)) ms late (p99) or dropped "
          + "\(cell.drops) packets of \(cell.row.name) by itself")
    }
    guard !printsJSON else { return cells.map { out(json($0)) } }
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
        + "\(plan.size) bytes, \(options.impairment) each way, seeds 1 to \(options.seeds.count); "
        + "from the scheduled sending to the delivery", table)
  }

  private func percent(_ share: Double, places: Int) -> String {
    fixedPoint(share * 100, places: places) + " %"
  }

  private func json(_ cell: LossCell) -> JSONObject {
    var latencies = cell.latencies
    func milliseconds(_ percent: Double) -> JSONValue {
      .decimal((latencies.percentile(percent) ?? .nan) / 1e6, places: 2)
    }
    return [
      "v": 1, "type": "loss", "case": .string(cell.row.name), "title": .string(cell.row.title),
      "face": .string(cell.row.face.rawValue), "loss": .decimal(cell.loss, places: 4),
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
