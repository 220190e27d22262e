import Host

/// Memory of this process.
enum ProcessMemory {
  /// In bytes.
  static var resident: Int {
    let fields = (TextFile.read("/proc/self/statm") ?? "").split(separator: " ")
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4_096
  }
}
