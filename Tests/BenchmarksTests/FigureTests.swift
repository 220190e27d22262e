import ChatTransport
import DatagramPeer
import Primitives
import Testing
import Workloads

@testable import Benchmarks

struct FigureTests {
  private func row(_ rates: [Double], disturbances: [Double] = []) -> CaseRuns<Double> {
    let pair = PairCase(
      name: "x", title: "x", carrier: .udp, face: .sockets, size: 64, server: [], client: [])
    return CaseRuns(pair: pair, figures: rates, disturbances: disturbances)
  }

  private func json(_ text: String) throws -> FlatJSON {
    try #require(FlatJSON(text))
  }

  @Test func takesTheMedianAndTheRangeOfRuns() {
    let row = row([5, 1, 9, 3, 7])
    #expect(row.median { $0 } == 5)
    #expect(row.range { $0 } == 1...9)
  }

  @Test func isDisturbedWhereMostRunsWere() {
    #expect(!row([1], disturbances: [0, 0.1, 1, 0, 0.2]).isDisturbed)
    #expect(row([1], disturbances: [1, 1, 0, 1, 0]).isDisturbed)
    #expect(!row([1]).isDisturbed)
  }

  @Test func readsAFloodFromWhatItsEndsTold() throws {
    let server = FloodReport(
      role: "server", messages: 1_000, elapsed: .milliseconds(500),
      processorTime: .microseconds(40), lost: 0, outOfSequence: 2)
    let client = FloodReport(
      role: "client", messages: 2_000, elapsed: .milliseconds(500),
      processorTime: .microseconds(100), lost: 20, outOfSequence: 0, congestion: "cubic")
    let lines = (server: try json(server.line), client: try json(client.line))
    let figure = try #require(FloodFigure(server: lines.server, client: lines.client))
    #expect(figure.rate == 2_000)
    #expect(figure.receiverTime == 40 && figure.senderTime == 50)
    #expect(figure.loss == 0.01 && figure.outOfSequence == 2 && figure.congestion == "cubic")
  }

  @Test func readsAConversation() throws {
    let report = EchoReport(Samples([3_000, 1_000, 2_000]))
    let client = try json(report.line)
    let figure = try #require(EchoFigure(client: client))
    #expect(figure.p50 == 2 && figure.p99 == 2.98)
  }

  @Test func namesEveryFloorOnce() {
    let names = FloorCase.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { FloorCase.named($0)?.name == $0 })
    #expect(FloorCase.named("nothing") == nil)
  }

  @Test func poolsTheRunsOfACell() throws {
    let row = try #require(LossRow.standard(congestionControls: []).first)
    var cell = LossCell(row: row, loss: 0.1)
    let plan = StreamPlan(flows: 2, rate: 10, seconds: 1, warmUp: 0.5)
    let server = try json(#"{"role":"server","expected":10,"got":2,"dup":1,"ooo":3}"#)
    let wire = try json(#"{"bytes":1000,"late_p99_us":150,"queue_drops":0}"#)
    cell.add(samples: [25_000, 26_000], server: server, wire: wire, plan: plan)
    cell.add(samples: [27_000], server: server, wire: wire, plan: plan)
    #expect(cell.runs == 2 && cell.latencies.count == 3 && cell.expected == 20)
    #expect(cell.delivered == 0.15 && cell.bytesPerMessage == 50)
    #expect(cell.isTrustworthy && cell.duplicates == 2)
    let late = try json(#"{"bytes":0,"late_p99_us":2500}"#)
    cell.add(samples: [], server: server, wire: late, plan: plan)
    #expect(!cell.isTrustworthy)
  }

  @Test func offersTCPWithTheControlsThatThereAre() {
    let names = LossRow.standard(congestionControls: ["reno", "cubic"]).map(\.name)
    #expect(
      names == ["udp", "tcp-cubic", "patter", "patter-none", "patter-all", "patter-copies"])
  }

  @Test func takesTheSettingsOverIntoTheProtocol() {
    var settings = PatterSettings()
    #expect(settings.configuration.redundancy == .standard)
    settings.redundancy = .all
    settings.copies = 2
    #expect(settings.configuration.redundancy == .all)
    #expect(settings.configuration.earlyCopies.count == 2)
  }
}
