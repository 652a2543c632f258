import NetworkLayer

/// A text that knows which parts of it are made of secrets.
///
///     Bearer {{token}}-x    Bearer abc123-x, of which bytes 7 to 13 are `token`
struct LabelledText: Hashable, Sendable {
    private(set) var text: String
    /// In the order of the text; none overlaps another.
    private(set) var marks: [Mark] = []

    struct Mark: Hashable, Sendable {
        /// Bytes of UTF-8.
        var range: Range<Int>
        var labels: [SecretLabel]
    }

    init(_ text: String = "") {
        self.text = text
    }

    /// A text that consists entirely of these secrets.
    init(_ text: String, labels: [SecretLabel]) {
        self.text = text
        if !labels.isEmpty, !text.isEmpty { marks = [Mark(range: 0..<text.utf8.count, labels: labels)] }
    }

    /// The text for people, with everything masked that is made of secrets, however short it is.
    var shown: String { segments.map { $0.labels.isEmpty ? $0.text : Redactor.mask }.joined() }

    /// All secrets in it, each once.
    var labels: [SecretLabel] { marks.reduce(into: []) { $0.add($1.labels) } }

    /// Whether there is nothing in it that isn't made of a secret.
    var isAllSecret: Bool { marks.first?.range.lowerBound == 0 && marks.last?.range.upperBound == text.utf8.count && isGapless }

    private var isGapless: Bool { zip(marks, marks.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound } }

    static func += (left: inout Self, right: Self) {
        let count = left.marks.isEmpty && right.marks.isEmpty ? 0 : left.text.utf8.count
        left.text += right.text
        for mark in right.marks {
            left.marks.append(Mark(range: mark.range.lowerBound + count..<mark.range.upperBound + count, labels: mark.labels))
        }
    }

    static func += (left: inout Self, right: String) { left.text += right }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum += right
        return sum
    }

    static func + (left: String, right: Self) -> Self { Self(left) + right }

    /// The text in another form: encodings that write every letter for itself keep apart what is secret in it.
    ///
    /// - Parameter encode: where what it makes of the pieces isn't what it makes of the whole, all of it is taken for secret.
    func encoded(_ encode: (String) -> String) -> Self {
        let whole = encode(text)
        guard !marks.isEmpty else { return Self(whole) }
        var pieces = Self()
        for segment in segments { pieces += Self(encode(segment.text), labels: segment.labels) }
        return pieces.text == whole ? pieces : Self(whole, labels: labels)
    }

    /// A text that is derived from the whole, such as a hash.
    func derived(_ make: (String) -> String) -> Self { Self(make(text), labels: labels) }

    /// Without the spaces around it.
    var trimmed: Self {
        let trimmed = Substring(text).trimmed
        guard !marks.isEmpty else { return Self(String(trimmed)) }
        let start = text.utf8.distance(from: text.startIndex, to: trimmed.startIndex)
        return self[start..<start + trimmed.utf8.count]
    }

    /// A part of it, in bytes, whose borders are those of characters.
    subscript(range: Range<Int>) -> Self {
        let utf8 = text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        var part = Self(String(text[start..<utf8.index(start, offsetBy: range.count)]))
        for mark in marks where mark.range.overlaps(range) {
            let common = mark.range.clamped(to: range)
            part.marks.append(
                Mark(
                    range: common.lowerBound - range.lowerBound..<common.upperBound - range.lowerBound, labels: mark.labels))
        }
        return part
    }

    /// What is secret, and what is between.
    var segments: [(text: String, labels: [SecretLabel])] {
        var segments: [(String, [SecretLabel])] = []
        let utf8 = text.utf8
        var position = utf8.startIndex
        var offset = 0
        func advance(to end: Int, _ labels: [SecretLabel]) {
            guard end > offset else { return }
            let next = utf8.index(position, offsetBy: end - offset)
            segments.append((String(text[position..<next]), labels))
            (position, offset) = (next, end)
        }
        for mark in marks {
            advance(to: mark.range.lowerBound, [])
            advance(to: mark.range.upperBound, mark.labels)
        }
        advance(to: utf8.count, [])
        return segments
    }
}

extension [LabelledText] {
    func joined(separator: String) -> LabelledText {
        var joined = LabelledText()
        for (index, text) in enumerated() {
            if index > 0 { joined += separator }
            joined += text
        }
        return joined
    }
}

extension [SecretLabel] {
    mutating func add(_ labels: [SecretLabel]) {
        for label in labels where !contains(label) { append(label) }
    }
}

/// A value that knows which secrets it is made of; of a text also where.
struct LabelledValue: Hashable, Sendable {
    let value: JSONValue
    /// As it stands in a longer text.
    let text: LabelledText

    init(_ value: JSONValue, labels: [SecretLabel] = []) {
        self.value = value
        text = LabelledText(value.plainText, labels: labels)
    }

    init(_ text: LabelledText) {
        value = .string(text.text)
        self.text = text
    }

    static func string(_ text: String) -> Self { Self(.string(text)) }

    var labels: [SecretLabel] { text.labels }

    /// As it stands in a text of JSON.
    var json: LabelledText {
        guard case .string = value else { return LabelledText(value.text(pretty: false), labels: labels) }
        func escaped(_ text: String) -> String { String(JSONValue.string(text).text(pretty: false).dropFirst().dropLast()) }
        return "\"" + text.encoded(escaped) + LabelledText("\"")
    }
}
