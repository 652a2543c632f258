import Base

/// Reads a matcher that stands in a text: see the table of ``Matcher``.
struct MatcherText {
    let kind: MatcherKind

    /// A text without quotes: an operator, or a value of the type that YAML gives it.
    ///
    /// - Throws: a ``MatcherError`` that says what the text lacks.
    func parse(_ text: String) throws(MatcherError) -> Matcher {
        let text = Substring(text).trimmed
        switch PlainScalar(String(text)) {
        case .null where !text.isEmpty: return .missing
        case .boolean(let flag) where kind == .json || kind == .text: return .equals(.boolean(flag))
        case .number(let digits) where kind != .duration && kind != .failure: return .equals(.number(digits))
        case .null, .boolean, .number, .notFinite, .text: break
        }
        if let matcher = try word(text) { return matcher }
        if let matcher = try pattern(text) { return matcher }
        if let matcher = try comparison(text) { return matcher }
        if let matcher = try equality(text) { return matcher }
        if let matcher = try range(text) { return matcher }
        if kind == .status, let digit = StatusText.statusClass(String(text)) { return .statusClass(digit) }
        try checkPlain(text)
        return .equals(.string(String(text)))
    }

    /// A text in quotes is itself, to the last space. Only the six signs before a number, a duration, a size, a date or a template are
    /// operators there, too: YAML has no `> 0` without quotes.
    func parse(quoted text: String) throws(MatcherError) -> Matcher {
        if let matcher = try comparison(Substring(text).trimmed) { return matcher }
        do throws(MatcherError) {
            try checkPlain(text[...])
        } catch {
            if (try? parse(text)) != nil { throw MatcherError("`\"\(text)\"` is a text in quotes; leave them out: `\(text)`") }
            throw error
        }
        return .equals(.string(text))
    }

    /// Whether a text needs no quotes to be taken for itself.
    static func isItself(_ text: String) -> Bool {
        !text.isEmpty && !text.contains(where: \.isNewline) && (try? MatcherText(kind: .json).parse(text)) == .equals(.string(text))
    }

    private func word(_ text: Substring) throws(MatcherError) -> Matcher? {
        switch text {
        case "exists": return .exists
        case "missing": return .missing
        case "empty": return .empty
        default: break
        }
        if let rest = after("not ", text) { return .not(try operand(of: rest)) }
        if let rest = after("contains ", text) { return .contains(part(rest)) }
        if let rest = after("starts with ", text) { return .startsWith(unquoted(rest)) }
        if let rest = after("ends with ", text) { return .endsWith(unquoted(rest)) }
        if let rest = after("each ", text) {
            guard kind == .json else { throw MatcherError(Self.needsJSON("`\(text)`")) }
            return .each(try operand(of: rest))
        }
        if let rest = after("is ", text), let type = Matcher.ValueType(rawValue: String(rest)) {
            guard kind == .json else { throw MatcherError(Self.needsJSON("`\(text)`")) }
            return .type(type)
        }
        if let rest = after("length ", text) { return .length(try MatcherText(kind: .number).parse(String(rest))) }
        return nil
    }

    static func needsJSON(_ what: String) -> String {
        "\(what) is about a value of JSON: it stands below a filter, such as `body: { .items: … }`; `.` is the whole body"
    }

    private func after(_ word: String, _ text: Substring) -> Substring? {
        text.hasPrefix(word) ? text.dropFirst(word.count).trimmed : nil
    }

    /// `not "missing"` is about a text, as `"missing"` alone is.
    private func operand(of text: Substring) throws(MatcherError) -> Matcher {
        isQuoted(text) ? try parse(quoted: unquoted(text)) : try parse(String(text))
    }

    /// A number may be an item of a list. Where it is a part of a text, its digits count.
    private func part(_ text: Substring) -> JSONValue {
        if case .number(let digits) = PlainScalar(String(text)), digits == text { return .number(digits) }
        return .string(unquoted(text))
    }

    private func isQuoted(_ text: Substring) -> Bool {
        guard text.count >= 2, let quote = text.first else { return false }
        return (quote == "\"" || quote == "'") && text.last == quote
    }

    private func unquoted(_ text: Substring) -> String {
        String(isQuoted(text) ? text.dropFirst().dropLast() : text)
    }

    /// `/pattern/` or `/pattern/i`.
    ///
    /// - Throws: also for the flags that other languages have: they would make it a text, and "not" that text would always hold.
    func pattern(_ text: Substring) throws(MatcherError) -> Matcher? {
        guard text.hasPrefix("/"), let slash = text.unicodeScalars.lastIndex(of: "/"), slash != text.startIndex else { return nil }
        let flags = text[text.unicodeScalars.index(after: slash)...]
        guard flags.isEmpty || flags == "i" || Self.isFlags(flags) else { return nil }
        let pattern = String(text[..<slash].dropFirst())
        guard flags.isEmpty || flags == "i" else {
            throw MatcherError(
                "`\(text)` would be a regular expression with the flags `\(flags.trimmed)`; only `i` is one: `/\(pattern)/i`. "
                    + "The text itself stands in quotes")
        }
        try Self.check(pattern: pattern)
        return .matches(pattern, ignoringCase: !flags.isEmpty)
    }

    /// Whether these are flags of Perl, JavaScript or PCRE, each once.
    private static func isFlags(_ text: Substring) -> Bool {
        let letters = text.trimmed.lowercased().unicodeScalars
        return letters.count <= 4 && Set(letters).count == letters.count
            && letters.allSatisfy { "gimsuxy".unicodeScalars.contains($0) }
    }

    static func check(
        pattern: String, _ flavour: RegularExpression.Flavour = .pcre2
    ) throws(MatcherError) {
        guard !Template.isIn(pattern) else { return }
        do throws(RegularExpressionError) {
            _ = try RegularExpression.compiled(pattern, flavour)
        } catch {
            throw MatcherError("`/\(pattern)/` isn't a regular expression: \(error.message)")
        }
    }

    private func comparison(_ text: Substring) throws(MatcherError) -> Matcher? {
        for comparison in Matcher.Comparison.allCases {
            guard let rest = after(comparison.rawValue, text) else { continue }
            // Texts have no order, and many begin so: `<a>x</a>`.
            guard kind != .text && kind != .json || isOperand(rest) || isDate(rest) else { continue }
            return .compares(comparison, try operand(rest, of: text))
        }
        return nil
    }

    /// `== x` without quotes, and the same with `!=` inside another operator: of texts only equality means something.
    private func equality(_ text: Substring) throws(MatcherError) -> Matcher? {
        if let rest = after("==", text), !rest.isEmpty { return .equals(.string(unquoted(rest))) }
        if let rest = after("!=", text), !rest.isEmpty { return .not(.equals(.string(unquoted(rest)))) }
        return nil
    }

    private func range(_ text: Substring) throws(MatcherError) -> Matcher? {
        guard let dots = text.firstRange(of: "..") else { return nil }
        let low = text[..<dots.lowerBound].trimmed
        let high = text[dots.upperBound...].trimmed
        guard isOperand(low), isOperand(high) else { return nil }
        if let first = Quantity(String(low)), let last = Quantity(String(high)) {
            guard first.isComparable(to: last, .bytes) else {
                throw MatcherError("`\(text)` has two ends that can't be compared with each other")
            }
            guard first.magnitude <= last.magnitude else {
                throw MatcherError("`\(text)` holds for nothing: the smaller end comes first")
            }
        }
        return .range(try operand(low, of: text), try operand(high, of: text))
    }

    private func isOperand(_ text: Substring) -> Bool { isTemplate(text) || Quantity(String(text)) != nil }

    /// A template that may have a unit after it: `{{count}}`, `{{limit}}ms`.
    private func isTemplate(_ text: Substring) -> Bool {
        guard text.hasPrefix("{{"), let template = try? Template(String(text)), case .expression? = template.segments.first else {
            return false
        }
        switch template.segments.count {
        case 1: return true
        case 2:
            if case .text(let unit) = template.segments[1] { return unit.allSatisfy { $0.isASCII && $0.isLetter } }
            return false
        default: return false
        }
    }

    /// `2027-01-01`, alone or with a time after it.
    private func isDate(_ text: Substring) -> Bool {
        let start = text.utf8.prefix(11).map { 0x30...0x39 ~= $0 ? UInt8(ascii: "0") : $0 }
        return start.elementsEqual("0000-00-00".utf8) || start.elementsEqual("0000-00-00T".utf8)
    }

    private func operand(_ text: Substring, of whole: Substring) throws(MatcherError) -> Matcher.Operand {
        if isTemplate(text) { return Matcher.Operand(String(text)) }
        guard let quantity = Quantity(String(text)), quantity.fits(kind) else {
            throw MatcherError("`\(whole)` compares with `\(text)`, which isn't \(kind.takes)")
        }
        return Matcher.Operand(String(text))
    }

    /// A bare value must at least be of the subject's kind: `status: ok` can't ever hold.
    func checkPlain(_ text: Substring) throws(MatcherError) {
        guard !Template.isIn(String(text)), kind != .text, kind != .json else { return }
        if kind == .failure {
            // A type has dots in it, a message blanks.
            if FailureKind(rawValue: String(text)) != nil || text.utf8.contains(where: { ".\u{20}".utf8.contains($0) }) { return }
            throw MatcherError("`\(text)` isn't \(kind.takes)")
        }
        guard let quantity = Quantity(String(text)), quantity.fits(kind) else {
            throw MatcherError("`\(text)` isn't \(kind.takes), nor a comparison such as `\(kind.example)`")
        }
    }
}

/// What is wrong with a matcher. The caller knows where it stands.
struct MatcherError: Error, Hashable, Sendable {
    var message: String

    init(_ message: String) { self.message = message }
}

extension MatcherKind {
    /// As the end of "isn't".
    var takes: String {
        switch self {
        case .status: "a status or a class of them (`404`, `2xx`)"
        case .number: "a number"
        case .duration: "a duration (200ms, 3s, 1m, 1h, 14d)"
        case .bytes: "a number of bytes (4096, 10MB, 1MiB)"
        case .text, .json: "a number, a duration, a number of bytes or a date"
        case .failure:
            "a kind of failure (\(FailureKind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))), a type of one (`tls.failed`) or a message"
        }
    }

    var example: String {
        switch self {
        case .status: "< 500"
        case .number, .text, .json, .failure: "> 0"
        case .duration: "< 300ms"
        case .bytes: "< 10KB"
        }
    }
}

/// A number with its unit, as expectations compare it.
enum Quantity: Hashable {
    case number(Double)
    case duration(Duration)
    case bytes(Int)
    case date(Date)

    init?(_ text: String, now: Date? = Date()) {
        let text = String(Substring(text).trimmed)
        if let number = Double(text), text.utf8.allSatisfy({ $0 < 0x80 && ($0 < 0x41 || $0 | 0x20 == 0x65) }) {
            self = .number(number)
        } else if let duration = DurationText.parse(text) {
            self = .duration(duration)
        } else if let count = ByteCountText.parse(text) {
            self = .bytes(count)
        } else if let date = DateText.parse(text, now: now) {
            self = .date(date)
        } else {
            return nil
        }
    }

    func fits(_ kind: MatcherKind) -> Bool {
        switch (kind, self) {
        case (.status, .number), (.number, .number), (.duration, .duration), (.bytes, .bytes), (.bytes, .number): true
        case (.text, _), (.json, _): true
        default: false
        }
    }

    /// Comparable with others of its unit.
    var magnitude: Double {
        switch self {
        case .number(let number): number
        case .duration(let duration): duration / .seconds(1)
        case .bytes(let count): Double(count)
        case .date(let date): date.timeIntervalSince1970
        }
    }
}
