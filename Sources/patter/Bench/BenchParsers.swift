import Benchmarks
import ChatTransport
import DatagramPeer
import NetworkEmulator
import Primitives

extension ValueParser where Value == Int {
  /// A whole number of at least one, up to a million.
  static let count = ValueParser(expected: "a number from 1 to 1000000") { text in
    Int(text).flatMap { (1...1_000_000).contains($0) ? $0 : nil }
  }

  /// Bytes of a message that begins with its number and time.
  static let messageSize = ValueParser(expected: "a size from 16 to 65000 bytes") { text in
    Int(text).flatMap { (16...65_000).contains($0) ? $0 : nil }
  }
}

extension ValueParser where Value == Int {
  static let datagramSize = ValueParser(expected: "a size from 1200 to 65507 bytes") { text in
    Int(text).flatMap { (1_200...65_507).contains($0) ? $0 : nil }
  }
}

extension ValueParser where Value == UInt64 {
  static let seed = ValueParser(expected: "a number below 2^64") { UInt64($0) }
}

extension ValueParser where Value == Double {
  /// Seconds or a rate: above zero, and no more than a day or a million.
  static let positive = ValueParser(expected: "a number above 0, such as 60 or 1.5") { text in
    Double(text).flatMap { $0 > 0 && $0 <= 1_000_000 ? $0 : nil }
  }

  static let notNegative = ValueParser(expected: "a number such as 3 or 1.5") { text in
    Double(text).flatMap { $0 >= 0 && $0 <= 1_000_000 ? $0 : nil }
  }
}

extension ValueParser where Value == [Double] {
  /// Probabilities in percent, with commas between them.
  static let percentages = ValueParser(
    expected: "percentages with commas between them, such as 0,5,10"
  ) { text in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { Double($0) }.filter { $0 >= 0 && $0 <= 100 }
    return values.count == parts.count ? values.map { $0 / 100 } : nil
  }
}

extension ValueParser where Value == [Int] {
  /// Rates in Mbit/s, as bits a second.
  static let megabits = ValueParser(
    expected: "rates in Mbit/s with commas between them, such as 10,20"
  ) { text in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { Double($0) }.filter { $0 >= 0.1 && $0 <= 10_000 }
    return values.count == parts.count ? values.map { Int($0 * 1e6) } : nil
  }
}

extension ValueParser where Value == LossCondition {
  static let condition = choice([
    "iid": .independent, "burst": .bursts, "chat": .chat, "lan-chat": .localChat,
  ])
}

extension ValueParser where Value == IPAddress {
  static let ipv4 = ValueParser(expected: "an IPv4 address such as 127.0.0.1") { text in
    IPAddress(text).flatMap { $0.family == .ipv4 ? $0 : nil }
  }
}

extension ValueParser where Value == Delivery {
  static let anyDelivery = choice([
    "unreliable": .unreliable, "sequenced": .sequenced, "reliable": .reliable,
    "ordered": .ordered,
  ])
}

extension ValueParser where Value == PairCase.Carrier {
  static let carrier = choice(["udp": .udp, "tcp": .tcp, "patter": .patter])
  static let floodCarrier = choice(["tcp": .tcp, "patter": .patter])
}

extension ValueParser where Value == PairCase.Face {
  static let face = choice(["loop": .loop, "thread": .thread, "async": .asynchronous])
}

extension ValueParser where Value == Redundancy {
  static let redundancy = ValueParser(
    expected: "none, all, adaptive, adaptive:BYTES or a number of datagrams"
  ) { text in
    switch text {
    case "none": return Redundancy.none
    case "all": return .all
    case "adaptive": return .standard
    default: break
    }
    if text.hasPrefix("adaptive:") {
      return Int(text.dropFirst(9)).flatMap {
        (1...1_200).contains($0) ? .adaptive(byteBudget: $0) : nil
      }
    }
    return Int(text).flatMap { (1...64).contains($0) ? .upTo($0) : nil }
  }
}

extension ValueParser where Value == Impairment {
  static let impairment = ValueParser(
    expected: "an impairment such as loss=10%,delay=25ms"
  ) { text in
    do throws(ImpairmentSyntaxError) {
      return try Impairment(parsing: text)
    } catch {
      return nil
    }
  }
}
