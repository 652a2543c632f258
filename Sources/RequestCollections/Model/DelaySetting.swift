import NetworkLayer

/// How long to wait before a request is sent, by chance between two ends: `2s`, `1s..3s`, or `{ before: 2s, between: 200ms }`.
package struct DelaySetting: Hashable, Sendable, Codable {
    /// Before it is sent; of several items, before each of them, or before the first alone when ``between`` is given.
    package var before: ClosedRange<Duration>?
    /// The delay before each of several items but the first.
    package var between: ClosedRange<Duration>?

    package init(before: ClosedRange<Duration>? = nil, between: ClosedRange<Duration>? = nil) {
        self.before = before
        self.between = between
    }

    /// - Parameter isFirst: whether it is the first item, or the only one.
    package func pause(isFirst: Bool) -> ClosedRange<Duration>? { isFirst ? before : between ?? before }
}

extension DelaySetting {
    /// The keys of the map, with what stands there.
    private var pairs: [(key: String, pause: ClosedRange<Duration>)] {
        [("before", before), ("between", between)].compactMap { key, pause in pause.map { (key, $0) } }
    }

    /// A duration alone where that says all.
    var written: FieldText {
        if let before, between == nil { return .text(DurationText.format(before)) }
        return .pairs(pairs.map { .init(key: $0.key, text: DurationText.format($0.pause)) })
    }

    init?(_ node: YAMLNode) {
        guard let pairs = node.pairs else {
            guard let text = node.text, let pause = DurationText.parseRange(text) else { return nil }
            self.init(before: pause)
            return
        }
        self.init()
        for pair in pairs {
            guard let pause = pair.value.text.flatMap(DurationText.parseRange) else { return nil }
            switch pair.key.text {
            case "before": before = pause
            case "between": between = pause
            default: return nil
            }
        }
        if before == nil, between == nil { return nil }
    }

    /// Reads a line as an editor shows it: `2s`, `before 2s, between 200ms`.
    init?(line: String) {
        if let pause = DurationText.parseRange(line) {
            self.init(before: pause)
            return
        }
        self.init()
        for part in line.split(separator: ",") {
            let words = part.split(separator: " ")
            guard words.count == 2, let pause = DurationText.parseRange(String(words[1])) else { return nil }
            switch words[0] {
            case "before": before = pause
            case "between": between = pause
            default: return nil
            }
        }
        if before == nil, between == nil { return nil }
    }
}
