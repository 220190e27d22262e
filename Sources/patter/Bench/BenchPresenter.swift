import Benchmarks
import Host
import Workloads

/// Turns figures into lines of output: tables for people, or an object a line.
struct BenchPresenter {
  var printsJSON: Bool
  /// What was found wrong with single rows.
  private var findings: [String] = []
  /// The cases during which the machine had other work to do.
  var disturbed: [String] = []

  init(printsJSON: Bool) {
    self.printsJSON = printsJSON
  }

  /// The machine, and how the figures came to be.
  func lines(for machine: MachineDescription, _ options: BenchOptions) -> [OutputLine] {
    let congestion = machine.congestionControl ?? "unknown"
    guard !printsJSON else {
      return [
        out([
          "v": 1, "type": "machine", "processor": .string(machine.processor),
          "processors": .integer(Int64(machine.processorCount)),
          "kernel": .string(machine.kernel), "tcp_congestion": .string(congestion),
          "toolchain": .string(machine.toolchain), "patter": .string(Version.number),
          "runs": .integer(Int64(options.pairs.runs)),
        ])
      ]
    }
    var texts = [
      "\(machine.processor), \(machine.processorCount) processors, \(machine.kernel)",
      "TCP congestion control \(congestion); \(machine.toolchain), patter \(Version.number)",
    ]
    if options.kinds.contains(.throughput) || options.kinds.contains(.latency) {
      texts.append(
        "medians of \(options.pairs.runs) runs in turns, two processes on processors 0 and 1")
    }
    return texts.map { OutputLine.out(TerminalText.line($0)) }
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

  /// Why what was measured cannot be trusted.
  var doubts: [String] {
    guard !disturbed.isEmpty else { return findings }
    let names = disturbed.joined(separator: ", ")
    return findings + ["other programs kept the processors busy during \(names)"]
  }

  mutating func doubt(_ words: String) {
    if !findings.contains(words) { findings.append(words) }
  }

  func out(_ object: JSONObject) -> OutputLine { .out(object.line) }

  func table(_ title: String, _ table: BenchTable) -> [OutputLine] {
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
    if row.isDisturbed { disturbed.append(name) }
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

  func head(_ type: String, _ pair: PairCase) -> JSONObject {
    [
      "v": 1, "type": .string(type), "case": .string(pair.name), "title": .string(pair.title),
      "carrier": .string(pair.carrier.rawValue), "face": .string(pair.face.rawValue),
      "size": .integer(Int64(pair.size)),
    ]
  }
}
