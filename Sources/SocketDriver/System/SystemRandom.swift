import CSockets
public import Primitives

/// Unpredictable numbers from the system: for secrets, seeds and identities. Each call enters the
/// kernel, so what needs many seeds a generator of its own.
public enum SystemRandom {
  public static func uint64() throws(SystemError) -> UInt64 {
    var value: UInt64 = 0
    _ = try SystemError.check(
      unsafe patter_random(&value, MemoryLayout<UInt64>.size), "getrandom")
    return value
  }

  public static func secret() throws(SystemError) -> Secret {
    Secret(try uint64(), try uint64())
  }
}
