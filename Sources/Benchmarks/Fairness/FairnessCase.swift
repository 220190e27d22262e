/// Who shares a bottleneck.
public struct FairnessCase: Hashable, Sendable {
  /// One of those who do.
  public enum Member: Hashable, Sendable {
    /// As much as a connection of TCP carries, with this congestion control.
    case tcp(String)
    /// As much as a connection of the datagram protocol carries, `ordered`.
    case patter
    /// 40 games of 60 messages a second, with this redundancy.
    case games(String)
  }

  public var name: String
  public var title: String
  public var members: [Member]

  private init(_ name: String, _ title: String, _ members: Member...) {
    self.name = name
    self.title = title
    self.members = members
  }

  /// All, with each congestion control of TCP that there is.
  static func all(congestionControls: [String]) -> [FairnessCase] {
    var cases = [
      FairnessCase("patter", "Patter alone", .patter),
      FairnessCase("patter+patter", "Patter beside Patter", .patter, .patter),
    ]
    let controls = ["cubic", "bbr"].filter { congestionControls.contains($0) }
    for control in controls {
      let tcp = Member.tcp(control)
      cases += [
        FairnessCase("\(control)", "TCP \(control) alone", tcp),
        FairnessCase("\(control)+\(control)", "TCP \(control) beside its like", tcp, tcp),
        FairnessCase("\(control)+patter", "TCP \(control) beside Patter", tcp, .patter),
      ]
      for redundancy in ["none", "adaptive", "all"] {
        cases.append(
          FairnessCase(
            "\(control)+games-\(redundancy)", "TCP \(control) beside 40 games, \(redundancy)", tcp,
            .games(redundancy)))
      }
    }
    if controls.count == 2 {
      cases.append(
        FairnessCase("cubic+bbr", "TCP cubic beside TCP bbr", .tcp("cubic"), .tcp("bbr")))
    }
    return cases
  }
}
