/// The keys of the text form, in the order in which they are printed.
enum ImpairmentKey: String, CaseIterable {
  case loss, burst, delay, jitter, rate, queue, duplicate, reorder, seed

  var example: String {
    switch self {
    case .loss: "loss=20%"
    case .burst: "burst=50ms"
    case .delay: "delay=40ms"
    case .jitter: "jitter=10ms"
    case .rate: "rate=10mbit"
    case .queue: "queue=50ms"
    case .duplicate: "duplicate=1%"
    case .reorder: "reorder=2%"
    case .seed: "seed=7"
    }
  }

  /// All keys, for a person to read.
  static var list: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
  }
}
