import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

/// What surrounds the shown request: computed when it changes, not when it is drawn.
struct RequestContext: Sendable {
    let reference: RequestReference
    let environment: String?
    let inherited: InheritedValues
    let templates: TemplatePreview
    /// Made when it is first looked at.
    var explained: ExplainedRequest?
    /// What is known of the query, when its body is one, and what its schema's row says.
    var query: QueryAnalysis?
    var schema: (text: String, role: ThemeRole) = ("", .dim)

    init(
        _ reference: RequestReference, in collection: RequestCollection, folders: [RequestID], environment: String?,
        variables: [String: String], secrets: [String: [OriginPattern]]
    ) {
        self.reference = reference
        self.environment = environment
        self.inherited = InheritedValues(collection: collection, folders: folders)
        self.templates = TemplatePreview(
            collection, environment: environment, of: collection.request(reference.id), given: variables,
            secrets: Set(secrets.keys))
    }

    /// Whether anyone may answer over TLS, since neither authorities nor pins are asked for; then the screen says so.
    func trustsAnyone(_ definition: RequestDefinition) -> Bool {
        let verifies = definition.settings.verifiesTLS ?? inherited.settings.verifiesTLS ?? true
        return !verifies && pins(of: definition).isEmpty
    }

    /// The URL with the values of its path in it and all parameters behind it, also those that folders above say; templates are left whole,
    /// and parameters that are secrets are masked.
    func wholeURL(of definition: RequestDefinition) -> String {
        let url = definition.path.filter(\.isEnabled).reduce(definition.shownURL) { text, row in
            text.split(separator: "/", omittingEmptySubsequences: false).map { $0 == ":\(row.name)" ? row.value[...] : $0 }
                .joined(separator: "/")
        }
        let query = rows(.query, of: definition).map { row in
            "\(row.name)=\(Redaction.standard.redacts(parameter: row.name) ? "••••••" : row.value)"
        }
        guard !query.isEmpty else { return url }
        return url + (url.contains("?") ? "&" : "?") + query.joined(separator: "&")
    }

    /// The same with its variables' values, as people write the URL of a WebSocket.
    func resolvedURL(of definition: RequestDefinition) -> [TemplatePreview.Part] {
        var parts = templates.resolvedParts(of: wholeURL(of: definition))
        if definition.isWebSocket, let first = parts.first, first.text.lowercased().hasPrefix("http") {
            parts[0].text = URLText.ofWebSocket(first.text)
        }
        return parts
    }

    /// The request's own rows that are on, and those of the folders that it doesn't have itself.
    func rows(_ list: RequestField.Rows, of definition: RequestDefinition) -> [(name: String, value: String)] {
        let own = definition[list]
        let others = inherited.rows(list).filter { row in
            row.isEnabled && !own.contains { $0.name.lowercased() == row.name.lowercased() }
        }
        return own.filter(\.isEnabled).map { ($0.name, $0.value) } + others.map { ($0.name, $0.value) }
    }

    func pins(of definition: RequestDefinition) -> [String] { definition.settings.pins ?? inherited.settings.pins ?? [] }
}

extension ExplorerState {
    /// Called whenever the shown request, its environment or its collection may have changed.
    mutating func refreshContext(isStale: Bool = false) {
        guard let reference = selectedRequest, let collection = workspace[reference.collection] else {
            context = nil
            return
        }
        let environment = workspace.environments[reference.collection]
        if !isStale, context?.reference == reference, context?.environment == environment { return }
        let given = givenVariables(in: reference.collection)
        let query = context?.reference == reference ? context?.query : nil
        context = RequestContext(
            reference, in: collection, folders: tree.folders(of: reference), environment: environment, variables: given.texts,
            secrets: given.secrets)
        context?.query = query
    }
}

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
        captured = Set(collection.requests.flatMap { $0.allCaptures.map(\.name) })
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

extension ExplorerState {
    /// The shown request as it would go out, as far as that is known without running anything: functions and commands stay templates,
    /// secrets are masked.
    var sentPreview: [StyledLine] {
        guard let definition = shownDefinition, let context else { return [] }
        return SentPreview(
            definition: definition, context: context, added: addedFields(to: definition), cookiesAlong: cookiesAlong.map(\.name)
        ).lines
    }

    /// Fields of the transport, and that of the body's type.
    private func addedFields(to definition: RequestDefinition) -> [(name: String, value: String)] {
        let codings = effective(\.compression) ?? true ? transport.contentCodings.joined(separator: ", ") : ""
        return [
            ("user-agent", transport.userAgent ?? ""), ("accept", "*/*"), ("accept-encoding", codings),
            ("content-type", definition.body?.contentType ?? ""),
        ]
        .filter { !$0.1.isEmpty }
    }
}

private struct SentPreview {
    let definition: RequestDefinition
    let context: RequestContext
    let added: [(name: String, value: String)]
    let cookiesAlong: [String]

    var lines: [StyledLine] {
        var first = StyledLine([MethodText.span(definition.method)])
        first.append(" ")
        let (host, target) = parts(of: definition)
        first.spans += target.spans
        var lines = [first]
        if !host.spans.isEmpty { lines.append(header("host", host)) }
        let headers = rows(.headers)
        let names = Set(headers.map { $0.name.lowercased() })
        // What comes by itself is dim: it stands in no row.
        lines += added.filter { !names.contains($0.name) }.map { header($0.name, StyledLine($0.value, .dim)) }
        lines += headers.map { header($0.name, value($0.value, of: $0.name)) }
        // A field of the request or a folder wins.
        let isThere = names.contains("authorization")
        if !isThere, let authorization { lines.append(header("authorization", authorization)) }
        let cookies = (rows(.cookies).map(\.name) + cookiesAlong).map { "\($0)=••••••" }
        if !cookies.isEmpty { lines.append(header("cookie", StyledLine(cookies.joined(separator: "; "), .secret))) }
        return lines + body
    }

    private func header(_ name: String, _ value: StyledLine) -> StyledLine {
        var line = StyledLine(SafeText.line(name.lowercased()) + ": ", .headerName)
        line.spans += value.spans
        return line
    }

    private func rows(_ list: RequestField.Rows) -> [(name: String, value: String)] { context.rows(list, of: definition) }

    private func value(_ text: String, of name: String) -> StyledLine {
        let masked = Redaction.standard.masked(text, of: name)
        return masked == text ? resolved(text) : StyledLine(SafeText.line(masked), .secret)
    }

    private func resolved(_ text: String, _ role: ThemeRole = .text) -> StyledLine {
        var line = StyledLine()
        for part in context.templates.resolvedParts(of: text) {
            let partRole: ThemeRole =
                switch part.kind {
                case .plain, .value: role
                case .template: .template
                case .unresolved: .templateUnresolved
                case .secret: .secret
                }
            line.append(SafeText.line(part.text), partRole)
        }
        return line
    }

    /// The host, and what stands in the request's first line.
    private func parts(of definition: RequestDefinition) -> (host: StyledLine, target: StyledLine) {
        let whole = resolved(context.wholeURL(of: definition), .url)
        let text = whole.text
        guard let scheme = text.firstRange(of: "://") else { return (StyledLine(), whole) }
        let rest = text[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest.dropFirst(host.count)
        return (StyledLine(String(host), .urlHost), StyledLine(target.first == "/" ? String(target) : "/" + target, .url))
    }

    /// `nil`: none is added.
    private var authorization: StyledLine? {
        let own = definition.auth ?? .inherit
        guard let auth = own == .inherit ? context.inherited.auth?.definition : own else { return nil }
        switch auth {
        case .none, .inherit: return nil
        case .bearer: return StyledLine("Bearer ••••••", .secret)
        case .basic: return StyledLine("Basic ••••••", .secret)
        default: return StyledLine("by \(auth.kindName)", .dim)
        }
    }

    private var body: [StyledLine] {
        switch definition.body {
        case nil, .none?: return []
        case let body? where body.kind.editor == .text:
            return [StyledLine()] + (body.text ?? "").lines.prefix(200).map { resolved(String($0)) }
        case .form:
            let rows = rows(.form)
            return [StyledLine()]
                + rows.map { row in
                    var line = StyledLine(SafeText.line(row.name) + "=", .headerName)
                    line.spans +=
                        (RequestField.Rows.form.isCredential(row.name) ? StyledLine("••••••", .secret) : resolved(row.value)).spans
                    return line
                }
        case .multipart(let parts): return [StyledLine(), StyledLine("\(Figures.count(parts.count, "part"))", .dim)]
        case .file(let path): return [StyledLine(), StyledLine("the file \(SafeText.line(path))", .dim)]
        case .graphql(let graphql):
            var lines = [StyledLine()]
            switch graphql.query {
            case .text(let text): lines += text.lines.prefix(200).map { resolved(String($0)) }
            case .file(let path): lines.append(StyledLine("the query of the file \(SafeText.line(path))", .dim))
            }
            if let operation = graphql.operation { lines.append(StyledLine("operation \(SafeText.line(operation))", .dim)) }
            guard let variables = definition.maskingCredentials.graphQL?.variables else { return lines }
            return lines + [StyledLine("variables", .dim)] + variables.lines.prefix(200).map { resolved(String($0)) }
        case let body?: return [StyledLine(), StyledLine(body.kind.name, .dim)]
        }
    }
}
