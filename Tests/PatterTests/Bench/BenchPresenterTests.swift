import Testing
import Workloads

@testable import Benchmarks
@testable import patter

struct BenchPresenterTests {
  private func row(
    _ name: String, _ title: String, rate: Double, outOfSequence: Double = 0,
    disturbance: Double = 0
  ) -> CaseRuns<FloodFigure> {
    let server =
      "{\"rate\":\(rate),\"cpu_ns_msg\":20,\"rss_kb\":1024,"
      + "\"out_of_sequence\":\(outOfSequence)}"
    let client = #"{"messages":1000,"cpu_ns_msg":40,"rss_kb":2048,"lost":0}"#
    let figures = [FlatJSON(server)].compactMap { $0 }.compactMap { server in
      FlatJSON(client).flatMap { FloodFigure(server: server, client: $0) }
    }
    let pair = PairCase(
      name: name, title: title, carrier: .tcp, face: .sockets, size: 64, server: [], client: [])
    return CaseRuns(pair: pair, figures: figures, disturbances: [disturbance])
  }

  @Test func printsRatiosWithinTheRun() {
    var presenter = BenchPresenter(printsJSON: false)
    let lines = presenter.lines(for: [
      row("tcp-64-64", "TCP, 64 in a write", rate: 10_000_000),
      row("udp-64", "UDP, a datagram each", rate: 250_000),
    ])
    let wanted = [
      "", "messages of 64 bytes",
      "case                     face  messages/s      min      max  MB/s  ratio  ns sender"
        + "  ns receiver  MiB",
      "TCP, 64 in a write    sockets     10.00 M  10.00 M  10.00 M   640   1.00         40"
        + "           20  2.0",
      "UDP, a datagram each  sockets       250 k    250 k    250 k    16   0.03         40"
        + "           20  2.0",
    ]
    #expect(lines.map(\.text) == wanted)
    #expect(presenter.doubts.isEmpty && presenter.verdict().isEmpty)
  }

  @Test func printsAnObjectForEachRow() {
    var presenter = BenchPresenter(printsJSON: true)
    let lines = presenter.lines(for: [row("udp-64", "UDP", rate: 250_000)])
    let wanted =
      #"{"v":1,"type":"throughput","case":"udp-64","title":"UDP","carrier":"tcp","#
      + #""face":"sockets","size":64,"rate":250000,"rate_min":250000,"rate_max":250000,"#
      + #""ratio":null,"ratio_to":"tcp-64-64","sender_ns":40.0,"receiver_ns":20.0,"#
      + #""sender_kib":2048,"receiver_kib":1024,"tcp_congestion":null}"#
    #expect(lines.map(\.text) == [wanted])
    #expect(
      presenter.verdict().map(\.text)
        == [#"{"v":1,"type":"verdict","trusted":true,"doubts":[]}"#])
  }

  @Test func doubtsWhatWasDisturbedOrOutOfSequence() {
    var presenter = BenchPresenter(printsJSON: false)
    _ = presenter.lines(for: [
      row("a", "a", rate: 1, outOfSequence: 1), row("b", "b", rate: 1, disturbance: 0.5),
      row("c", "c", rate: 1, disturbance: 0.5),
    ])
    #expect(presenter.doubts.count == 2)
    #expect(presenter.verdict().allSatisfy { $0.stream == .standardError })
  }

  @Test func doubtsALateWire() throws {
    var presenter = BenchPresenter(printsJSON: false)
    var cell = LossCell(
      row: try #require(LossRow.standard(congestionControls: []).first), loss: 0.1)
    cell.runs = 1
    cell.lateness = 2_100
    cell.latencies = Samples([25_000_000, 26_000_000])
    cell.expected = 4
    let lines = presenter.lines(for: [cell], LossOptions())
    let text = lines.last?.text ?? ""
    #expect(text.contains("10 %") && text.contains("50.00 %") && text.contains("25.5"))
    #expect(presenter.doubts.count == 1)
  }

  @Test func alignsTheColumnsOfATable() {
    var table = BenchTable(header: ["name", "x"])
    table.append(["a", "1"])
    table.append(["a long one", "100"])
    #expect(table.lines == ["name          x", "a             1", "a long one  100"])
  }
}
