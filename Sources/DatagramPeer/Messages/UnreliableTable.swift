/// Values by channel and kind: at most 512, looked up once a message. Nearly always the same one
/// as before, so that one is tried first; a search by halves finds the others.
struct UnreliableTable<Value> {
  private var keys: [UnreliableKey] = []
  private var values: [Value] = []
  private var latest = 0

  /// The place of the value of `key`; a new one is put there where there was none.
  mutating func index(of key: UnreliableKey, orInsert value: @autoclosure () -> Value) -> Int {
    if latest < keys.count, keys[latest] == key { return latest }
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    if low == keys.count || keys[low] != key {
      keys.insert(key, at: low)
      values.insert(value(), at: low)
    }
    latest = low
    return low
  }

  subscript(index: Int) -> Value {
    get { values[index] }
    _modify { yield &values[index] }
  }
}
