import NetworkLayer

/// The texts that a pattern of curl's stands for: `{a,b}`, `[1-10]`, `[001-100:5]`, `[a-z]`.
///
/// What can't be such a pattern, `?a[]=1` or `?a[0]=1`, curl refuses; here it stands for itself. A backslash before one of `{}[]` does
/// the same.
struct URLGlob: Hashable {
    private var parts: [Part] = []
    /// How many texts there are; at least one.
    private(set) var count = 1

    private enum Part: Hashable {
        case text(String)
        case words([String])
        /// Every number of a range at this step, padded to this number of digits.
        case numbers(ClosedRange<Int>, step: Int, digits: Int)
        case letters(ClosedRange<UInt8>, step: Int)

        var count: Int {
            switch self {
            case .text: 1
            case .words(let words): words.count
            case .numbers(let range, let step, _): (range.upperBound - range.lowerBound) / step + 1
            case .letters(let range, let step): Int(range.upperBound - range.lowerBound) / step + 1
            }
        }

        func text(_ index: Int) -> String {
            switch self {
            case .text(let text): return text
            case .words(let words): return words[index]
            case .numbers(let range, let step, let digits):
                let number = String(range.lowerBound + index * step)
                return String(repeating: "0", count: max(0, digits - number.utf8.count)) + number
            case .letters(let range, let step):
                return String(UnicodeScalar(range.lowerBound + UInt8(index * step)))
            }
        }
    }

    /// - Parameter isLiteral: it stands for itself, whatever is in it.
    init(_ text: String, isLiteral: Bool = false) throws {
        guard !isLiteral else {
            parts = [.text(text)]
            return
        }
        var plain = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if let (part, end) = try Self.part(rest) {
                parts += [.text(String(plain)), part]
                plain = .init()
                rest = rest[end...]
                continue
            }
            rest.removeFirst()
            if scalar == "\\", let next = rest.first, "{}[]".unicodeScalars.contains(next) {
                plain.append(rest.removeFirst())
            } else {
                plain.append(scalar)
            }
        }
        parts.append(.text(String(plain)))
        for part in parts {
            let (product, overflow) = count.multipliedReportingOverflow(by: part.count)
            guard !overflow else { throw CommandFailure(.usage, "\(text) stands for more URLs than there are numbers.") }
            count = product
        }
    }

    /// One of the texts, the last pattern counting fastest, and what stands for each pattern.
    func text(at index: Int) -> (text: String, values: [String]) {
        var index = index
        var texts: [String] = []
        for part in parts.reversed() {
            texts.append(part.text(index % part.count))
            index /= part.count
        }
        texts.reverse()
        let values = zip(parts, texts).compactMap { part, text -> String? in if case .text = part { nil } else { text } }
        return (texts.reduce(into: "") { $0 += $1 }, values)
    }

    /// The pattern that a text begins with.
    private static func part(_ text: Substring.UnicodeScalarView) throws -> (Part, end: String.Index)? {
        switch text.first {
        case "{":
            var words = [String.UnicodeScalarView()]
            var index = text.index(after: text.startIndex)
            while index < text.endIndex {
                let scalar = text[index]
                index = text.index(after: index)
                switch scalar {
                case "}": return words.count == 1 && words[0].isEmpty ? nil : (.words(words.map { String($0) }), index)
                case "{": return nil
                case ",": words.append(.init())
                case "\\" where index < text.endIndex:
                    words[words.count - 1].append(text[index])
                    index = text.index(after: index)
                default: words[words.count - 1].append(scalar)
                }
            }
            return nil
        case "[":
            let pattern = /\[(?:([a-z])-([a-z])|([A-Z])-([A-Z])|([0-9]+)-([0-9]+))(?::([0-9]+))?\]/
            guard let match = Substring(text).prefixMatch(of: pattern) else { return nil }
            let step = match.7.map { Int($0) } ?? 1
            let firstNumber = match.5.flatMap { Int($0) }
            let lastNumber = match.6.flatMap { Int($0) }
            let firstLetter = (match.1 ?? match.3)?.utf8.first
            let lastLetter = (match.2 ?? match.4)?.utf8.first
            if let step, step > 0 {
                if let first = firstNumber, let last = lastNumber, first <= last {
                    let digits = match.5?.hasPrefix("0") == true ? match.5?.utf8.count ?? 0 : 0
                    return (.numbers(first...last, step: step, digits: digits), match.range.upperBound)
                }
                if let first = firstLetter, let last = lastLetter, first <= last {
                    return (.letters(first...last, step: step), match.range.upperBound)
                }
            }
            throw CommandFailure(
                .usage, "\(match.0) is no range: it goes up, in steps of 1 or more. With -g it is sent as it stands.")
        default: return nil
        }
    }
}
