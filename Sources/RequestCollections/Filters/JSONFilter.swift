import NetworkLayer

/// A filter on a JSON body, in jq's language.
///
/// Paths are evaluated here, over the bytes as they came: nothing is built, numbers keep their digits, and what the path doesn't
/// name is only checked and skipped. Everything else takes the `jq` program.
///
///     .items[0].id    .items[].name    .["a b"]?    .[-3:]    ..    .data | .[0]        paths
///     .items | length    map(.id)    {a: .b}    .a // "x"                              programs
package struct JSONFilter: Hashable, Sendable {
    /// As it was written.
    package let source: String
    /// `nil` for what only jq can evaluate.
    package let steps: [Step]?

    package init(_ source: String) {
        self.source = source
        var parser = JSONPathParser(source)
        steps = parser.path()
    }

    /// Whether it takes the `jq` program.
    package var needsJQ: Bool { steps == nil }

    /// What in it reaches out of the body, such as `env`; a filter that has one isn't evaluated.
    package var refusedName: String? { needsJQ ? JQNames.refused(in: source) : nil }

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

/// Why a filter gave nothing.
package struct JSONFilterError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
