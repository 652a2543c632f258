/// One or two letters for each of so many places, all different, none the beginning of another.
enum JumpLabels {
    /// The home row first, then what the fingers reach from there.
    static let letters = Array("asdfghjklqwertyuiopzxcvbnm")

    /// Single letters for the first places, as many as can be spared.
    ///
    /// - Returns: fewer than `count`, when that many can't be told apart by two letters.
    static func labels(_ count: Int, letters: [Character] = letters) -> [String] {
        let all = letters.count
        guard count > all else { return letters.prefix(max(0, count)).map { String($0) } }
        // So many letters begin two-letter labels; the last ones, which are the farthest away.
        let prefixes = (1...all).first { all - $0 + $0 * all >= count } ?? all
        let singles = letters.prefix(all - prefixes).map { String($0) }
        let pairs = letters.suffix(prefixes).flatMap { first in letters.map { "\(first)\($0)" } }
        return Array((singles + pairs).prefix(count))
    }
}
