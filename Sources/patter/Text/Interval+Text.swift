import Primitives

extension Interval {
  /// The length for a person: in seconds where they are whole, else in milliseconds.
  var shortText: String {
    nanoseconds % 1_000_000_000 == 0
      ? "\(nanoseconds / 1_000_000_000) s" : "\(nanoseconds / 1_000_000) ms"
  }
}
