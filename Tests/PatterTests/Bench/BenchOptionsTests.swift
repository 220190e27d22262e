import Benchmarks
import ChatTransport
import NetworkEmulator
import Primitives
import Testing
import Workloads

@testable import patter

struct BenchOptionsTests {
  private func report(_ words: String...) throws -> BenchOptions {
    guard case .bench(.report(let options)) = try Invocation(["bench"] + words) else {
      throw UsageError.conflict("\(words) reports nothing")
    }
    return options
  }

  @Test func measuresAllButLossByItself() throws {
    let options = try report()
    #expect(options.kinds == [.throughput, .latency, .scale])
    #expect(options.pairs.runs == 5 && !options.printsJSON)
  }

  @Test func takesItsOptionsWithAndWithoutACommand() throws {
    #expect(try report("--json", "--runs", "7").pairs.runs == 7)
    let options = try report(
      "throughput", "--json", "--secs", "500ms", "--only", "udp-64", "--only", "tcp-64-64")
    #expect(options.printsJSON && options.kinds == [.throughput])
    #expect(options.pairs.duration == .milliseconds(500))
    #expect(options.pairs.only == ["udp-64", "tcp-64-64"])
  }

  @Test func wantsTheOptionsBehindTheCommand() {
    #expect(throws: UsageFailure.self) { try report("--json", "latency") }
  }

  @Test func readsTheOptionsOfLoss() throws {
    let options = try report(
      "loss", "--loss", "0,2.5", "--runs", "3", "--row", "udp", "--impair", "delay=1ms", "--jobs",
      "1", "--flows", "5", "--hz", "2", "--secs", "9", "--warm", "1.5")
    #expect(options.loss.losses == [0, 0.025] && options.loss.seeds == [1, 2, 3])
    #expect(options.loss.rows == ["udp"] && options.loss.impairment == "delay=1ms")
    #expect(options.loss.plan == StreamPlan(flows: 5, rate: 2, seconds: 9, warmUp: 1.5))
    #expect(try report("loss").loss == LossOptions())
  }

  @Test func aConditionSaysWhatIsSentAndHowItIsLost() throws {
    let bursts = try report("loss", "--condition", "burst").loss
    #expect(bursts.losses == [0.1] && bursts.impairment == "burst=50ms,delay=25ms")
    let chat = try report("loss", "--condition", "lan-chat", "--loss", "2", "--hz", "1").loss
    #expect(chat.losses == [0.02] && chat.impairment == "delay=1ms")
    #expect(chat.plan == StreamPlan(flows: 100, rate: 1, seconds: 36, warmUp: 6))
    for condition in LossCondition.allCases {
      #expect(try Impairment(parsing: condition.impairment).loss == 0)
      #expect(try report("loss", "--condition", condition.rawValue).loss.condition == condition)
    }
  }

  @Test func readsTheOptionsOfFairness() throws {
    let options = try report(
      "fairness", "--rate", "5,0.5", "--secs", "7", "--runs", "2", "--only", "cubic+patter",
      "--impair", "delay=1ms", "--jobs", "3")
    let wanted = FairnessOptions(
      impairment: "delay=1ms", rates: [5_000_000, 500_000], seconds: 7, seeds: [1, 2], jobs: 3,
      cases: ["cubic+patter"])
    #expect(options.kinds == [.fairness] && options.fairness == wanted)
    #expect(try report("fairness", "--runs", "1").fairness == FairnessOptions())
  }

  @Test func readsTheEndsOfAFloodOverTCP() throws {
    let invocation = try Invocation([
      "bench", "flood-server", "--carrier", "tcp", "--congestion", "cubic", "--warm", "3s",
    ])
    guard case .bench(.flood(let program, .server)) = invocation else {
      Issue.record("\(invocation)")
      return
    }
    #expect(program.carrier == .tcp && program.congestion == "cubic")
    #expect(program.plan.warmUp == .seconds(3))
  }

  @Test func aWireHasPairsOfPrograms() throws {
    let words = ["a", "::", "b", "-c", "::", "d", "::", "e"]
    guard case .bench(.wire(let program)) = try Invocation(["bench", "wire", "--"] + words) else {
      Issue.record("no wire")
      return
    }
    let wanted = [
      WireProgram.Pair(server: ["a"], client: ["b", "-c"]),
      WireProgram.Pair(server: ["d"], client: ["e"]),
    ]
    #expect(program.pairs == wanted)
    #expect(throws: UsageFailure.self) {
      try Invocation(["bench", "wire", "--", "a", "::", "b", "::", "c"])
    }
  }

  @Test(arguments: [
    ["throughput", "--runs", "0"], ["loss", "--loss", "101"], ["loss", "--loss", ""],
    ["loss", "--secs", "3", "--warm", "3"], ["stream-server", "--size", "15"],
    ["stream-server", "--trace", "FILE", "--carrier", "udp"],
    ["flood-client", "--trace", "FILE", "--face", "async"], ["loss", "--condition", "bad"],
    ["fairness", "--rate", "0"], ["flood-client", "--congestion", "cubic"],
    ["flood-client", "--carrier", "udp"],
    ["stream-server", "--congestion", "cubic"], ["flood-client", "--face", "window"],
    ["stream-client", "--redundancy", "maybe"], ["nothing"],
  ])
  func refusesWhatMakesNoSense(_ words: [String]) {
    #expect(throws: UsageFailure.self) { try Invocation(["bench"] + words) }
  }

  @Test func readsTheEndsOfAStream() throws {
    let invocation = try Invocation([
      "bench", "stream-server", "--flows", "40", "--hz", "60", "--secs", "15", "--warm", "3",
      "--ip", "10.77.0.2", "--port", "9001", "--delivery", "reliable", "--redundancy",
      "adaptive:250", "--copies", "2", "--spacing", "3ms",
    ])
    var settings = PatterSettings()
    settings.delivery = .reliable
    settings.redundancy = .adaptive(byteBudget: 250)
    settings.copies = 2
    settings.spacing = .milliseconds(3)
    let program = StreamProgram(
      plan: StreamPlan(flows: 40, rate: 60, seconds: 15, warmUp: 3), carrier: .patter,
      address: SocketAddress(ip: IPAddress(10, 77, 0, 2), port: 9001), settings: settings)
    #expect(invocation == .bench(.stream(program, .server)))
  }

  @Test func readsTheEndsOfAFlood() throws {
    let invocation = try Invocation([
      "bench", "flood-client", "--size", "1200", "--secs", "1s", "--face", "async", "--delivery",
      "unreliable", "--batch", "8",
    ])
    guard case .bench(.flood(let program, .client)) = invocation else {
      Issue.record("\(invocation)")
      return
    }
    #expect(program.face == .asynchronous && program.plan.batch == 8 && program.plan.size == 1200)
    #expect(program.plan.options.delivery == .unreliable)
  }

  @Test func hidesWhatIsForItselfAlone() {
    let command = BenchOptions.command
    let help = HelpText(of: CommandPath(root: command)).lines.joined(separator: "\n")
    #expect(!help.contains("  wire") && !help.contains("  floor"))
    #expect(help.contains("  stream-server") && help.contains("[COMMAND]"))
  }
}
