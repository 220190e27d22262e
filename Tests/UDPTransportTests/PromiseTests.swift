import Testing

@testable import UDPTransport

struct PromiseTests {
  @Test func allWhoWaitGetTheValue() async {
    let promise = Promise<Int>()
    let values = await withTaskGroup { group in
      for _ in 0..<3 { group.addTask { await promise.value } }
      await Task.yield()
      promise.fulfil(7)
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values == [7, 7, 7])
    #expect(await promise.value == 7)
  }
}
