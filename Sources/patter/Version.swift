/// The version of the program, here and nowhere else.
enum Version {
  static let number = "0.1.0"

  /// What `patter --version` prints.
  static let line = "patter \(number)"
}
