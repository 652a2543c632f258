import OrderedCollections
import RequestCollections

/// What the variables in a text stand for, as far as that is known without running anything.
///
/// Sending resolves templates with all their functions; this is for the eye, while one types.
struct TemplatePreview: Sendable {
    private var values: [String: VariableDefinition.Value] = [:]
    /// What requests of the collection capture: it has a value by the time it is sent.
    private var captured: Set<String> = []

    /// The collection's variables under those of the environment and the ones that it extends, these under those of the request's folders
    /// and its own, and all under what was given when the program was started.
    init(
        _ collection: RequestCollection, environment: String?, of request: RequestDefinition? = nil, given: [String: String] = [:],
        secrets: Set<String> = []
    ) {
        for variable in collection.variables { values[variable.name] = variable.value }
        var chain: [EnvironmentDefinition] = []
        var next = environment
        while let name = next, let definition = collection.environments[name], chain.count < 32 {
            chain.append(definition)
            next = definition.extends
        }
        for definition in chain.reversed() {
            for variable in definition.variables { values[variable.name] = variable.value }
        }
        let own = request.map { collection.variables(around: $0) } ?? []
        for variable in own.reversed() { values[variable.name] = variable.value }
        captured = Set(collection.requests.flatMap { $0.captures.map(\.name) })
        for (name, value) in given { values[name] = secrets.contains(name) ? .secret(.prompt(name)) : .text(value) }
    }

    /// Whether the variable is read from where secrets are.
    func isSecret(_ name: String) -> Bool { if case .secret? = values[name] { true } else { false } }

    /// A piece of a text with templates.
    struct Part: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case plain
            /// The braces and what is in them.
            case template
            /// It names a variable that doesn't exist.
            case unresolved
            /// A variable's value, in place of the template.
            case value
            /// Stands for a value that must not be seen.
            case secret
        }

        var text: String
        var kind: Kind
    }

    /// The text cut at its templates.
    func parts(of text: String) -> [Part] {
        cut(text).map { part in
            guard part.kind == .template else { return part }
            return Part(text: part.text, kind: isKnown(part.text) ? .template : .unresolved)
        }
    }

    /// The text with values in place of its templates.
    func resolvedParts(of text: String) -> [Part] {
        parts(of: text).flatMap { value(of: $0, depth: 0) }
    }

    private func value(of part: Part, depth: Int) -> [Part] {
        guard part.kind == .template, depth < 8, let name = Self.plainName(part.text), let value = values[name] else {
            return [part]
        }
        switch value {
        case .text(let text):
            return parts(of: text).flatMap { inner in
                inner.kind == .plain ? [Part(text: inner.text, kind: .value)] : self.value(of: inner, depth: depth + 1)
            }
        case .json(let text): return [Part(text: text, kind: .value)]
        case .secret: return [Part(text: "••••••", kind: .secret)]
        }
    }

    /// A function or a default is known to give something.
    private func isKnown(_ template: String) -> Bool {
        guard let name = Self.plainName(template) else { return true }
        return values[name] != nil || captured.contains(name)
    }

    /// `name` of `{{ name }}`; `nil` for anything more.
    private static func plainName(_ template: String) -> String? {
        let inside = template.dropFirst(2).dropLast(2).drop { $0 == " " }
        let name = inside.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "." }
        return inside.dropFirst(name.count).allSatisfy { $0 == " " } ? String(name) : nil
    }

    private func cut(_ text: String) -> [Part] {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text.isEmpty ? [] : [Part(text: text, kind: .plain)] }
        var parts: [Part] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            if start.lowerBound > rest.startIndex { parts.append(Part(text: String(rest[..<start.lowerBound]), kind: .plain)) }
            parts.append(Part(text: String(rest[start.lowerBound..<end.upperBound]), kind: .template))
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { parts.append(Part(text: String(rest), kind: .plain)) }
        return parts
    }
}
