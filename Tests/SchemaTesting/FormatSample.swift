@testable import RequestCollections

/// What a file may say of a key of a request, made from the tables' shapes: whoever adds a row adds nothing here.
package struct FormatSample: Sendable, CustomStringConvertible {
    /// The key of the request, and the keys in its map: `mock`, `latency`.
    package let path: [String]
    /// As YAML in one line, that of the request's key.
    package let value: String
    /// The same without the row; `nil` where the row is the request's own.
    private let rest: String?

    private init(path: [String], value: String, rest: String? = nil) {
        self.path = path
        self.value = value
        self.rest = rest
    }

    package var withoutRow: FormatSample? { rest.map { FormatSample(path: path, value: $0) } }
    package var line: String { "\(path[0]): \(value)" }
    package var description: String { "\(path.joined(separator: ".")) in \(line)" }

    /// Those of every row. A row whose keys depend on each other may have some that the reader refuses, too.
    package static let all: [FormatSample] = RequestKey.all.flatMap { key in
        key.shape.samplesByPath.map { FormatSample(path: [key.name] + $0.path, value: $0.value, rest: $0.rest) }
    }

    /// What rows of a map can't take.
    package static let refused: [FormatSample] = RequestKey.all.flatMap { key in
        key.shape.refusedByPath.map { FormatSample(path: [key.name] + $0.path, value: $0.value) }
    }

    /// The path of every row.
    package static let paths: [[String]] = RequestKey.all.flatMap { key in key.shape.paths.map { [key.name] + $0 } }
}

extension FormatShape {
    fileprivate typealias Sample = (path: [String], value: String, rest: String?)

    private static func plain(_ values: [String]) -> [Sample] { values.map { ([], $0, nil) } }

    /// Those of this shape, with the path of the row that each is about.
    fileprivate var samplesByPath: [Sample] {
        switch self {
        case .keys(let table): table.samples(of: \.samplesByPath)
        case .either(let shapes): shapes.flatMap(\.samplesByPath)
        case .named(let shape), .variables(let shape): Self.named(shape.samplesByPath)
        case .list(let shape):
            Self.plain([2, 1].map { "[\(shape.samplesByPath.prefix($0).map(\.value).joined(separator: ", "))]" })
                + Self.listed(shape.samplesByPath.filter { !$0.path.isEmpty })
        case .notEmpty(let shape): shape.samplesByPath
        case .integer: Self.plain(["3"])
        case .duration: Self.plain(samples + ["2345ms"])
        case .text: Self.plain(["word", "other", "'{{a}} b'", "''"])
        case .prose: Self.plain(["'some words: {{ none'", "'3'"])
        case .anything: Self.plain(["7", "word", "'7'", "{ x: [1, true], y: { z: 1.50 } }", "[]"])
        case .rows:
            Self.plain(["{ a: 1, b: [x, 'y z'], c: { value: z, enabled: false }, d: ~ }", "{}"])
                + Self.named(FormatTable.row.samples(of: \.samplesByPath))
        case .parts:
            Self.plain(["{ a: b, c: { file: x.png, type: image/png }, d: { value: v, filename: f, enabled: false } }", "{ a: c }"])
                + Self.named(FormatTable.part.samples(of: \.samplesByPath))
        case .captureSource: Self.plain([".id", "'header:etag'", "'cookie:sid'", "status", "url", "body"])
        case .steps: Self.plain(["base64", "[base64, json, .a.b, number]"])
        case .bodyMatcher:
            Self.plain(["word", "{ .id: 7, '.a[].b': { each: exists } }"])
                + FormatTable.matcher.samples(of: \.samplesByPath).map { ($0.path, "{ .a: \($0.value) }", "{ .a: exists }") }
        case .matcher(let kind): Self.plain(kind.samples)
        case .conditions: Self.plain(["{ a: word, b: [1, 2] }", "{ any: [{ a: word }, { b: missing }] }"])
        case .loop(let table):
            Self.plain(["{ sku: [A7, B9] }", "[{ a: [1, 2] }, { b: 1..3 }]"]) + table.samples(of: \.samplesByPath)
        default: Self.plain(samples)
        }
    }

    private static func named(_ samples: [Sample]) -> [Sample] {
        samples.map { sample in (sample.path, "{ b: \(sample.value) }", sample.rest.map { "{ b: \($0) }" }) }
    }

    private static func listed(_ samples: [Sample]) -> [Sample] {
        samples.map { sample in (sample.path, "[\(sample.value)]", sample.rest.map { "[\($0)]" }) }
    }

    /// Of rows of maps alone.
    fileprivate var refusedByPath: [Sample] {
        switch self {
        case .keys(let table), .loop(let table): table.samples { Self.plain($0.refusedScalars) + $0.refusedByPath }
        case .either(let shapes): shapes.flatMap(\.refusedByPath)
        case .named(let shape), .variables(let shape): Self.named(shape.refusedByPath)
        case .notEmpty(let shape): shape.refusedByPath
        case .list(let shape): Self.listed(shape.refusedByPath)
        case .parts: Self.named(FormatTable.part.samples { Self.plain($0.refusedScalars) })
        case .rows: Self.named(FormatTable.row.samples { Self.plain($0.refusedScalars) })
        default: []
        }
    }

    private var refusedScalars: [String] {
        switch self {
        case .oneOf, .boolean, .timeout, .duration, .durationRange, .number, .count, .byteCount: refusedSamples
        default: []
        }
    }

    fileprivate var paths: [[String]] {
        switch self {
        case .keys(let table): table.keys.flatMap { key in key.takes.paths.map { [key.name] + $0 } }
        case .either(let shapes):
            // Alternatives without keys are one row.
            Array(Set(shapes.flatMap(\.paths))).sorted { $0.joined(separator: ".") < $1.joined(separator: ".") }
        case .named(let shape), .variables(let shape), .notEmpty(let shape): shape.paths
        case .list(let shape): [[]] + shape.paths.filter { !$0.isEmpty }
        case .loop(let table): [[]] + FormatShape.keys(table).paths
        case .rows: [[]] + FormatShape.keys(FormatTable.row).paths
        case .parts: [[]] + FormatShape.keys(FormatTable.part).paths
        case .bodyMatcher: [[]] + FormatTable.matcher.keys.map { [$0.name] }
        default: [[]]
        }
    }
}

extension FormatTable {
    /// Each key with what the others ask for, alone where there can be one.
    fileprivate func samples(of values: (FormatShape) -> [FormatShape.Sample]) -> [FormatShape.Sample] {
        var exclusive: Set<String> = []
        var required: [String] = []
        // Keys, and a line that says why they must be.
        var alternatives: [(names: [String], reason: String?)] = [([], nil)]
        var deciding: [String] = []
        for rule in rules {
            switch rule {
            case .required(let names): required += names
            case .exactlyOne(let names):
                exclusive = Set(names)
                alternatives = names.map { ([$0], nil) }
            case .atMostOne(let names): exclusive = Set(names)
            case .requiredBy(let key, let names):
                deciding.append(key)
                let all = Set(names.values.flatMap(\.self)).sorted()
                alternatives = names.map { value, names in (names, value.map { "\(key): \($0)" }) } + [(all, nil)] + alternatives
            case .notEmpty: break
            }
        }
        return keys.flatMap { key -> [FormatShape.Sample] in
            let others = exclusive.contains(key.name) ? [([], nil)] : alternatives
            return others.flatMap { others -> [FormatShape.Sample] in
                if others.reason != nil, deciding.contains(key.name) { return [] }
                let names = (required + others.names).filter { $0 != key.name }
                let rest =
                    Set(names).sorted().compactMap { name in
                        self[name].flatMap { other in
                            samples(of: other, beside: key, \.samplesByPath).first.map { "\(name): \($0.value)" }
                        }
                    } + [others.reason].compactMap(\.self)
                func map(_ value: String?) -> String {
                    "{ \((rest + (value.map { ["\(key.name): \($0)"] } ?? [])).joined(separator: ", ")) }"
                }
                return samples(of: key, values).map { sample -> FormatShape.Sample in
                    ([key.name] + sample.path, map(sample.value), map(sample.rest))
                }
            }
        }
    }
}

extension FormatTable {
    /// What a file of items is called says what it is, and only JSON has places.
    private func samples(
        of key: FormatKey, beside other: FormatKey? = nil, _ values: (FormatShape) -> [FormatShape.Sample]
    ) -> [FormatShape.Sample] {
        guard self === FormatTable.items, !values(key.takes).isEmpty else { return values(key.takes) }
        return switch key.name {
        case "file":
            (other?.name == "at" ? ["users.json"] : ["users.csv", "people.csv"]).map { ([], $0, nil) }
        case "at": [([], ".users", nil)]
        default: values(key.takes)
        }
    }
}

extension MatcherKind {
    fileprivate var samples: [String] {
        switch self {
        case .status: ["200", "2xx", "[200, 404]"]
        case .number: ["7", "'< 5'"]
        case .bytes: ["'< 5KB'"]
        case .duration: ["'< 1s'"]
        case .failure: ["timeout"]
        case .text: ["word", "'7'", "missing", "/a.c/", "{ not: word }"]
        case .json: ["word", "7", "exists", "[a, 7]", "{ each: { matches: a } }", "'> 5'"]
        }
    }
}
