// Runs libFuzzer on one target: `fuzz TARGET [libFuzzer's options] [CORPUS]`. Built only where FUZZ
// is set in the environment; see Docs/Testing.md.

import FuzzTargets

/// libFuzzer's own entry, as SwiftPM leaves no room for the one that it would bring.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Which target a run is about. libFuzzer's callback can hold nothing.
private nonisolated(unsafe) var target = FuzzTarget.datagram

let name = CommandLine.arguments.dropFirst().first ?? ""
guard let chosen = FuzzTarget(rawValue: name) else {
  fatalError("the first argument is one of \(FuzzTarget.allCases.map(\.rawValue))")
}
unsafe target = chosen

// libFuzzer sees the arguments without the target.
var count = CommandLine.argc - 1
var arguments = unsafe CommandLine.unsafeArgv + 1
unsafe arguments[0] = CommandLine.unsafeArgv[0]
let result = unsafe runDriver(&count, &arguments) { start, count in
  let bytes = unsafe Span(_unsafeElements: UnsafeBufferPointer(start: start, count: count))
  unsafe target.run(bytes)
  return 0
}
if result != 0 { fatalError("libFuzzer ended with \(result)") }
