import NetworkLayer

/// How the values of one type stand in a file, and how people type them.
///
/// What is written is read as the same value, and so is the line that an editor shows.
struct FieldForm<Value: Hashable & Sendable>: Sendable {
    let shape: FormatShape
    /// `nil` for what the shape refuses.
    let read: @Sendable (YAMLNode) -> Value?
    /// `nil` for a value that no file can say.
    let write: @Sendable (Value) -> FieldText?
    /// Reads a line that somebody typed; `nil` for what the shape refuses.
    let parse: @Sendable (String) -> Value?
    /// What there is to choose from, as a file says it; `nil`: a text to type.
    var choices: [String]?
    /// Words that people read and type in place of what a file says.
    var words: [String: String] = [:]
    /// The texts in a value, which may have templates.
    var texts: @Sendable (Value) -> [String] = { _ in [] }
    /// The value of as many texts.
    var value: @Sendable ([String]) -> Value? = { _ in nil }
}

extension FieldForm {
    /// A scalar that is read from the file as it is typed.
    private static func scalar(
        _ shape: FormatShape, _ parse: @escaping @Sendable (String) -> Value?, _ write: @escaping @Sendable (Value) -> FieldText?
    ) -> FieldForm {
        FieldForm(shape: shape, read: { $0.text.flatMap(parse) }, write: write, parse: parse)
    }

    /// One of some words.
    static func choice(_ pairs: KeyValuePairs<String, Value>) -> FieldForm {
        let names = pairs.map(\.key)
        let values = pairs.map(\.value)
        var form = scalar(
            .oneOf(names), { name in names.firstIndex(of: name).map { values[$0] } },
            { value in values.firstIndex(of: value).map { .text(names[$0]) } })
        form.choices = names
        return form
    }
}

extension FieldForm where Value: RawRepresentable<String> {
    /// One of the words that these have.
    static func choice(of values: [Value]) -> FieldForm {
        let names = values.map(\.rawValue)
        var form = scalar(
            .oneOf(names), { names.contains($0) ? Value(rawValue: $0) : nil }, { .text($0.rawValue) })
        form.choices = names
        return form
    }
}

extension FieldForm where Value: RawRepresentable<String> & CaseIterable {
    /// One of the words that the cases have.
    static var choice: FieldForm { choice(of: Array(Value.allCases)) }
}

extension FieldForm<Bool> {
    /// `true` or `false` without quotes, and `yes` or `no` in an editor.
    static var flag: FieldForm {
        var form = FieldForm(
            shape: .boolean, read: \.boolean, write: { .literal("\($0)") }, parse: { Bool($0) }, choices: ["true", "false"])
        form.words = ["true": "yes", "false": "no"]
        return form
    }

    /// `none`, or a map of fields that say more.
    static var noneOrMap: FieldForm {
        var form = FieldForm(
            shape: .oneOf(["none"]), read: { $0.pairs != nil ? true : $0.text == "none" ? false : nil },
            write: { $0 ? .map : .text("none") }, parse: { ["on": true, "none": false][$0] }, choices: ["on", "none"])
        form.words = ["none": "off"]
        return form
    }
}

extension FieldForm<String> {
    /// A text with templates.
    static var text: FieldForm { text(.text) }

    /// A text that isn't a number, `true` or `false`; the empty one says that there is none.
    static var nameOrNone: FieldForm { withNone(.name) }

    /// Any text; the empty one says that there is none.
    static var textOrNone: FieldForm { withNone(.text) }

    private static func text(_ shape: FormatShape) -> FieldForm {
        var form = scalar(shape, { $0 }, { .text($0) })
        form.texts = { [$0] }
        form.value = \.first
        return form
    }

    private static func withNone(_ shape: FormatShape) -> FieldForm {
        var form = text(shape)
        form.words = ["": "none"]
        return form
    }
}

extension FieldForm<[String]> {
    /// Texts with templates.
    ///
    /// - Parameter separators: what stands between two of them in an editor.
    static func texts(separators: Set<Character>) -> FieldForm {
        list(.list(.text), separators) { !$0.isEmpty }
    }

    /// What a request is tried again after, without a list when it is one.
    static var retryTriggers: FieldForm {
        var form = list(.either([.retryTrigger, .list(.retryTrigger)]), [",", " "]) { RetryCondition($0) != nil }
        form.texts = { _ in [] }
        return form
    }

    /// Some of a few words.
    static func choices(_ names: [String]) -> FieldForm {
        var form = list(.list(.oneOf(names)), [",", " "], accepts: names.contains)
        form.texts = { _ in [] }
        return form
    }

    private static func list(
        _ shape: FormatShape, _ separators: Set<Character>, accepts: @escaping @Sendable (String) -> Bool
    ) -> FieldForm {
        var form = FieldForm(
            shape: shape,
            read: { node in (node.items?.compactMap(\.text) ?? node.text.map { [$0] })?.filter { $0.isEmpty || accepts($0) } },
            write: { .texts($0) },
            parse: { line in
                // A list is shown with commas, whatever else may separate its items.
                let texts = line.split(whereSeparator: separators.contains).map {
                    String(($0.hasSuffix(",") ? $0.dropLast() : $0).trimmed)
                }
                return texts.allSatisfy(accepts) ? texts : nil
            })
        form.texts = { $0 }
        form.value = { $0 }
        return form
    }
}

extension FieldForm<RequestSettings.Limit> {
    /// A duration above zero, or `never`.
    static var timeout: FieldForm {
        scalar(.timeout, { RequestSettings.Limit($0) }, { .text($0.text) })
    }
}

extension FieldForm<Duration> {
    static var duration: FieldForm {
        scalar(.duration, DurationText.parse, { .text(DurationText.format($0)) })
    }
}

extension FieldForm<ClosedRange<Duration>> {
    static var durationRange: FieldForm {
        scalar(.durationRange, DurationText.parseRange, { .text(DurationText.format($0)) })
    }
}

extension FieldForm<DelaySetting> {
    static var delay: FieldForm {
        FieldForm(
            shape: .either([.durationRange, .keys(.delay)]), read: { DelaySetting($0) }, write: { $0.written },
            parse: { DelaySetting(line: $0) })
    }
}

extension FieldForm<ClosedRange<UInt16>> {
    static var ports: FieldForm {
        scalar(.ports, PortsText.parse, { .text(PortsText.format($0)) })
    }
}

extension FieldForm<Int> {
    static func count(_ range: ClosedRange<Int>) -> FieldForm {
        scalar(.count(range), { Int($0).flatMap { range.contains($0) ? $0 : nil } }, { .literal("\($0)") })
    }

    /// Bytes.
    static var byteCount: FieldForm {
        scalar(.byteCount, ByteCountText.parse, { .literal(ByteCountText.format($0)) })
    }
}

extension FieldForm<Double> {
    /// A number without a point where it needs none.
    static func number(_ range: ClosedRange<Double>) -> FieldForm {
        scalar(
            .number(range), { Double($0).flatMap { range.contains($0) ? $0 : nil } },
            { .literal(NumberText.format($0)) })
    }
}

extension RequestSettings.Limit {
    fileprivate init?(_ text: String) {
        if text == "never" {
            self = .never
        } else {
            guard let duration = DurationText.parse(text), duration > .zero else { return nil }
            self = .after(duration)
        }
    }

    fileprivate var text: String {
        switch self {
        case .never: "never"
        case .after(let duration): DurationText.format(duration)
        }
    }
}

/// A value as a file writes it.
enum FieldText: Hashable, Sendable {
    case text(String)
    /// A number or a boolean, never in quotes.
    case literal(String)
    case texts([String])
    /// A map of texts.
    case pairs([Pair])
    /// A map, which has fields of its own.
    case map

    struct Pair: Hashable, Sendable {
        var key: String
        var text: String
        /// A number, never in quotes.
        var isLiteral = false
    }

    /// In one line, as people read and type it.
    var line: String {
        switch self {
        case .text(let text), .literal(let text): text
        case .texts(let texts): texts.joined(separator: ", ")
        case .pairs(let pairs): pairs.map { "\($0.key) \($0.text)" }.joined(separator: ", ")
        case .map: "on"
        }
    }
}
