import NetworkLayer

/// What generated requests call: of `locust_runtime.py`, only the parts that something uses.
///
/// The file is Python as any other, for editors and linters; SwiftPM builds its bytes into the program, which stays one file.
struct LocustRuntime {
    /// The import statements of everything.
    let imports: String
    /// The parts, in their order.
    let text: String

    /// - Parameter code: what calls the parts.
    init(usedBy code: String) {
        // What Locust itself calls, and every request.
        var used: Set<String> = ["Values", "Reply", "send", "options"]
        var added = true
        while added {
            added = false
            for part in Self.parts where !used.contains(part.name) {
                let callers = [code] + Self.parts.filter { used.contains($0.name) }.map(\.code)
                if callers.contains(where: { Self.uses(part.name, in: $0) }) {
                    used.insert(part.name)
                    added = true
                }
            }
        }
        let parts = Self.parts.filter { used.contains($0.name) }
        text = parts.map(\.code).joined(separator: "\n\n\n")
        let all = ([code] + parts.map(\.code)).joined(separator: "\n")
        imports = Self.importLines.compactMap { Self.importLine($0, for: all) }.joined(separator: "\n") + "\n"
    }

    /// An import statement without the names that nothing uses; `nil` when none is left.
    private static func importLine(_ line: String, for code: String) -> String? {
        guard let range = line.firstRange(of: "import ") else { return line }
        let names = line[range.upperBound...].split(separator: ", ").filter { uses(String($0), in: code) }
        return names.isEmpty ? nil : line[..<range.upperBound] + names.joined(separator: ", ")
    }

    /// Whether a name stands in it as a word, and not as somebody's member or in quotes.
    private static func uses(_ name: String, in code: String) -> Bool {
        var rest = Substring(code)
        var before: Character?
        while let range = rest.firstRange(of: name) {
            if range.lowerBound > rest.startIndex { before = rest[rest.index(before: range.lowerBound)] }
            let after = range.upperBound < rest.endIndex ? rest[range.upperBound] : nil
            if !isPart(before), before != ".", before != "\"", !isPart(after), after != "\"" { return true }
            before = rest[rest.index(before: range.upperBound)]
            rest = rest[range.upperBound...]
        }
        return false
    }

    private static func isPart(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }

    // MARK: The file

    /// A function, a class or a constant.
    struct Part: Sendable {
        let name: String
        let code: String

        init(_ code: Substring) {
            // `def name(…`, `class Name:` or `NAME = …`, below decorators.
            let line = code.lines.first { !$0.isEmpty && !$0.hasPrefix("@") } ?? ""
            let words = line.split { !LocustRuntime.isPart($0) }
            name = words.first { $0 != "def" && $0 != "class" }.map(String.init) ?? ""
            self.code = String(code)
        }
    }

    /// The file's head, and its parts.
    private static let blocks: [Substring] = {
        let file = String(decoding: PackageResources.locust_runtime_py, as: UTF8.self)
        return file.dropLast().split(separator: "\n\n\n")
    }()

    static let parts: [Part] = blocks.dropFirst().map { Part($0) }

    /// Standard modules, an empty line, others.
    private static let importLines: [String] = {
        let lines = (blocks.first ?? "").lines.map(String.init)
        return Array(lines.drop { !$0.hasPrefix("import ") })
    }()
}
