import Primitives
import Simulation
import SocketDriver

/// `patter simulate`: runs the protocol in virtual time.
enum SimulateCommand {
  static func run(_ options: SimulateOptions, output: Output) -> ExitCode {
    let start = SystemClock.now()
    let end = options.seconds.map { start + .seconds(Int64($0)) }
    var presenter = SimulatePresenter()
    var seed = options.seed
    while true {
      // A machine that traps cannot say under which seed it did.
      if presenter.count % 100 == 0 { output.write([.error("seeds from \(seed)")]) }
      let trace = options.isVerbose ? { (line: String) in output.write([.out(line)]) } : nil
      let outcome = SimulationRun(seed: seed, trace: trace).run()
      output.write(presenter.take(outcome))
      let isOver = end.map { SystemClock.now() >= $0 } ?? (presenter.count == options.count)
      if isOver || output.state == .gone { break }
      seed &+= 1
    }
    output.write([.out(presenter.summary(after: SystemClock.now() - start))])
    return presenter.failureCount == 0 ? .done : .internalError
  }
}
