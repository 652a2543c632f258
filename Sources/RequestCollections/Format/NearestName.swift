/// The name that somebody probably meant: the one with the fewest changed, missing, superfluous or swapped letters, when they are
/// few for its length.
package func nearestName(to name: String, in names: some Sequence<String>) -> String? {
    let allowed = max(1, name.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in names where candidate != name {
        let distance = editDistance(name.lowercased(), candidate.lowercased())
        if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
}

/// `; did you mean x?`, or nothing when no name is near.
func suggestion(for name: String, in names: some Sequence<String>) -> String {
    nearestName(to: name, in: names).map { "; did you mean `\($0)`?" } ?? ""
}

/// Optimal string alignment: a swap of two neighbours counts once.
private func editDistance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1...left.count {
        var current = [row]
        for column in 1...right.count {
            let change = left[row - 1] == right[column - 1] ? 0 : 1
            var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + change)
            if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                cost = min(cost, beforeLast[column - 2] + 1)
            }
            current.append(cost)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
