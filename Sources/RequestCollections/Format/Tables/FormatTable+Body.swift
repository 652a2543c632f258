/// What a request sends.
extension FormatTable {
    static let body: FormatTable = {
        let kinds = RequestBodyKind.all.filter { $0 != .none }
        return FormatTable("body", kinds.map { FormatKey($0.name, $0.shape, $0.help) }, .exactlyOne(of: kinds.map(\.name)))
    }()

    static let graphql = FormatTable(
        "graphql", BodyDefinition.GraphQL.fields.map { FormatKey($0) }, .exactlyOne(of: ["query", "file"]))

    static let part = FormatTable(
        "a part", BodyDefinition.Part.fields.map { FormatKey($0) }, .atMostOne(of: ["value", "file"]))
}

extension BodyDefinition.GraphQL {
    static let fields: [MapField<BodyDefinition.GraphQL>] = [
        MapField("query", \.text, .text, "The query."),
        MapField("file", \.path, .text, "A file with the query, relative to this file."),
        MapField("operation", \.operation, .text, "Which operation of the query."),
        MapField(
            "variables", \.variables, .named(.anything),
            read: { reader, node, graphql, problems in
                graphql.variables = reader.jsonText(node, problems: &problems)
            }, write: { $0.variables.flatMap { JSONParser.parse($0) }.map { DesiredValue(json: $0) } }, "Its variables."),
        MapField(
            "persisted", \.isPersisted, .flag,
            "Whether its hash goes in place of the query, which follows only when the server doesn't know the hash."),
        MapField(
            "files", .rows, read: { reader, node, graphql in graphql.files = reader.rows(node) },
            write: { $0.files.isEmpty ? nil : RequestWriter.rows($0.files) },
            "Files to upload, each by the variable in whose place it goes: `avatar`, or `pictures.0` in a list."),
        MapField(
            "connection", \.connection, .anything,
            read: { reader, node, graphql, problems in
                graphql.connection = reader.jsonText(node, problems: &problems)
            }, write: { $0.connection.flatMap { JSONParser.parse($0) }.map { DesiredValue(json: $0) } },
            "What `connection_init` carries, where the query is a subscription over a `websocket`."),
    ]

    private var text: String? {
        get { if case .text(let text) = query { text } else { nil } }
        set { if let newValue { query = .text(newValue) } }
    }

    private var path: String? {
        get { if case .file(let path) = query { path } else { nil } }
        set { if let newValue { query = .file(newValue) } }
    }
}

extension BodyDefinition.Part {
    static let fields: [MapField<BodyDefinition.Part>] = [
        MapField("value", \.text, .text, "The content."),
        MapField("file", \.file, .text, "A file with the content, relative to this file."),
        MapField("filename", \.fileName, .text, "The name that is sent; that of the file unless it is given."),
        MapField("type", \.contentType, .text, "The content type."),
        MapField("enabled", \.enabledFlag, .flag, "Whether it is sent."),
    ]

    private var text: String? {
        get { if case .text(let text) = content { text } else { nil } }
        set { if let newValue { content = .text(newValue) } }
    }

    private var file: String? {
        get { if case .file(let path) = content { path } else { nil } }
        set { if let newValue { content = .file(newValue) } }
    }

    /// The flag is written only for what isn't sent.
    private var enabledFlag: Bool? {
        get { isEnabled ? nil : false }
        set { isEnabled = newValue ?? true }
    }
}

extension BodyDefinition {
    package var kind: RequestBodyKind {
        switch self {
        case .none: .none
        case .text: .text
        case .json: .json
        case .form: .form
        case .multipart: .multipart
        case .file: .file
        case .graphql: .graphql
        }
    }
}

extension RequestBodyKind {
    /// In the order in which they are offered.
    package static let all = [none, json, text, form, multipart, file, graphql]

    package static let none = RequestBodyKind(
        "none", .anything, BodyDefinition.none, .none, read: { _, _, _ in .none }, write: { _, _ in .scalar("none", .text) },
        mapTexts: { body, _ in body }, "Nothing.")

    package static let text = RequestBodyKind(
        "text", .text, contentType: "text/plain; charset=utf-8", BodyDefinition.text,
        { if case .text(let text) = $0 { text } else { nil } },
        "The text; `text/plain`.")

    package static let json = RequestBodyKind(
        "json", .json, shape: .anything, contentType: "application/json", empty: "{}", BodyDefinition.json,
        { if case .json(let text) = $0 { text } else { nil } }, read: { $0.json($1, problems: &$2) }, write: RequestWriter.json,
        "Any value, or a text in JSON; `application/json`.")

    package static let file = RequestBodyKind(
        "file", .file, editor: .line, BodyDefinition.file, { if case .file(let path) = $0 { path } else { nil } },
        "A path, relative to this file; the type goes by its ending.")

    package static let form = RequestBodyKind(
        "form", .rows, contentType: "application/x-www-form-urlencoded", .form([]), .rows,
        read: { reader, pair, _ in .form(reader.rows(pair.value)) },
        write: { $1.rows.isEmpty ? .map([], .flow) : $0.rows($1.rows, at: "body.form") },
        mapTexts: { body, change in
            .form(
                body.rows.map { row in
                    var row = row
                    let name = row.name
                    change(.name, &row.name)
                    change(.field(name), &row.value)
                    return row
                })
        }, "Fields; `application/x-www-form-urlencoded`.")

    package static let multipart = RequestBodyKind(
        "multipart", .parts, .multipart([]), .parts, read: { .multipart($0.parts($1.value, problems: &$2)) },
        write: { $0.parts($1.parts) },
        mapTexts: { body, change in .multipart(body.parts.map { $0.mapTexts(change) }) }, "Parts; `multipart/form-data`.")

    package static let graphql = RequestBodyKind(
        "graphql", .either([.text, .keys(FormatTable.graphql)]), contentType: "application/json", .graphql(.init(query: .text(""))),
        .graphql,
        read: { .graphql($0.graphql($1, problems: &$2)) },
        write: { if case .graphql(let graphql) = $1 { RequestWriter.graphql(graphql) } else { .map([], .flow) } },
        mapTexts: { if case .graphql(let graphql) = $0 { .graphql(graphql.mapTexts($1)) } else { $0 } }, "A query.")
}

extension BodyDefinition {
    fileprivate var rows: [RequestDefinition.Row] { if case .form(let rows) = self { rows } else { [] } }
    fileprivate var parts: [Part] { if case .multipart(let parts) = self { parts } else { [] } }
}
