/// One direction between two attachments of hosts of a virtual network.
struct VirtualLink {
  let from: Int
  let to: Int
  let segment: Int
  var model: LinkModel
}

/// What is done on the links from one host to another in place of the network's impairment.
struct ImpairmentOverride {
  let from: Int
  let to: Int
  /// `nil` for all segments that the two share.
  let segment: Int?
  let impairment: Impairment
}
