import Primitives

extension Impairment: CustomStringConvertible {
  /// The text form that ``init(parsing:)`` reads: what is zero is left out, and a link that does
  /// nothing is `none`. Equal values print alike, and reading what was printed gives the value.
  public var description: String {
    var parts: [String] = []
    for key in ImpairmentKey.allCases {
      guard let value = printedValue(of: key) else { continue }
      parts.append("\(key.rawValue)=\(value)")
    }
    return parts.isEmpty ? "none" : parts.joined(separator: ",")
  }

  private func printedValue(of key: ImpairmentKey) -> String? {
    switch key {
    case .loss: loss == 0 ? nil : percentage(loss)
    case .burst: burst == .zero ? nil : text(burst)
    case .delay: delay == .zero ? nil : text(delay)
    case .jitter: jitter == .zero ? nil : text(jitter)
    case .rate: rate == 0 ? nil : bitRate(rate)
    case .queue: queue.map { text($0) }
    case .duplicate: duplicate == 0 ? nil : percentage(duplicate)
    case .reorder: reorder == 0 ? nil : percentage(reorder)
    case .seed: seed.map { String($0) }
    }
  }
}

extension ImpairmentSetting: CustomStringConvertible {
  /// The text form that ``init(parsing:)`` reads, in its shortest form.
  public var description: String {
    if outgoing == incoming { return outgoing == .none ? "none" : "both:\(outgoing)" }
    if incoming == .none { return "\(outgoing)" }
    return outgoing == .none ? "in:\(incoming)" : "\(outgoing),in:\(incoming)"
  }
}
