import NetworkEmulator
import Primitives
import Testing

struct ImpairmentTextTests {
  static let impairments: [(String, Impairment)] = [
    ("none", .none),
    ("loss=20%", Impairment(loss: 0.2)),
    ("loss=0.2", Impairment(loss: 0.2)),
    ("loss=100%", Impairment(loss: 1)),
    ("loss=1", Impairment(loss: 1)),
    ("loss=0", .none),
    ("loss=0.07%", Impairment(loss: 0.0007)),
    ("delay=40ms", Impairment(delay: .milliseconds(40))),
    ("delay=250us", Impairment(delay: .microseconds(250))),
    ("delay=1.5s", Impairment(delay: .milliseconds(1_500))),
    ("delay=0.5us", Impairment(delay: .nanoseconds(500))),
    ("delay=0.0014us", Impairment(delay: .nanoseconds(1))),
    ("delay=0.0015us", Impairment(delay: .nanoseconds(2))),
    ("delay=16.6666667ms", Impairment(delay: .nanoseconds(16_666_667))),
    ("delay=3600s", Impairment(delay: .seconds(3_600))),
    ("loss=10%,burst=50ms", Impairment(loss: 0.1, burst: .milliseconds(50))),
    ("rate=10mbit", Impairment(rate: 10_000_000)),
    ("rate=0.5kbit", Impairment(rate: 500)),
    ("rate=0.0005kbit", Impairment(rate: 1)),
    ("rate=1000gbit", Impairment(rate: Impairment.maximumRate)),
    ("rate=0kbit", .none),
    ("rate=1.5mbit,queue=0.05s", Impairment(rate: 1_500_000, queue: .milliseconds(50))),
    ("queue=0s", Impairment(queue: .zero)),
    ("seed=18446744073709551615", Impairment(seed: .max)),
    (
      " loss = 20% , delay=40ms",
      Impairment(loss: 0.2, delay: .milliseconds(40))
    ),
    (
      "seed=7,reorder=2%,duplicate=1%,jitter=10ms,delay=40ms,loss=20%",
      Impairment(
        loss: 0.2, delay: .milliseconds(40), jitter: .milliseconds(10), duplicate: 0.01,
        reorder: 0.02, seed: 7)
    ),
  ]

  @Test(arguments: impairments)
  func parses(text: String, impairment: Impairment) throws {
    #expect(try Impairment(parsing: text) == impairment)
    #expect(try ImpairmentSetting(parsing: text) == ImpairmentSetting(outgoing: impairment))
  }

  static let loss = Impairment(loss: 0.2)
  static let delay = Impairment(delay: .milliseconds(5), seed: 3)
  static let settings: [(String, ImpairmentSetting)] = [
    ("out:loss=20%", ImpairmentSetting(outgoing: loss)),
    ("in:loss=20%", ImpairmentSetting(incoming: loss)),
    ("both:loss=20%", ImpairmentSetting(outgoing: loss, incoming: loss)),
    ("loss=20%,in:delay=5ms,seed=3", ImpairmentSetting(outgoing: loss, incoming: delay)),
    ("in:delay=5ms,seed=3,out:loss=20%", ImpairmentSetting(outgoing: loss, incoming: delay)),
    ("none,in:loss=20%", ImpairmentSetting(incoming: loss)),
    ("both:none", .none),
  ]

  @Test(arguments: settings)
  func parsesDirections(text: String, setting: ImpairmentSetting) throws {
    #expect(try ImpairmentSetting(parsing: text) == setting)
  }

  static let canonical = [
    ("seed=7,loss=0.2", "loss=20%,seed=7"),
    ("duplicate=0.001,jitter=1500us", "jitter=1.5ms,duplicate=0.1%"),
    ("delay=1000us", "delay=1ms"),
    ("delay=0.25s", "delay=250ms"),
    ("delay=1001ms", "delay=1.001s"),
    ("delay=0.0005ms", "delay=0.5us"),
    ("queue=50000us,rate=1500kbit,burst=0.08s", "burst=80ms,rate=1.5mbit,queue=50ms"),
    ("rate=1000kbit", "rate=1mbit"),
    ("rate=0.001kbit", "rate=0.001kbit"),
    ("loss=0%", "none"),
    ("loss=0.0000001%", "loss=0.0000001%"),
    ("out:loss=7%", "loss=7%"),
    ("in:loss=7%", "in:loss=7%"),
    ("in:loss=7%,out:loss=7.0%", "both:loss=7%"),
    ("in:loss=7%,out:loss=8%", "loss=8%,in:loss=7%"),
  ]

  @Test(arguments: canonical)
  func printsCanonically(text: String, printed: String) throws {
    #expect(try "\(ImpairmentSetting(parsing: text))" == printed)
  }

  @Test(arguments: 0..<20)
  func printingAndParsingGivesTheSame(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let setting = ImpairmentSetting(
        outgoing: .random(using: &generator), incoming: .random(using: &generator))
      #expect(try ImpairmentSetting(parsing: "\(setting)") == setting, "\(setting)")
    }
  }
}

extension Impairment {
  fileprivate static func random(using generator: inout SplitMix64) -> Impairment {
    Impairment(
      loss: randomProbability(&generator), burst: randomTime(&generator),
      delay: randomTime(&generator), jitter: randomTime(&generator),
      rate: Int.random(in: 0...Impairment.maximumRate, using: &generator),
      queue: Bool.random(using: &generator) ? randomTime(&generator) : nil,
      duplicate: randomProbability(&generator), reorder: randomProbability(&generator),
      seed: Bool.random(using: &generator) ? generator.next() : nil)
  }
}

/// Round numbers, numbers with all their digits, and very small ones.
private func randomProbability(_ generator: inout SplitMix64) -> Double {
  switch generator.next() % 4 {
  case 0: 0
  case 1: Double(generator.next() % 1_001) / 1_000
  case 2: generator.unitInterval()
  default: generator.unitInterval() * 0x1p-30
  }
}

private func randomTime(_ generator: inout SplitMix64) -> Interval {
  let digits = generator.next() % 13
  let bound = (0..<digits).reduce(Int64(1)) { product, _ in product * 10 }
  return min(
    Interval(nanoseconds: Int64.random(in: 0...bound, using: &generator)), Impairment.maximumTime)
}
