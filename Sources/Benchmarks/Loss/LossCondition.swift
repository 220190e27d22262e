public import Workloads

/// A network and what is sent over it: values of ``LossOptions`` that belong together.
public enum LossCondition: String, Hashable, Sendable, CaseIterable {
  /// A game over the internet, of whose packets each is lost by itself.
  case independent = "iid"
  /// The same, but what is lost is lost for some time on end.
  case bursts = "burst"
  /// People who talk: now and then a message, over the internet.
  case chat
  /// The same in one room.
  case localChat = "lan-chat"

  /// What is sent.
  public var plan: StreamPlan {
    switch self {
    case .independent, .bursts: StreamPlan(flows: 40, rate: 60, seconds: 18, warmUp: 6)
    case .chat, .localChat: StreamPlan(flows: 100, rate: 2, seconds: 36, warmUp: 6)
    }
  }

  /// The losses, as probabilities, each way.
  public var losses: [Double] {
    switch self {
    case .independent: [0, 0.05, 0.1, 0.2]
    case .bursts, .chat: [0.1]
    case .localChat: [0.05]
    }
  }

  /// What the wire does besides.
  public var impairment: String {
    switch self {
    case .independent, .chat: "delay=25ms"
    case .bursts: "burst=50ms,delay=25ms"
    case .localChat: "delay=1ms"
    }
  }
}
