// swift-tools-version: 6.2
import PackageDescription

/// Whether libFuzzer is built in, for `swift build --product fuzz`: FUZZ=1, or FUZZ=address for
/// AddressSanitizer as well.
let fuzzer = Context.environment["FUZZ"].map { $0 == "address" ? "fuzzer,address" : "fuzzer" }

/// What counts the branches that an input takes.
let instrumentation: [SwiftSetting] =
  fuzzer.map { [.unsafeFlags(["-sanitize=\($0)"])] } ?? []

/// Whether only the tests of what has threads are built: TESTS=threads, for ThreadSanitizer, under
/// which the others would take minutes and find nothing.
let hasOnlyThreads = Context.environment["TESTS"] == "threads"
let testsWithThreads = [
  "SocketDriverTests", "HostTests", "UDPTransportTests", "KernelWireTests", "WorkloadsTests",
  "BenchmarksTests", "PatterTests",
]

/// Settings shared by every Swift target: no warning is let through, every use of unsafe memory is
/// marked, and what a module imports for itself is not shown to those who import it.
let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + instrumentation

/// Tests reach into modules and write to no memory of their own: the marks would only be noise.
let testSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

func module(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: testSettings)
}

let package = Package(
  name: "patter",
  products: [
    .library(
      name: "Patter",
      targets: [
        "Primitives", "ChatCodec", "ChatTransport", "DatagramPeer", "Qlog", "PeerDiscovery",
        "ChatRoom", "NetworkEmulator", "SocketDriver", "UDPTransport",
      ]),
    .executable(name: "patter", targets: ["patter"]),
  ],
  targets: [
    // The pure zone: no clock, no socket, no file, no environment, no global randomness.
    module("Primitives"),
    module("ChatCodec"),
    module("ChatTransport", "Primitives"),
    module("DatagramPeer", "Primitives", "ChatTransport"),
    module("Qlog", "Primitives", "ChatTransport", "DatagramPeer"),
    module("PeerDiscovery", "Primitives", "ChatCodec", "ChatTransport", "DatagramPeer"),
    module("ChatRoom", "Primitives", "ChatCodec", "ChatTransport"),
    module("NetworkEmulator", "Primitives"),
    module("Workloads", "Primitives", "ChatTransport"),
    module("Simulation", "Primitives", "ChatTransport", "DatagramPeer", "NetworkEmulator"),

    module(
      "FuzzTargets", "Primitives", "ChatCodec", "ChatRoom", "DatagramPeer", "NetworkEmulator",
      "PeerDiscovery", "Simulation"),

    // The I/O zone.
    .target(
      name: "CSockets",
      cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]),
    module("SocketDriver", "CSockets", "Primitives"),
    module("Host", "CSockets", "Primitives"),
    module(
      "UDPTransport", "Primitives", "ChatTransport", "DatagramPeer", "Qlog", "PeerDiscovery",
      "NetworkEmulator", "SocketDriver"),

    module(
      "KernelWire", "CSockets", "Primitives", "NetworkEmulator", "SocketDriver", "Host"),

    // The uses.
    .target(
      name: "CBenchmarks",
      cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]),
    module(
      "Benchmarks", "CBenchmarks", "Primitives", "ChatTransport", "DatagramPeer", "NetworkEmulator",
      "PeerDiscovery", "Workloads", "SocketDriver", "Host", "KernelWire", "UDPTransport"),
    .executableTarget(
      name: "patter",
      dependencies: [
        "Primitives", "ChatCodec", "ChatTransport", "DatagramPeer", "PeerDiscovery", "ChatRoom",
        "NetworkEmulator", "Workloads", "Simulation", "SocketDriver", "Host", "UDPTransport",
        "KernelWire", "Benchmarks",
      ],
      swiftSettings: settings),

    tests("PrimitivesTests", "Primitives"),
    tests("ChatCodecTests", "ChatCodec"),
    tests("ChatTransportTests", "ChatTransport", "Primitives"),
    tests("DatagramPeerTests", "DatagramPeer", "ChatTransport", "Primitives", "NetworkEmulator"),
    tests("QlogTests", "Qlog", "DatagramPeer", "ChatTransport", "Primitives"),
    tests("PeerDiscoveryTests", "PeerDiscovery", "DatagramPeer", "ChatTransport", "Primitives"),
    tests("ChatRoomTests", "ChatRoom", "ChatCodec", "ChatTransport", "Primitives"),
    tests("NetworkEmulatorTests", "NetworkEmulator", "Primitives"),
    tests("WorkloadsTests", "Workloads", "ChatTransport", "Primitives"),
    tests("KernelWireTests", "KernelWire", "NetworkEmulator", "Primitives"),
    tests("BenchmarksTests", "Benchmarks", "Workloads", "Primitives"),
    tests("SocketDriverTests", "SocketDriver", "Primitives"),
    tests("HostTests", "Host", "Primitives"),
    tests(
      "SimulationTests", "Primitives", "ChatTransport", "DatagramPeer", "PeerDiscovery",
      "ChatRoom", "NetworkEmulator", "Simulation", "FuzzTargets"),
    tests(
      "UDPTransportTests", "UDPTransport", "SocketDriver", "ChatRoom", "ChatTransport",
      "DatagramPeer", "PeerDiscovery", "NetworkEmulator", "Primitives"),
    tests(
      "PatterTests", "patter", "Benchmarks", "Workloads", "Simulation", "DatagramPeer",
      "ChatTransport", "Primitives"),
    tests("RepositoryTests"),
  ]
)

if hasOnlyThreads {
  package.targets.removeAll { $0.type == .test && !testsWithThreads.contains($0.name) }
}

if let fuzzer {
  package.products.append(.executable(name: "fuzz", targets: ["fuzz"]))
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzTargets"], swiftSettings: settings,
      // gold dies under AddressSanitizer.
      linkerSettings: [.unsafeFlags(["-sanitize=\(fuzzer)", "-use-ld=lld"])]))
}
