/// The candidate that `text` was most likely meant to be, or `nil` where none is near.
///
/// Near is: one mistake in a short word, and one more for every three letters. A beginning of a
/// candidate counts as one mistake.
func nearest(to text: String, among candidates: [String]) -> String? {
  let typed = Array(text.unicodeScalars.prefix(64))
  let limit = max(1, typed.count / 3)
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let isBeginning = typed.count >= 2 && candidate.hasPrefix(text)
    let edits = editDistance(typed, Array(candidate.unicodeScalars))
    let distance = isBeginning ? min(edits, 1) : edits
    if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.candidate
}

/// Insertions, deletions, replacements and swaps of neighbours that make one out of the other
/// (optimal string alignment).
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      let cost = left[i] == right[j] ? 0 : 1
      var distance = min(last[j + 1] + 1, row[j] + 1, last[j] + cost)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        distance = min(distance, beforeLast[j - 1] + 1)
      }
      row.append(distance)
    }
    beforeLast = last
    last = row
  }
  return last[right.count]
}
