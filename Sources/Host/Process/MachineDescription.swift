import CSockets
import Glibc
import Primitives

/// The machine that a figure was measured on, as far as the system tells.
public struct MachineDescription: Hashable, Sendable {
  public var processor: String
  /// How many processors this process may use.
  public var processorCount: Int
  public var kernel: String
  /// The congestion control of TCP where a program does not choose; `nil` where it is not known.
  public var congestionControl: String?
  /// Those that any program may choose.
  public var congestionControls: [String]
  /// What this program was built by.
  public var toolchain: String

  public init() {
    let model = TextFile.read("/proc/cpuinfo")?.split(separator: "\n")
      .first { $0.hasPrefix("model name") }?.split(separator: ":").last
    processor = model.map { String($0.drop { $0 == " " }) } ?? "unknown processor"
    processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    kernel =
      Self.words(of: "/proc/sys/kernel/ostype") + " "
      + Self.words(of: "/proc/sys/kernel/osrelease")
    let settings = "/proc/sys/net/ipv4/tcp_"
    congestionControl = Self.list("\(settings)congestion_control").first
    congestionControls = Self.list("\(settings)available_congestion_control")
    toolchain = Self.compiler
  }

  private static func words(of path: String) -> String { list(path).joined(separator: " ") }

  private static func list(_ path: String) -> [String] {
    (TextFile.read(path) ?? "").split { $0 == " " || $0 == "\n" }.map(String.init)
  }

  private static var compiler: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #else
      "Swift 6.2"
    #endif
  }
}

/// How busy the machine was with the work of others, to tell whether a measurement can be trusted.
public struct ProcessorLoad: Hashable, Sendable {
  /// Processor time since the start that all programs together used, in nanoseconds.
  private var all: UInt64
  /// That of this process and of its children that have ended.
  private var own: UInt64

  /// What has been used by now; `nil` where the system does not tell.
  public init?() {
    guard let line = TextFile.read("/proc/stat")?.split(separator: "\n").first else { return nil }
    // user, nice, system, idle, iowait, irq, softirq, steal
    let fields = line.split(separator: " ").dropFirst().compactMap { UInt64($0) }
    guard fields.count >= 8 else { return nil }
    let ticks = fields[0] + fields[1] + fields[2] + fields[5] + fields[6] + fields[7]
    all = ticks * (1_000_000_000 / UInt64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
    own = patter_processor_time_of_all()
  }

  /// How many processors others kept busy since `earlier`, which was `elapsed` nanoseconds ago.
  public func othersShare(since earlier: ProcessorLoad, elapsed: UInt64) -> Double {
    guard elapsed > 0 else { return 0 }
    let others = Double(all &- earlier.all) - Double(own &- earlier.own)
    return max(0, others) / Double(elapsed)
  }
}
