import CBenchmarks
public import Primitives

/// How pairs are run.
public struct PairOptions: Hashable, Sendable {
  /// How often each case is run.
  public var runs: Int
  /// How long a flood is measured.
  public var duration: Interval
  /// How many round trips of a conversation are measured.
  public var roundTrips: Int
  /// The names of the cases to run; all where it is empty.
  public var only: [String]

  public init(
    runs: Int = 5, duration: Interval = .seconds(2), roundTrips: Int = 20_000,
    only: [String] = []
  ) {
    precondition(runs > 0, "a benchmark is run at least once")
    self.runs = runs
    self.duration = duration
    self.roundTrips = roundTrips
    self.only = only
  }
}

/// Floods and conversations between two processes on this machine, over loopback.
public enum PairBenchmark {
  /// Figures stand in ratio to those of this case, where it was run.
  public static func reference(for pair: PairCase) -> String? {
    let name =
      pair.name.contains("echo")
      ? (pair.name.hasSuffix("busy") ? "udp-echo-busy" : "udp-echo-epoll")
      : (pair.size == 64 ? "tcp-64-64" : "tcp-1200-16")
    return pair.name == name ? nil : name
  }

  public static func floods(
    _ options: PairOptions, progress: (String) -> Void
  ) throws(BenchmarkError) -> [CaseRuns<FloodFigure>] {
    let cases = try chosen(floodCases(options), options)
    return try interleave(cases, runs: options.runs, progress: progress) {
      pair throws(BenchmarkError) in
      let lines = try pair.run(limit: options.duration + .seconds(20))
      guard let figure = FloodFigure(server: lines.server, client: lines.client) else {
        throw .failed(pair.name, "its ends told no figures")
      }
      return figure
    }
  }

  public static func echoes(
    _ options: PairOptions, progress: (String) -> Void
  ) throws(BenchmarkError) -> [CaseRuns<EchoFigure>] {
    let cases = try chosen(echoCases(options), options)
    return try interleave(cases, runs: options.runs, progress: progress) {
      pair throws(BenchmarkError) in
      let lines = try pair.run(limit: .seconds(60))
      guard let figure = EchoFigure(client: lines.client) else {
        throw .failed(pair.name, "its ends told no figures")
      }
      return figure
    }
  }

  private static func chosen(
    _ cases: [PairCase], _ options: PairOptions
  ) throws(BenchmarkError) -> [PairCase] {
    guard !options.only.isEmpty else { return cases }
    for name in options.only where !cases.contains(where: { $0.name == name }) {
      let names = cases.map(\.name).joined(separator: ", ")
      throw .unusable("there is no case \(name); there are \(names)")
    }
    return cases.filter { options.only.contains($0.name) }
  }

  // MARK: The cases

  private static func floodCases(_ options: PairOptions) -> [PairCase] {
    FloorCase.small.map { pair($0, options) }
      + PairCase.Face.ofPatter.map { flood("patter-64", size: 64, batch: 64, $0, options) }
      + FloorCase.large.map { pair($0, options) }
      + PairCase.Face.ofPatter.map { flood("patter-1200", size: 1_200, batch: 16, $0, options) }
  }

  private static func echoCases(_ options: PairOptions) -> [PairCase] {
    FloorCase.echoes.map { pair($0, options) } + [
      echo("epoll", [], options), echo("busy", ["--busy"], options),
      echo("epoll", ["--face", "async"], options),
    ]
  }

  private static func pair(_ floor: FloorCase, _ options: PairOptions) -> PairCase {
    func words(_ role: String) -> [String] {
      [
        "floor", floor.name, role, "--secs", "\(options.duration.nanoseconds / 1_000_000)ms",
        "--count", "\(options.roundTrips)",
      ]
    }
    return PairCase(
      name: floor.name, title: floor.title, carrier: floor.isTCP ? .tcp : .udp, face: .sockets,
      size: floor.size, server: words("server"), client: words("client"))
  }

  private static func flood(
    _ name: String, size: Int, batch: Int, _ face: PairCase.Face, _ options: PairOptions
  ) -> PairCase {
    let words = [
      "--port", "\(port)", "--size", "\(size)", "--batch", "\(batch)", "--secs",
      "\(options.duration.nanoseconds / 1_000_000)ms", "--face", face.rawValue,
    ]
    return PairCase(
      name: face == .loop ? name : "\(name)-\(face.rawValue)", title: "Patter, ordered",
      carrier: .patter, face: face, size: size,
      server: ["flood-server"] + words, client: ["flood-client"] + words)
  }

  private static func echo(
    _ waiting: String, _ flags: [String], _ options: PairOptions
  ) -> PairCase {
    let words = ["--port", "\(port)", "--count", "\(options.roundTrips)"] + flags
    let face: PairCase.Face = flags.contains("async") ? .asynchronous : .loop
    return PairCase(
      name: "patter-echo-\(waiting)" + (face == .loop ? "" : "-\(face.rawValue)"),
      title: "Patter, ordered, \(waiting)", carrier: .patter, face: face, size: 64,
      server: ["echo-server"] + words, client: ["echo-client"] + words)
  }

  /// Where the ends of the datagram protocol meet on loopback.
  private static let port = 28_463
}
