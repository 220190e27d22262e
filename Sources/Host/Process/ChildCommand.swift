import CSockets

/// A program to be started as a child, which is killed where this process dies.
public struct ChildCommand: Hashable, Sendable {
  /// The program, searched in PATH where it has no slash, and its arguments.
  public var words: [String]
  /// Whether what it writes to standard output is taken in; else it goes where ours goes.
  public var capturesOutput: Bool
  /// A descriptor that it finds under `ChildCommand.sharedDescriptor`.
  public var shared: Int32?
  /// A descriptor of the network namespace in which it starts.
  public var network: Int32?

  public init(
    _ words: [String], capturesOutput: Bool = true, shared: Int32? = nil, network: Int32? = nil
  ) {
    precondition(!words.isEmpty, "a command has a program")
    self.words = words
    self.capturesOutput = capturesOutput
    self.shared = shared
    self.network = network
  }

  /// The number under which a child finds what it was handed.
  public static let sharedDescriptor = Int32(PATTER_SHARED_DESCRIPTOR)
}

/// How a child ended.
public struct ChildOutcome: Hashable, Sendable {
  /// Its exit code; 128 and more after a signal.
  public var exitCode: Int32
  /// What it wrote to standard output, where that was taken in.
  public var output: String
  /// Whether it was killed because its time was over.
  public var ranOutOfTime: Bool
}
