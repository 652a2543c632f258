@testable import RequestCollections

/// What a file may say of a key of a request, made from the tables' shapes: whoever adds a row adds nothing here.
package struct FormatSample: Sendable, CustomStringConvertible {
    /// The key of the request, and the keys in its map: `mock`, `latency`.
    package let path: [String]
    /// As YAML in one line, that of the request's key.
    package let value: String

    package var line: String { "\(path[0]): \(value)" }
    package var description: String { "\(path.joined(separator: ".")) in \(line)" }

    /// Those of every row. A row whose keys depend on each other may have some that the reader refuses, too.
    package static let all: [FormatSample] = RequestKey.all.flatMap { key in
        key.shape.samplesByPath.map { FormatSample(path: [key.name] + $0.path, value: $0.value) }
    }

    /// The path of every row.
    package static let paths: [[String]] = RequestKey.all.flatMap { key in key.shape.paths.map { [key.name] + $0 } }
}

extension FormatShape {
    fileprivate typealias Sample = (path: [String], value: String)

    /// Those of this shape, with the path of the row that each is about.
    fileprivate var samplesByPath: [Sample] {
        switch self {
        case .keys(let table): table.samples
        case .either(let shapes): shapes.flatMap(\.samplesByPath)
        case .named(let shape), .variables(let shape): shape.samplesByPath.map { ($0.path, "{ b: \($0.value) }") }
        case .list(let shape): [([], "[\(shape.samplesByPath.prefix(2).map(\.value).joined(separator: ", "))]")]
        case .notEmpty(let shape): shape.samplesByPath
        case .integer: [([], "3")]
        case .text: [([], "word"), ([], "'{{a}} b'"), ([], "''")]
        case .prose: [([], "'some words: {{ none'"), ([], "'3'")]
        case .anything: ["7", "word", "'7'", "{ x: [1, true], y: { z: 1.50 } }", "[]"].map { ([], $0) }
        case .rows: [([], "{ a: 1, b: [x, 'y z'], c: { value: z, enabled: false }, d: ~ }"), ([], "{}")]
        case .parts: [([], "{ a: b, c: { file: x.png, type: image/png }, d: { value: v, filename: f, enabled: false } }")]
        case .captureSource: [".id", "'header:etag'", "'cookie:sid'", "status", "url", "body"].map { ([], $0) }
        case .steps: [([], "base64"), ([], "[base64, json, .a.b, number]")]
        case .bodyMatcher: [([], "word"), ([], "{ .id: 7, .a[].b: { each: exists } }")]
        case .matcher(let kind): kind.samples.map { ([], $0) }
        case .conditions: [([], "{ a: word, b: [1, 2] }"), ([], "{ any: [{ a: word }, { b: missing }] }")]
        case .loop(let table): [([], "{ sku: [A7, B9] }"), ([], "[{ a: [1, 2] }, { b: 1..3 }]")] + table.samples
        default: samples.map { ([], $0) }
        }
    }

    fileprivate var paths: [[String]] {
        switch self {
        case .keys(let table): table.keys.flatMap { key in key.takes.paths.map { [key.name] + $0 } }
        case .either(let shapes):
            // Alternatives without keys are one row.
            Array(Set(shapes.flatMap(\.paths))).sorted { $0.joined(separator: ".") < $1.joined(separator: ".") }
        case .named(let shape), .variables(let shape), .notEmpty(let shape): shape.paths
        case .loop(let table): [[]] + FormatShape.keys(table).paths
        default: [[]]
        }
    }
}

extension FormatTable {
    /// Each key with what the others ask for, alone where there can be one.
    fileprivate var samples: [FormatShape.Sample] {
        var exclusive: Set<String> = []
        var required: [String] = []
        var alternatives: [[String]] = [[]]
        for rule in rules {
            switch rule {
            case .required(let names): required += names
            case .exactlyOne(let names):
                exclusive = Set(names)
                alternatives = names.map { [$0] }
            case .atMostOne(let names): exclusive = Set(names)
            case .requiredBy(_, let names): alternatives = Array(Set(names.values)) + alternatives
            case .notEmpty: break
            }
        }
        return keys.flatMap { key -> [FormatShape.Sample] in
            let others = exclusive.contains(key.name) ? [[]] : alternatives
            return others.flatMap { others in
                samples(of: key).map { sample in
                    let names = (required + others).filter { $0 != key.name }
                    let rest = Set(names).sorted().compactMap { name in
                        self[name].flatMap { other in samples(of: other, beside: key).first.map { "\(name): \($0.value)" } }
                    }
                    return ([key.name] + sample.path, "{ \((rest + ["\(key.name): \(sample.value)"]).joined(separator: ", ")) }")
                }
            }
        }
    }
}

extension FormatTable {
    /// What a file of items is called says what it is, and only JSON has places.
    private func samples(of key: FormatKey, beside other: FormatKey? = nil) -> [FormatShape.Sample] {
        guard self === FormatTable.items else { return key.takes.samplesByPath }
        return switch key.name {
        case "file": [([], other?.name == "at" ? "users.json" : "users.csv")]
        case "at": [([], ".users")]
        default: key.takes.samplesByPath
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
