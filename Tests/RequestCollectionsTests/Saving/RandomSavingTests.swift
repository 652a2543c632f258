import NetworkLayerTesting
import Testing

@testable import RequestCollections

/// Random collections and random edits, from fixed seeds: each edit reads back as the draft (which saving checks itself, and
/// throws otherwise), and no comment is lost that didn't stand beside what was deleted.
@Suite struct RandomSavingTests {
    @Test(arguments: 0..<200)
    func `a random edit of a random collection reads back as the draft`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let text = RandomCollection.text(&random)
        var bytes = Array(text.utf8)
        var collection = RequestCollection.load(path: "random.yaml", bytes: bytes)
        try #require(collection.problems == [], "\(text)")
        for _ in 0..<8 {
            let stored = try #require(collection.requests.randomElement(using: &random))
            var draft = stored
            let edit = RandomEdit.allCases.randomElement(using: &random)!
            edit.apply(to: &draft, &random)
            let change: CollectionChange
            do {
                change = try collection.change(to: draft, from: stored, in: bytes)
            } catch {
                Issue.record("\(edit) of \(stored.id): \(error)\n\(String(decoding: bytes, as: UTF8.self))\n\(draft)")
                return
            }
            let after = change.files.first?.after ?? bytes
            if !edit.removesEntries {
                #expect(comments(after) == comments(bytes), "\(edit) of \(stored.id)\n\(String(decoding: bytes, as: UTF8.self))")
            }
            #expect(after.contains(0x0D) == bytes.contains(0x0D))
            #expect(change.collection.requests.map(\.id) == collection.requests.map(\.id))
            (bytes, collection) = (after, change.collection)
        }
    }

    private func comments(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes.filter { $0 != 0x0D }, as: UTF8.self).split(separator: "\n").flatMap {
            $0.split(separator: " #c").dropFirst()
        }.sorted()
    }
}

private enum RandomEdit: CaseIterable {
    case value, toggle, rename, delete, insert, move, url, method, name, text, json, nested

    /// A new name may be there already; then two entries become one.
    var removesEntries: Bool { [.delete, .rename, .move, .json, .text, .nested].contains(self) }

    private static var rows: [WritableKeyPath<RequestDefinition, [RequestDefinition.Row]>] {
        [\.query, \.headers, \.cookies, \.path]
    }

    func apply(to draft: inout RequestDefinition, _ random: inout SeededGenerator) {
        let rows = Self.rows.randomElement(using: &random)!
        let index = draft[keyPath: rows].indices.randomElement(using: &random)
        switch self {
        case .value:
            if let index { draft[keyPath: rows][index].value = RandomCollection.value(&random) }
        case .toggle:
            if let index { draft[keyPath: rows][index].isEnabled.toggle() }
        case .rename:
            if let index { draft[keyPath: rows][index].name = RandomCollection.name(&random) }
        case .delete:
            if let index { draft[keyPath: rows].remove(at: index) }
        case .insert:
            let row = RequestDefinition.Row(
                name: RandomCollection.name(&random), value: RandomCollection.value(&random), isEnabled: Bool.random(using: &random)
            )
            draft[keyPath: rows].insert(row, at: Int.random(in: 0...draft[keyPath: rows].count, using: &random))
        case .move:
            if let index {
                let row = draft[keyPath: rows].remove(at: index)
                draft[keyPath: rows].insert(row, at: Int.random(in: 0...draft[keyPath: rows].count, using: &random))
            }
        case .url: draft.url = "http://h/" + RandomCollection.value(&random)
        case .method: draft.method = ["GET", "POST", "PURGE", "QUERY"].randomElement(using: &random)!
        case .name: draft.name = RandomCollection.value(&random)
        case .text: draft.body = .text(RandomCollection.value(&random))
        case .json: draft.body = .json(RandomCollection.json(&random, depth: 0).text(pretty: true))
        case .nested:
            // A small change inside what is there.
            guard case .json(let text)? = draft.body, var value = JSONParser.parse(text) else { return }
            RandomCollection.mutate(&value, &random)
            draft.body = .json(value.text(pretty: true))
        }
    }
}

enum RandomCollection {
    private static let values = [
        "x", "", "a b", " a", "a ", "1", "1.50", "true", "null", "~", "yes", "a: b", "a:b", "a #b", "#a", "- a", "-a", "-", "?",
        ": a", "it's", "\"q\"",
        "\\", "a\\n", "{{x}}", "{{x}}/y", "a, b", "[a]", "{a}", "*a", "&a", "!a", "|", ">", "%a", "@a", "`a`", "ä ö 🐦", "a\nb",
        "a\n", "\na",
        "a\n\nb\n", "  a\nb", "a\n  b\n", "a\n\n", "\n", "a\tb", "\ta", "a\r\nb", "a\u{85}b", "a\u{2028}b", "\u{1}", "\u{FEFF}",
        "...", "---", "--- a",
        "<<", "=", "0x1F", "2026-11-20", "12:30", "a\n \nb", "a \nb", "a'b\"c\\d", "\u{7F}", "!!str", "key: |", "e1", "1e5", ".5",
        "+1", "a,", "a]", "a:",
    ]

    static func value(_ random: inout SeededGenerator) -> String { values.randomElement(using: &random)! }

    static func name(_ random: inout SeededGenerator) -> String {
        ["a", "b", "c", "x-long-name", "e f", "g: h", "1", "true", "ü", "i,j", "{{k}}", "'l"].randomElement(using: &random)!
    }

    static func json(_ random: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth < 3 ? 8 : 5), using: &random) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &random))
        case 2: return .number(["0", "-1", "1.50", "1E5", "12345678901234567890"].randomElement(using: &random)!)
        case 3, 4: return .string(value(&random))
        case 5:
            return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in json(&random, depth: depth + 1) })
        default:
            let names = Set((0..<Int.random(in: 0..<4, using: &random)).map { _ in name(&random) }).sorted()
            return .object(names.map { .init(name: $0, value: json(&random, depth: depth + 1)) })
        }
    }

    static func mutate(_ value: inout JSONValue, _ random: inout SeededGenerator) {
        switch value {
        case .array(var values) where !values.isEmpty:
            let index = values.indices.randomElement(using: &random)!
            switch Int.random(in: 0..<4, using: &random) {
            case 0: values.remove(at: index)
            case 1: values.insert(json(&random, depth: 2), at: index)
            default: mutate(&values[index], &random)
            }
            value = .array(values)
        case .object(var members) where !members.isEmpty:
            let index = members.indices.randomElement(using: &random)!
            switch Int.random(in: 0..<4, using: &random) {
            case 0: members.remove(at: index)
            case 1: members.append(.init(name: "new", value: json(&random, depth: 2)))
            default: mutate(&members[index].value, &random)
            }
            members = members.enumerated().filter { entry in !members[..<entry.offset].contains { $0.name == entry.element.name } }
                .map(\.element)
            value = .object(members)
        default: value = json(&random, depth: 2)
        }
    }

    // MARK: Writing

    private struct Writer {
        var lines: [String] = []
        var comments = 0
        var step: Int

        mutating func add(_ indent: Int, _ text: String, _ random: inout SeededGenerator) {
            var line = String(repeating: " ", count: indent) + text
            if Int.random(in: 0..<4, using: &random) == 0 {
                line += " #c\(comments)"
                comments += 1
            }
            lines.append(line)
            if Int.random(in: 0..<8, using: &random) == 0 { lines.append("") }
            if Int.random(in: 0..<8, using: &random) == 0 {
                lines.append(String(repeating: " ", count: indent) + " #c\(comments)")
                comments += 1
            }
        }
    }

    static func text(_ random: inout SeededGenerator) -> String {
        var writer = Writer(step: [2, 2, 4, 3].randomElement(using: &random)!)
        writer.add(0, "turnstone: 1", &random)
        writer.add(0, "requests:", &random)
        for index in 0..<Int.random(in: 1...3, using: &random) {
            if Int.random(in: 0..<5, using: &random) == 0 {
                writer.add(writer.step, "r\(index): \(flowRequest(&random))", &random)
            } else {
                blockRequest("r\(index)", &writer, &random)
            }
        }
        return finished(writer, &random)
    }

    /// The same with folders, and now and then a byte order mark.
    static func tree(_ random: inout SeededGenerator) -> String {
        var writer = Writer(step: [2, 2, 4, 3].randomElement(using: &random)!)
        writer.add(0, "turnstone: 1", &random)
        writer.add(0, "requests:", &random)
        var names = (0..<30).map { "r\($0)" }[...]
        func level(_ depth: Int, _ count: Int) {
            for _ in 0..<count {
                let name = names.removeFirst()
                let indent = writer.step * (2 * depth + 1)
                switch Int.random(in: 0..<6, using: &random) {
                case 0 where depth < 2:
                    writer.add(indent, "\(name):", &random)
                    let isEmpty = Int.random(in: 0..<4, using: &random) == 0
                    writer.add(indent + writer.step, isEmpty ? "requests: {}" : "requests:", &random)
                    if !isEmpty { level(depth + 1, Int.random(in: 1...3, using: &random)) }
                case 1: writer.add(indent, "\(name): \(flowRequest(&random))", &random)
                case 2 where depth < 2:
                    let inner = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                        "\(names.removeFirst()): \(flowRequest(&random))"
                    }
                    writer.add(indent, "\(name): { requests: { \(inner.joined(separator: ", ")) } }", &random)
                default:
                    var inner = Writer(comments: writer.comments, step: writer.step)
                    blockRequest(name, &inner, &random)
                    writer.comments = inner.comments
                    let prefix = String(repeating: " ", count: indent - writer.step)
                    writer.lines += inner.lines.map { $0.isEmpty ? "" : prefix + $0 }
                }
            }
        }
        level(0, Int.random(in: 1...5, using: &random))
        let text = finished(writer, &random)
        return (Int.random(in: 0..<6, using: &random) == 0 ? "\u{FEFF}" : "") + text
    }

    private static func finished(_ writer: Writer, _ random: inout SeededGenerator) -> String {
        var text = writer.lines.joined(separator: "\n")
        if Bool.random(using: &random) { text += "\n" }
        return Int.random(in: 0..<5, using: &random) == 0 ? text.replacing("\n", with: "\r\n") : text
    }

    private static func scalar(_ text: String, isFlow: Bool, _ random: inout SeededGenerator) -> String {
        let style = [YAMLScalarStyle.plain, .plain, .singleQuoted, .doubleQuoted].randomElement(using: &random)!
        guard case .inline(let written) = ScalarWriter.write(text, .text, style: style, isFlow: true) else { return "x" }
        return written
    }

    private static func row(_ random: inout SeededGenerator) -> String {
        let text = scalar(value(&random), isFlow: true, &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "{ value: \(text), enabled: false }"
        case 1: return "{enabled: true, value: \(text)}"
        case 2: return "[\(text), \(scalar(value(&random), isFlow: true, &random))]"
        case 3: return "null"
        default: return text
        }
    }

    private static func names(_ random: inout SeededGenerator) -> [String] {
        Set((0..<Int.random(in: 1...4, using: &random)).map { _ in name(&random) }).sorted()
            .map { scalar($0, isFlow: true, &random) }
    }

    private static func flowRequest(_ random: inout SeededGenerator) -> String {
        let rows = names(&random).map { "\($0): \(row(&random))" }.joined(separator: ", ")
        return
            "{ get: http://h/, headers: { \(rows) }, body: { json: \(json(&random, depth: 1).text(pretty: false).replacing("\u{7F}", with: "").replacing("\u{FEFF}", with: "").replacing("\u{85}", with: "").replacing("\u{2028}", with: "").replacing("\":", with: "\": ")) } }"
    }

    private static func blockRequest(_ name: String, _ writer: inout Writer, _ random: inout SeededGenerator) {
        let indent = writer.step * 2
        writer.add(writer.step, "\(name):", &random)
        writer.add(indent, "get: http://h/", &random)
        for key in ["query", "headers", "cookies"] where Bool.random(using: &random) {
            let names = names(&random)
            if Bool.random(using: &random) {
                writer.add(indent, "\(key): { \(names.map { "\($0): \(row(&random))" }.joined(separator: ", ")) }", &random)
                continue
            }
            writer.add(indent, "\(key):", &random)
            for name in names {
                if Int.random(in: 0..<6, using: &random) == 0 {
                    writer.add(indent + writer.step, "\(name):", &random)
                    for _ in 0..<2 {
                        writer.add(indent + writer.step, "- \(scalar(value(&random), isFlow: true, &random))", &random)
                    }
                } else {
                    writer.add(indent + writer.step, "\(name): \(row(&random))", &random)
                }
            }
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            writer.add(indent, "body:", &random)
            writer.lines.append(String(repeating: " ", count: indent + writer.step) + "text: |")
            for line in ["one", "", "  two", "three # no comment"] {
                writer.lines.append(line.isEmpty ? "" : String(repeating: " ", count: indent + 2 * writer.step) + line)
            }
            if Bool.random(using: &random) { writer.lines.append("") }
        case 1:
            let renderer = ValueRenderer(step: writer.step)
            writer.add(indent, "body:", &random)
            writer.add(indent + writer.step, "json:", &random)
            let entries = ["a", "b", "c d"].map { DesiredEntry(source: nil, key: $0, value: desired(json(&random, depth: 1))) }
            for entry in entries { writer.lines += renderer.lines(entry, isMap: true, indent: indent + 2 * writer.step) }
        default: break
        }
        if Bool.random(using: &random) { writer.add(indent, "priority: low", &random) }
    }

    private static func desired(_ value: JSONValue) -> DesiredValue {
        switch value {
        case .null: .scalar("null", .literal)
        case .boolean(let flag): .scalar("\(flag)", .literal)
        case .number(let digits): .scalar(digits, .literal)
        case .string(let text): .scalar(text, .string)
        case .array(let values): .list(values.map { DesiredEntry(source: nil, key: "", value: desired($0)) }, .automatic)
        case .object(let members):
            .map(members.map { DesiredEntry(source: nil, key: $0.name, value: desired($0.value)) }, .automatic)
        }
    }
}
