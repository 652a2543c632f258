/// TAP, version 14, read strictly: every line has a place in its grammar, numbers count, and the plan holds.
struct TAPGrammar {
    struct Point: Hashable {
        var isOK: Bool
        var description: String
        /// `SKIP` or `TODO`, and why.
        var directive: String?
        /// The lines of its YAML block.
        var diagnostic: [String] = []
    }

    private(set) var points: [Point] = []

    struct Violation: Error, Hashable {
        var line: Int
        var reason: String
    }

    init(_ text: String) throws(Violation) {
        guard text.hasSuffix("\n") else { throw Violation(line: 0, reason: "the last line has no end") }
        let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.first == "TAP version 14" else { throw Violation(line: 1, reason: "the version isn't first") }
        var plan: Int?
        var isInBlock = false
        for (index, line) in lines.enumerated().dropFirst() {
            func fail(_ reason: String) -> Violation { Violation(line: index + 1, reason: "\(reason): \(line)") }
            if isInBlock {
                guard line.hasPrefix("  ") else { throw fail("the block isn't indented") }
                if line == "  ..." {
                    isInBlock = false
                } else {
                    points[points.count - 1].diagnostic.append(String(line.dropFirst(2)))
                }
            } else if line == "  ---" {
                guard let last = points.last, last.diagnostic.isEmpty else { throw fail("a block without its test point") }
                isInBlock = true
            } else if line.hasPrefix("1..") {
                guard plan == nil, points.isEmpty, let count = Int(line.dropFirst(3)) else { throw fail("a wrong plan") }
                plan = count
            } else {
                guard let point = Self.point(line, number: points.count + 1) else { throw fail("no test point") }
                points.append(point)
            }
        }
        if isInBlock { throw Violation(line: lines.count, reason: "a block without an end") }
        guard plan == points.count else { throw Violation(line: lines.count, reason: "the plan doesn't hold") }
    }

    /// `[not ]ok NUMBER - DESCRIPTION[ # DIRECTIVE reason]`
    private static func point(_ line: String, number: Int) -> Point? {
        let isOK = line.hasPrefix("ok ")
        guard isOK || line.hasPrefix("not ok ") else { return nil }
        let rest = line.dropFirst(isOK ? 3 : 7)
        guard rest.hasPrefix("\(number) - ") else { return nil }
        var description = ""
        var directive: String?
        var characters = Array(rest.dropFirst("\(number) - ".count))[...]
        while let character = characters.popFirst() {
            switch character {
            case "\\":
                guard let next = characters.popFirst(), next == "\\" || next == "#" else { return nil }
                description.append(next)
            case "#":
                directive = String(characters.drop { $0 == " " })
                characters = []
            default: description.append(character)
            }
        }
        if let directive, !directive.hasPrefix("SKIP"), !directive.hasPrefix("TODO") { return nil }
        if directive != nil, description.last == " " { description.removeLast() }
        return Point(isOK: isOK, description: description, directive: directive)
    }
}
