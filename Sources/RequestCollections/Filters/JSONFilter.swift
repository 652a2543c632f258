import NetworkLayer

/// A filter on a body: in jq's language, in XPath, or a regular expression.
///
/// Paths are evaluated here, over the bytes as they came: nothing is built, numbers keep their digits, and what the path doesn't
/// name is only checked and skipped. Everything else is asked of another process, as it may never end.
///
///     .items[0].id    .items[].name    .["a b"]?    .[-3:]    ..    .data | .[0]        paths
///     .items | length    map(.id)    {a: .b}    .a // "x"                              programs
///     xpath://h1         xpath:count(//li)                                             XML and HTML
///     /id=(\d+)/         /token: (\w+)/i        the first group of what is found first, or all of it
package struct JSONFilter: Sendable {
    /// As it was written.
    package let source: String
    package let language: Language

    package enum Language: Hashable, Sendable {
        case path([Step])
        case jq
        case xpath(String)
        case regex(String, ignoringCase: Bool)
        /// A command of the shell, behind an exclamation mark.
        case command
    }

    package init(_ source: String) {
        self.source = source
        var parser = JSONPathParser(source)
        language =
            if let steps = parser.path() {
                .path(steps)
            } else if source.hasPrefix(Self.xpathPrefix) {
                .xpath(String(source.dropFirst(Self.xpathPrefix.count).trimmed))
            } else if let (pattern, isIgnoringCase) = Self.regex(source) {
                .regex(pattern, ignoringCase: isIgnoringCase)
            } else {
                source.drop { $0 == " " }.hasPrefix("!") ? .command : .jq
            }
    }

    static let xpathPrefix = "xpath:"

    /// `/pattern/` and `/pattern/i`.
    static func regex(_ text: String) -> (pattern: String, ignoringCase: Bool)? {
        guard text.hasPrefix("/"), text.utf8.count > 2 else { return nil }
        let isIgnoringCase = text.hasSuffix("/i")
        guard isIgnoringCase || text.hasSuffix("/") else { return nil }
        let pattern = text.dropFirst().dropLast(isIgnoringCase ? 2 : 1)
        return pattern.isEmpty ? nil : (String(pattern), isIgnoringCase)
    }

    /// `nil` for what isn't evaluated here.
    package var steps: [Step]? {
        if case .path(let steps) = language { steps } else { nil }
    }

    /// Whether another process evaluates it.
    package var needsProcess: Bool { steps == nil }

    /// What in it reaches out of the body, such as `env`; a filter that has one isn't evaluated.
    package var refusedName: String? { language == .jq ? Self.refusedName(in: source) : nil }

    package static func refusedName(in program: String) -> String? { JQNames.refused(in: program) }

    package enum Step: Hashable, Sendable {
        case member(String, isOptional: Bool)
        /// Counts from the end when negative.
        case item(Int, isOptional: Bool)
        case slice(from: Int?, to: Int?, isOptional: Bool)
        /// `.[]`
        case each(isOptional: Bool)
        /// `..`: the value, and everything in it.
        case recurse

        var text: String {
            switch self {
            case .member(let name, let isOptional): Self.text(name) + (isOptional ? "?" : "")
            case .item(let index, let isOptional): "[\(index)]" + (isOptional ? "?" : "")
            case .slice(let start, let end, let isOptional):
                "[\(start.map(String.init) ?? ""):\(end.map(String.init) ?? "")]" + (isOptional ? "?" : "")
            case .each(let isOptional): "[]" + (isOptional ? "?" : "")
            case .recurse: ".."
            }
        }

        private static func text(_ name: String) -> String {
            if JSONPathParser.isIdentifier(name) { return ".\(name)" }
            var text = "["
            text += JSONText.quoted(name)
            return text + "]"
        }

        var isOptional: Bool {
            switch self {
            case .member(_, let isOptional), .item(_, let isOptional), .slice(_, _, let isOptional), .each(let isOptional):
                isOptional
            case .recurse: false
            }
        }
    }
}

extension JSONFilter: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.source.hasBytes(of: right.source) }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(source)) }
}

/// Why a filter gave nothing.
package struct JSONFilterError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
