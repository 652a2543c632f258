import Base
package import NetworkLayer

/// Whether a regular expression finds something in a text.
///
/// The engine goes back and tries again: some expressions take for ever on some texts (`^(a+)+$` on many `a` and a `b`), and once it has
/// begun nothing stops it. So what may take long is asked in a process of its own, which can be ended.
package struct RegexQuestion: Hashable, Sendable {
    @ExactText package var pattern: String
    package var ignoringCase: Bool
    @ExactText package var text: String
    /// What it finds is asked for, and not only whether.
    package var wantsGroup: Bool

    package init(_ pattern: String, ignoringCase: Bool, in text: String, wantsGroup: Bool = false) {
        self.pattern = pattern
        self.ignoringCase = ignoringCase
        self.text = text
        self.wantsGroup = wantsGroup
    }

    /// Asked here; takes as long as it takes.
    package func answer() -> RegexAnswer {
        let regex: Regex<AnyRegexOutput>
        do {
            regex = try compiled
        } catch {
            // It was checked when the file was read, but for a template in it, and for what a contract says.
            return .unknown("isn't a regular expression: \(error)")
        }
        guard let match = text.firstMatch(of: regex) else { return .missing }
        return wantsGroup ? group(in: match).map(RegexAnswer.group) ?? .missing : .found
    }

    /// By code points, as everywhere else: a line break of two is no character of its own then.
    private var compiled: Regex<AnyRegexOutput> {
        get throws {
            let regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
            return ignoringCase ? regex.ignoresCase() : regex
        }
    }
}

extension RegexQuestion {
    /// The first group of the first match, or the whole match where the expression has no group; `nil` when nothing matches, or the group
    /// takes no part in it. There is no limit of time.
    package func group() -> String? {
        guard let regex = try? compiled, let match = text.firstMatch(of: regex) else { return nil }
        return group(in: match)
    }

    private func group(in match: Regex<AnyRegexOutput>.Match) -> String? {
        guard match.output.count > 1 else { return String(text[match.range]) }
        return match.output[1].substring.map(String.init)
    }

    /// Why the result of an expression that takes longer than this is unknown.
    package static func lateness(_ timeout: Duration) -> String {
        "took longer than \(timeout / .seconds(1)) s: a repetition in a repetition, such as (a+)+, can be tried in too many ways"
    }
}

package enum RegexAnswer: Hashable, Sendable {
    case found, missing
    /// What it found: see ``RegexQuestion/group()``.
    case group(String)
    /// Why nobody knows.
    case unknown(String)
}

extension RegexQuestion {
    /// Steps that are surely done within moments.
    private static let fewSteps = 1e7

    /// Whether it can't take long: by what the expression could do at worst, which is more than nearly every one does.
    package var isCheap: Bool { Self.steps(pattern, Double(max(1, text.utf8.count))) <= Self.fewSteps }

    /// The most steps for a text of so many bytes: it begins at each of them, each `*` goes over all of it, and each choice has its ways.
    /// Infinite where one repetition is in another, and where what was found before is to be found again.
    static func steps(_ pattern: String, _ count: Double) -> Double {
        var scanner = PatternScanner(pattern)
        return count * scanner.ways(count)
    }
}

/// Goes over the repetitions and choices of a pattern; what it doesn't know it takes for a character.
private struct PatternScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ pattern: String) { bytes = Array(pattern.utf8) }

    /// In how many ways it can go over a text, up to the end of the group.
    mutating func ways(_ count: Double) -> Double {
        var ways = 1.0
        while position < bytes.count, bytes[position] != UInt8(ascii: ")") {
            let inside = atom(count)
            let times = repetition(count)
            if times > 1, inside > 1 { return .infinity }
            ways *= inside * times
        }
        position += 1
        return ways
    }

    /// The steps of one character, class or group.
    private mutating func atom(_ count: Double) -> Double {
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "|"): return 2
        case UInt8(ascii: "("):
            // A name of a group, or what kind it is.
            if position < bytes.count, bytes[position] == UInt8(ascii: "?") { position += 1 }
            return ways(count)
        case UInt8(ascii: "["):
            skipClass()
            return 1
        case UInt8(ascii: "\\"):
            guard position < bytes.count else { return 1 }
            defer { position += 1 }
            // What a group has found: \1, \k<name>, \g{1}.
            return (0x31...0x39).contains(bytes[position]) || "kg".utf8.contains(bytes[position]) ? .infinity : 1
        default: return 1
        }
    }

    private mutating func skipClass() {
        var depth = 1
        if position < bytes.count, bytes[position] == UInt8(ascii: "^") { position += 1 }
        // A bracket that comes first is itself.
        if position < bytes.count, bytes[position] == UInt8(ascii: "]") { position += 1 }
        while position < bytes.count, depth > 0 {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
        }
    }

    /// How many numbers of times the one before may come.
    private mutating func repetition(_ count: Double) -> Double {
        guard position < bytes.count else { return 1 }
        var times = 1.0
        switch bytes[position] {
        case UInt8(ascii: "*"), UInt8(ascii: "+"): times = count
        case UInt8(ascii: "?"): times = 2
        case UInt8(ascii: "{"):
            guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")) else { return 1 }
            let bounds = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
                .split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmed) }
            // `{3}` goes one way.
            if bounds.count == 2 { times = bounds[1].map { max(1, $0 - (bounds[0] ?? 0) + 1) } ?? count }
            position = end
        default: return 1
        }
        position += 1
        // Lazy or possessive, which changes the order only.
        if position < bytes.count, bytes[position] == UInt8(ascii: "?") || bytes[position] == UInt8(ascii: "+") { position += 1 }
        return times
    }
}

/// What is known while expectations are checked: the time, and answers to questions about regular expressions.
struct MatchContext {
    private let known: [RegexQuestion: RegexAnswer]
    private let asks: Bool
    /// When the response came.
    let now: Date
    /// What has to be asked elsewhere first.
    private(set) var open: [RegexQuestion] = []
    /// Why an answer isn't known; then the result means nothing.
    private(set) var problem: String?

    /// - Parameter asks: collects what may take long, and doesn't begin with it.
    init(known: [RegexQuestion: RegexAnswer] = [:], now: Date = Date(), asks: Bool = false) {
        self.known = known
        self.now = now
        self.asks = asks
    }

    mutating func finds(_ pattern: String, ignoringCase: Bool, in text: String) -> Bool {
        answer(to: RegexQuestion(pattern, ignoringCase: ignoringCase, in: text)) == .found
    }

    /// ``RegexQuestion/group()``
    mutating func group(_ pattern: String, ignoringCase: Bool, in text: String) -> String? {
        let answer = answer(to: RegexQuestion(pattern, ignoringCase: ignoringCase, in: text, wantsGroup: true))
        return if case .group(let group) = answer { group } else { nil }
    }

    private mutating func answer(to question: RegexQuestion) -> RegexAnswer {
        if asks, known[question] == nil, !question.isCheap {
            if !open.contains(question) { open.append(question) }
            return .missing
        }
        let answer = known[question] ?? question.answer()
        if case .unknown(let reason) = answer { problem = "/\(question.pattern)/ \(reason)" }
        return answer
    }
}
