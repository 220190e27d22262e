import Primitives

extension VirtualFabric {
  mutating func setImpairment(
    _ impairment: Impairment?, from sender: HostID, to receiver: HostID, on segment: Int?
  ) {
    overrides.removeAll {
      $0.from == sender.number && $0.to == receiver.number && $0.segment == segment
    }
    if let impairment {
      overrides.append(
        ImpairmentOverride(
          from: sender.number, to: receiver.number, segment: segment, impairment: impairment))
    }
    applyImpairments()
  }

  mutating func applyImpairments() {
    for place in links.indices {
      let link = links[place]
      links[place].model.impairment = impairment(from: link.from, to: link.to, on: link.segment)
    }
  }

  /// The place of the link between two attachments, which are named by their numbers.
  mutating func placeOfLink(
    from sender: (host: Int, attachment: Int), to receiver: (host: Int, attachment: Int),
    on segment: Int
  ) -> Int {
    let number = UInt32(sender.attachment) << 16 | UInt32(receiver.attachment)
    if let place = placesOfLinks[number] { return place }
    let impairment = impairment(from: sender.host, to: receiver.host, on: segment)
    placesOfLinks[number] = links.count
    links.append(
      VirtualLink(
        from: sender.host, to: receiver.host, segment: segment,
        model: LinkModel(impairment: impairment, seed: seed, link: number)))
    return links.count - 1
  }

  private func impairment(from sender: Int, to receiver: Int, on segment: Int) -> Impairment {
    let matching = overrides.filter { $0.from == sender && $0.to == receiver }
    let override =
      matching.first { $0.segment == segment } ?? matching.first { $0.segment == nil }
    return override?.impairment ?? (sender == receiver ? .none : impairment)
  }
}
