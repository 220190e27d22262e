import ChatTransport
import Primitives
import Testing

@testable import patter

struct InvocationTests {
  private func answer(_ words: String...) throws -> Invocation.Answer {
    guard case .answer(let answer) = try Invocation(words) else {
      throw UsageError.conflict("\(words) does not only print")
    }
    return answer
  }

  @Test func startsAChatWithTheDefaults() throws {
    #expect(try Invocation(["chat"]) == .chat(ChatOptions()))
    let options = ChatOptions()
    #expect(options.network.room == "lan" && options.network.port == 28420)
    #expect(options.delivery == .reliable && options.usesDiscovery && options.name == nil)
  }

  @Test func readsEveryOptionOfChat() throws {
    let invocation = try Invocation([
      "chat", "--name", "Luke", "--room=games", "--connect", "192.0.2.7", "--connect",
      "[fe80::1%eth0]:4000", "--no-discovery", "--interface", "eth0", "--interface", "wlan0",
      "--group", "239.255.1.2", "--group", "ff12::1", "--port", "4000", "--delivery",
      "unreliable", "--impair", "loss=20%", "--identity", "/tmp/id", "--trace",
      "/tmp/trace", "--json",
    ])
    let network = NetworkOptions(
      room: "games", connect: ["192.0.2.7", "[fe80::1%eth0]:4000"],
      interfaces: ["eth0", "wlan0"],
      groups: [IPAddress(239, 255, 1, 2), IPAddress(ipv6High: 0xFF12 << 48, low: 1)], port: 4000)
    #expect(
      invocation
        == .chat(
          ChatOptions(
            name: "Luke", network: network, usesDiscovery: false, delivery: .unreliable,
            impairment: "loss=20%", identityFile: "/tmp/id", traceFile: "/tmp/trace",
            printsJSON: true)))
  }

  @Test func startsWhoWithTheDefaults() throws {
    #expect(try Invocation(["who"]) == .who(WhoOptions()))
    #expect(WhoOptions().wait == .seconds(3))
  }

  @Test func readsEveryOptionOfWho() throws {
    let invocation = try Invocation([
      "who", "-w", "500ms", "-r", "games", "--interface", "eth0", "--group", "ff12::1", "--port",
      "9", "--connect", "host", "--json",
    ])
    let network = NetworkOptions(
      room: "games", connect: ["host"], interfaces: ["eth0"],
      groups: [IPAddress(ipv6High: 0xFF12 << 48, low: 1)], port: 9)
    #expect(
      invocation
        == .who(WhoOptions(wait: .milliseconds(500), network: network, printsJSON: true)))
  }

  @Test func readsEveryOptionOfSimulate() throws {
    #expect(try Invocation(["simulate"]) == .simulate(SimulateOptions(seed: 1, count: 1)))
    #expect(
      try Invocation(["simulate", "--seed", "4711", "--count", "9", "-v"])
        == .simulate(SimulateOptions(seed: 4_711, count: 9, isVerbose: true)))
    let commit = "00000000000000ff" + String(repeating: "a", count: 24)
    #expect(
      try Invocation(["simulate", "--seed", commit, "--seconds", "120"])
        == .simulate(SimulateOptions(seed: 255, seconds: 120)))
  }

  @Test(arguments: [
    ["chat", "--delivery", "ordered"], ["chat", "--delivery", "sequenced"],
    ["chat", "--group", "239.1.1.1", "--group", "239.1.1.2"],
    ["chat", "--group", "ff12::1", "--group", "239.1.1.1", "--group", "ff12::2"],
    ["chat", "--group", "192.0.2.1"], ["chat", "--port", "0"], ["chat", "--room", ""],
    ["chat", "--name", ""], ["chat", "--name", "a", "--name", "b"], ["chat", "hello"],
    ["chat", "--"] + ["hello"], ["who", "--wait", "3"], ["who", "--delivery", "reliable"],
    ["who", "me"], ["simulate", "--seed", "-1"], ["simulate", "--seed", "1e3"],
    ["simulate", "--count", "0"], ["simulate", "--count", "1", "--seconds", "1"],
  ])
  func refuses(words: [String]) throws {
    let failure = try #require(throws: UsageFailure.self) { try Invocation(words) }
    #expect(failure.command == "patter \(words[0])")
    #expect(failure.lines.count == 1)
  }

  @Test func suggestsTheCommandThatWasMeant() {
    let error = UsageError.unknownCommand("caht", suggestion: "chat")
    #expect(throws: UsageFailure(command: "patter", error: error)) { try Invocation(["caht"]) }
    #expect(throws: UsageFailure(command: "patter help", error: error)) {
      try Invocation(["help", "caht"])
    }
  }

  @Test func printsHelpOnStandardErrorWhereNothingWasAsked() throws {
    let answer = try answer()
    #expect(answer.exitCode == .usage)
    #expect(answer.lines.allSatisfy { $0.stream == .standardError })
    #expect(answer.lines.map(\.text) == HelpText(of: CommandPath(root: CommandTable.root)).lines)
  }

  @Test(arguments: [["chat", "--help"], ["chat", "--port", "9", "-h"], ["help", "chat"]])
  func printsTheHelpOfACommandOnStandardOutput(words: [String]) throws {
    guard case .answer(let answer) = try Invocation(words) else {
      Issue.record("\(words) does not only print")
      return
    }
    #expect(answer.exitCode == .done)
    #expect(answer.lines.allSatisfy { $0.stream == .standardOutput })
    #expect(answer.lines.contains { $0.text == "usage: patter chat [OPTIONS]" })
  }

  @Test func helpAloneExplainsTheProgram() throws {
    #expect(try answer("help") == answer("--help"))
  }

  @Test func printsTheVersion() throws {
    let expected = Invocation.Answer(lines: [.out("patter 0.1.0")], exitCode: .done)
    #expect(try answer("--version") == expected)
  }
}
