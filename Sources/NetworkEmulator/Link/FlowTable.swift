import Primitives

/// What a link remembers of each flow that crosses it: how many datagrams there were, and when the
/// last of them is to arrive.
struct FlowTable {
  struct Flow {
    let number: UInt32
    /// How many datagrams there were, which is the index of the next.
    var count: UInt64 = 0
    /// When the latest datagram that keeps its turn arrives.
    var lastArrival = Instant(nanoseconds: .min)
  }

  /// How many flows are told apart. All beyond share one entry under the number `UInt32.max`.
  static let capacity = 64

  private var flows: [Flow] = []
  private var lastUsed = 0

  /// The place of a flow, for `subscript`.
  mutating func place(of number: UInt32) -> Int {
    // Datagrams come in trains, and a link carries few flows.
    if lastUsed < flows.count, flows[lastUsed].number == number { return lastUsed }
    lastUsed = firstPlace(of: number)
    return lastUsed
  }

  subscript(place: Int) -> Flow {
    get { flows[place] }
    _modify { yield &flows[place] }
  }

  private mutating func firstPlace(of number: UInt32) -> Int {
    for place in flows.indices where flows[place].number == number { return place }
    if flows.count == Self.capacity { return Self.capacity - 1 }
    let isLast = flows.count == Self.capacity - 1
    flows.append(Flow(number: isLast ? .max : number))
    return flows.count - 1
  }
}
