import NetworkLayer
import RequestCollections

/// A part of a request definition that can be edited.
enum RequestField: Hashable, Sendable {
    case method, url
    case name(Rows, Int)
    case value(Rows, Int)
    /// The text of a text or JSON body, a query, or the path of a file.
    case body
    case bodyKind
    case authKind
    /// A field of a kind of authentication.
    case auth(AuthField)
    /// How it is sent.
    case policy(SettingField)
    /// How it is answered without the network.
    case mock(MockField)
    /// A field of a GraphQL body.
    case graphql(GraphQLField)
    /// When it is sent and how often, and what it is about: a line of YAML.
    case typed(RequestKey)

    /// What is typed here is masked, and gets into no clipboard.
    var isSecret: Bool {
        switch self {
        case .auth(let field): field.isSecret
        case .graphql(.variable(let name, _)): Redaction.standard.redacts(parameter: name)
        default: false
        }
    }

    /// A list of named values.
    enum Rows: Hashable, Sendable, CaseIterable {
        case path, query, headers, cookies, form
        /// The parts of a multipart body.
        case parts
        /// Files that take the place of a query's variables.
        case uploads
        /// The parameters that stand in the URL itself.
        case inURL
        /// What runs before it, what is expected of its response, and which variables that gives.
        case needs, expectations, captures
        /// The header fields of the answer that stands in for the server's.
        case mockHeaders

        /// Its rows can't be switched off, only deleted.
        var isAboutResponse: Bool { [.needs, .expectations, .captures].contains(self) }

        /// Whether a value of this name is a credential.
        func isCredential(_ name: String) -> Bool {
            switch self {
            case .headers, .mockHeaders: Redaction.standard.redacts(name)
            case .query, .inURL, .cookies, .form, .parts: Redaction.standard.redacts(parameter: name)
            case .path, .needs, .expectations, .captures, .uploads: false
            }
        }
    }
}

extension RequestDefinition {
    subscript(rows: RequestField.Rows) -> [Row] {
        get {
            switch rows {
            case .path: path
            case .query: query
            case .headers: headers
            case .cookies: cookies
            case .form: if case .form(let rows) = body { rows } else { [] }
            case .parts: partRows
            case .uploads: if case .graphql(let graphql) = body { graphql.files } else { [] }
            case .inURL: URLParameters(url).rows
            case .needs: needRows
            case .expectations: expectationRows
            case .captures: captureRows
            case .mockHeaders: mock?.headers ?? []
            }
        }
        set {
            switch rows {
            case .path: path = newValue
            case .query: query = newValue
            case .headers: headers = newValue
            case .cookies: cookies = newValue
            case .form: body = .form(newValue)
            case .parts: partRows = newValue
            case .uploads: editGraphQL { $0.files = newValue }
            case .inURL:
                var parameters = URLParameters(url)
                // What is switched off can't stand in a URL.
                query += newValue.filter { !$0.isEnabled }
                parameters.set(newValue.filter(\.isEnabled))
                url = parameters.url
            case .needs: needRows = newValue
            case .expectations: expectationRows = newValue
            case .captures: captureRows = newValue
            case .mockHeaders:
                var mock = mock ?? MockDefinition(location: location)
                mock.headers = newValue
                self.mock = mock.saysNothing ? nil : mock
            }
        }
    }

    /// The text of a field, as an editor starts with it; `nil`: there is no such field, or it is chosen from a list.
    func text(of field: RequestField) -> String? {
        switch field {
        case .method: method
        case .url: url
        case .name(let rows, let index): self[rows].indices.contains(index) ? self[rows][index].name : nil
        case .value(let rows, let index): self[rows].indices.contains(index) ? self[rows][index].value : nil
        case .body: body?.kind == .graphql ? text(ofGraphQL: .query) : body?.text
        case .auth(let field): field.choices == nil ? auth?.text(of: field) : nil
        case .policy(let setting): setting.choices == nil ? setting.typed(in: settings) ?? "" : nil
        case .mock(let field): field.choices == nil ? mock.map(field.text) ?? "" : nil
        case .graphql(let field): text(ofGraphQL: field)
        case .typed(let key): typed(key)
        case .bodyKind, .authKind: nil
        }
    }

    /// - Throws: ``InvalidFieldText``, when the field can't be that.
    mutating func setText(_ text: String, of field: RequestField) throws(InvalidFieldText) {
        switch field {
        case .method: method = text.uppercased()
        case .url:
            if let fault = HeadFault.ofURL(text) { throw InvalidFieldText(message: fault) }
            url = text
        case .name(.headers, let index): try setHeaderName(text, .headers, index)
        case .name(.mockHeaders, let index): try setHeaderName(text, .mockHeaders, index)
        case .name(let rows, let index): try change(rows, index) { $0.name = text }
        case .value(let rows, let index): try change(rows, index) { $0.value = text }
        case .body where body?.kind == .graphql: try setText(text, ofGraphQL: .query)
        case .body: body = body?.with(text: text) ?? .text(text)
        case .auth(let field): try auth?.set(text, of: field)
        case .policy(let setting): try setting.set(text, in: &settings)
        case .mock(let field):
            // The first thing that one says makes a mock; one that says nothing is none.
            var mock = mock ?? MockDefinition(location: location)
            try field.set(text, in: &mock)
            self.mock = mock.saysNothing ? nil : mock
        case .graphql(let field): try setText(text, ofGraphQL: field)
        case .typed(let key): try setTyped(text, of: key)
        case .bodyKind, .authKind: break
        }
    }
}

extension RequestDefinition {
    /// A whole line `Name: value`, as it is copied from elsewhere, becomes both where there is no value yet.
    private mutating func setHeaderName(_ text: String, _ rows: RequestField.Rows, _ index: Int) throws(InvalidFieldText) {
        var (name, value): (String, String?) = (text, nil)
        if self[rows].indices.contains(index), self[rows][index].value.isEmpty,
            let colon = Template.firstIndex(of: ":", outsideTemplatesOf: text), colon > text.startIndex
        {
            let rest = text[text.unicodeScalars.index(after: colon)...]
            (name, value) = (String(FieldSyntax.trimmed(text[..<colon])), String(FieldSyntax.trimmed(rest)))
        }
        // What its templates stand for isn't known yet.
        let plain = Template.withoutTemplates(name)
        if !plain.isEmpty, HeadFault.ofName(plain) != nil, let fault = HeadFault.ofName(name) {
            throw InvalidFieldText(message: fault)
        }
        try change(rows, index) { row in
            row.name = name
            if let value { row.value = value }
        }
    }

    private mutating func change(
        _ rows: RequestField.Rows, _ index: Int, _ change: (inout Row) -> Void
    ) throws(InvalidFieldText) {
        guard self[rows].indices.contains(index) else { return }
        var row = self[rows][index]
        change(&row)
        do throws(CollectionProblem) {
            switch rows {
            case .needs: try Self.checkNeed(row)
            case .expectations: try Self.checkExpectation(row)
            case .captures: try Self.checkCapture(row)
            case .parts: try checkPart(row)
            case .path, .query, .headers, .cookies, .form, .uploads, .inURL, .mockHeaders: break
            }
        } catch {
            throw InvalidFieldText(message: error.message)
        }
        self[rows][index] = row
    }
}

// MARK: Bodies

extension BodyDefinition {
    /// The same contents as another kind, as far as they fit.
    func converted(to kind: RequestBodyKind) -> BodyDefinition {
        switch kind {
        case self.kind: self
        case .form: .form(rows)
        case .multipart: .multipart(parts)
        default: kind.editor == .text && self.kind.editor == .text ? kind.empty.with(text: text ?? "") : kind.empty
        }
    }
}

extension BodyDefinition {
    /// A file can't be a row.
    fileprivate var rows: [RequestDefinition.Row] {
        switch self {
        case .form(let rows): rows
        case .multipart(let parts):
            parts.compactMap { part in
                guard case .text(let text) = part.content else { return nil }
                return .init(name: part.name, value: text, isEnabled: part.isEnabled)
            }
        default: []
        }
    }

    fileprivate var parts: [Part] {
        switch self {
        case .multipart(let parts): parts
        case .form(let rows): rows.map { .init(name: $0.name, content: .text($0.value), isEnabled: $0.isEnabled) }
        default: []
        }
    }
}

/// The parameters that stand in a URL behind its question mark, as they stand there: templates are left whole, and nothing is
/// encoded or decoded but what would end one that is typed.
struct URLParameters {
    private let start: String
    private var pieces: [String]
    /// With its `#`.
    private let fragment: String

    init(_ url: String) {
        var parts = Self.cut(url, at: "#", once: true)
        fragment = parts.count > 1 ? "#" + parts[1] : ""
        parts = Self.cut(parts[0], at: "?", once: true)
        start = parts[0]
        pieces = parts.count > 1 ? Self.cut(parts[1], at: "&", once: false).filter { !$0.isEmpty } : []
    }

    var url: String { start + (pieces.isEmpty ? "" : "?" + pieces.joined(separator: "&")) + fragment }

    var rows: [RequestDefinition.Row] { pieces.map(Self.row) }

    /// What hasn't changed stays letter by letter; what is empty goes.
    mutating func set(_ rows: [RequestDefinition.Row]) {
        let old = pieces
        pieces = rows.map { row in
            if let same = old.first(where: { Self.row($0) == row }) { return same }
            let name = Self.escaped(row.name, ["=", "&", "#"])
            return (name.isEmpty || row.value.isEmpty ? name : name + "=") + Self.escaped(row.value, ["&", "#"])
        }.filter { !$0.isEmpty }
    }

    /// What would end the parameter, as its code.
    private static func escaped(_ text: String, _ ends: [Unicode.Scalar]) -> String {
        ends.reduce(text) { text, end in
            cut(text, at: end, once: false).joined(separator: "%" + String(end.value, radix: 16, uppercase: true))
        }
    }

    private static func row(_ piece: String) -> RequestDefinition.Row {
        let parts = cut(piece, at: "=", once: true)
        return RequestDefinition.Row(name: parts[0], value: parts.count > 1 ? parts[1] : "")
    }

    /// Outside of templates.
    private static func cut(_ text: String, at separator: Unicode.Scalar, once: Bool) -> [String] {
        var parts = [""]
        var depth = 0
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "{", last == "{" { depth = 1 }
            if scalar == "}", last == "}" { depth = 0 }
            last = scalar
            if scalar == separator, depth == 0, !once || parts.count == 1 {
                parts.append("")
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
            }
        }
        return parts
    }
}
