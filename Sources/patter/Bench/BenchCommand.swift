import Benchmarks
import Host
import KernelWire
import Workloads

/// `patter bench`: measures, and runs the ends of what is measured.
enum BenchCommand {
  static func run(_ task: BenchTask, output: Output) -> ExitCode {
    do throws(BenchmarkError) {
      switch task {
      case .report(let options): return try report(options, output)
      case .flood(let program, let role):
        output.write([.out(role == .server ? try program.serve() : try program.dial())])
      case .echo(let program, let role):
        output.write([.out(role == .server ? try program.serve() : try program.dial())])
      case .stream(let program, .server): output.write(try program.serve().map(OutputLine.out))
      case .stream(let program, .client): try program.dial()
      case .floor(let program): return run(program, output)
      case .wire(let program): return run(program, output)
      case .forgery(let program): output.write([.out(try program.run())])
      }
      return .done
    } catch {
      switch error {
      case .unusable(let words): return output.report(.network(words), by: "patter bench")
      case .failed: return output.report(.internal("\(error)"), by: "patter bench")
      }
    }
  }

  private static func run(_ program: FloorProgram, _ output: Output) -> ExitCode {
    do {
      output.write([.out(try program.run())])
      return .done
    } catch {
      return output.report(.internal("\(error)"), by: "patter bench floor")
    }
  }

  /// What went wrong is told in a line for whoever started it.
  private static func run(_ program: WireProgram, _ output: Output) -> ExitCode {
    do throws(WireError) {
      let result = try program.run()
      output.write([.out(result.line)])
      return result.code == 0 ? .done : .internalError
    } catch {
      let object: JSONObject = ["role": "wire", "error": .string("\(error)")]
      output.write([.out(object.line)])
      return .networkUnusable
    }
  }

  // MARK: Reports

  private static func report(
    _ options: BenchOptions, _ output: Output
  ) throws(BenchmarkError) -> ExitCode {
    var presenter = BenchPresenter(printsJSON: options.printsJSON)
    let showsProgress = Terminal.isTerminal(2)
    let progress = { (words: String) in
      if showsProgress { output.write([.error("patter bench: \(words)")]) }
    }
    output.write(presenter.lines(for: MachineDescription(), options))
    for kind in options.kinds {
      switch kind {
      case .throughput:
        let rows = try PairBenchmark.floods(options.pairs, progress: progress)
        output.write(presenter.lines(for: rows))
      case .latency:
        let rows = try PairBenchmark.echoes(options.pairs, progress: progress)
        output.write(presenter.lines(for: rows))
      case .loss:
        let cells = try LossBenchmark.run(options.loss, progress: progress)
        output.write(presenter.lines(for: cells, options.loss))
      case .fairness:
        let cells = try FairnessBenchmark.run(options.fairness, progress: progress)
        output.write(presenter.lines(for: cells, options.fairness))
      case .scale:
        let figure = try ScaleBenchmark.run(
          connections: options.connections, messages: 2_000, progress: progress)
        output.write(presenter.lines(for: figure))
      }
    }
    output.write(presenter.verdict())
    return presenter.doubts.isEmpty ? .done : .untrustworthy
  }
}
