/// Something that carries a stream over a wire that loses packets: a row of the table.
public struct LossRow: Hashable, Sendable {
  public var name: String
  public var title: String
  /// The arguments of both ends that choose it.
  public var words: [String]
  public var face: PairCase.Face
  /// How long the server waits for what is missing, in seconds.
  public var grace: Int

  private init(
    _ name: String, _ title: String, _ words: [String], face: PairCase.Face, grace: Int
  ) {
    self.name = name
    self.title = title
    self.words = words
    self.face = face
    self.grace = grace
  }

  private static func sockets(
    _ name: String, _ title: String, _ words: String..., grace: Int
  ) -> LossRow {
    LossRow(name, title, words, face: .sockets, grace: grace)
  }

  private static func patter(_ name: String, _ title: String, _ words: String...) -> LossRow {
    LossRow(name, title, words, face: .loop, grace: 5)
  }

  /// What is run where nothing is chosen; TCP with each congestion control that there is.
  public static func standard(congestionControls: [String]) -> [LossRow] {
    var rows = [sockets("udp", "UDP (lost is lost)", "--carrier", "udp", grace: 3)]
    for name in ["cubic", "bbr"] where congestionControls.contains(name) {
      rows.append(
        sockets(
          "tcp-\(name)", "TCP \(name)", "--carrier", "tcp", "--congestion", name, grace: 15))
    }
    return rows + [patter("patter", "Patter, adaptive")] + more
  }

  /// What can be chosen besides.
  public static let more = [
    patter("patter-none", "Patter, no redundancy", "--redundancy", "none"),
    patter("patter-all", "Patter, all ride again", "--redundancy", "all"),
    patter(
      "patter-copies", "Patter, copies at 3 and 6 ms", "--redundancy", "2", "--copies", "2",
      "--spacing", "3ms"),
  ]
}
