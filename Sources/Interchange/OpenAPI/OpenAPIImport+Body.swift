import RequestCollections

extension OpenAPIImport {
    mutating func readBody(
        _ operation: JSONValue, parameters: [JSONValue], into request: inout ImportedRequest, at place: String
    ) {
        // Some documents of version 3 have what version 2 had.
        let content =
            isSwagger || operation["requestBody"] == nil
            ? swaggerContent(operation, parameters) : references[operation, "requestBody", "content"] ?? .null
        let types = content.members.map(\.name)
        guard let given = Self.best(types), let media = references[content, given] else {
            if references[operation, "requestBody"]?.members.isEmpty == false, types.isEmpty {
                note(place, "the body: `requestBody` has no `content`")
            }
            return
        }
        // A body that is described and may be of any type is what nearly every server takes.
        let type = given == "*/*" && describesValue(media) ? "application/json" : given
        if types.count > 1 {
            let others = types.filter { $0 != given }.joined(separator: ", ")
            note(place, "the body may also be \(others)", isLoss: false)
        }
        let essence = MediaType.essence(type) ?? ""
        if MediaType.isJSON(essence) {
            let value = example(media)
            request.definition.body = json(value)
            if stated(media) == nil, let broken = schemas?.firstViolation(of: value, as: media["schema"] ?? .null) {
                note(place, "the body is made up, and `\(broken.path)` breaks `\(broken.key)` of its schema", isLoss: false)
            }
        } else if essence == "application/x-www-form-urlencoded" {
            // Many documents give a form without fields to requests that have no body.
            let rows = formRows(media, comments: &request.comments)
            if !rows.isEmpty { request.definition.body = .form(rows) }
            return
        } else if essence == "multipart/form-data" {
            let parts = parts(media, comments: &request.comments)
            if !parts.isEmpty { request.definition.body = .multipart(parts) }
            return
        } else if let text = stated(media)?.string {
            request.definition.body = .text(Self.text(text))
        } else if isBinary(media["schema"]) || essence == "application/octet-stream"
            || media["schema"] == nil && Self.isFile(essence)
        {
            request.definition.body = .file("{{file}}")
        } else {
            note(place, "the body: the document has no example of it in \(type)")
            return
        }
        let isImplied = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"].contains(
            type)
        if !isImplied {
            request.definition.headers.append(
                .init(name: "content-type", value: Self.text(type.contains("*") ? "application/octet-stream" : type)))
        }
    }

    /// Whether it is the type of files that nobody writes by hand.
    private static func isFile(_ essence: String) -> Bool {
        ["image/", "audio/", "video/", "font/"].contains(where: essence.hasPrefix)
            || ["application/octet-stream", "application/pdf", "application/zip", "application/gzip"].contains(essence)
    }

    /// What people write by hand, first.
    private static func best(_ types: [String]) -> String? {
        let order: [(String) -> Bool] = [
            { $0 == "application/json" }, { MediaType.isJSON($0) }, { $0 == "application/x-www-form-urlencoded" },
            { $0 == "multipart/form-data" }, { $0.hasPrefix("text/") },
        ]
        for matches in order {
            if let type = types.first(where: { matches(MediaType.essence($0) ?? "") }) { return type }
        }
        return types.first
    }

    /// Version 2 has a body, or fields of a form, among the parameters.
    private func swaggerContent(_ operation: JSONValue, _ parameters: [JSONValue]) -> JSONValue {
        let given = (references[operation, "consumes"] ?? references[document, "consumes"])?.items.compactMap(\.string) ?? []
        if let body = parameters.first(where: { $0["in"]?.string == "body" }) {
            let media = JSONValue.object([.init(name: "schema", value: body["schema"] ?? .null)])
            return .object((given.isEmpty ? ["application/json"] : given).map { .init(name: $0, value: media) })
        }
        let fields = parameters.filter { $0["in"]?.string == "formData" }
        guard !fields.isEmpty else { return .null }
        let properties = fields.map { JSONValue.Member(name: $0["name"]?.string ?? "", value: $0["schema"] ?? $0) }
        let required = fields.filter { $0["required"]?.boolean == true }.compactMap { $0["name"] }
        let schema = JSONValue.object([
            .init(name: "type", value: .string("object")), .init(name: "properties", value: .object(properties)),
            .init(name: "required", value: .array(required)),
        ])
        let hasFile = fields.contains { $0["type"]?.string == "file" }
        let forms = given.filter { $0.contains("form") }
        let type = hasFile ? "multipart/form-data" : forms.first ?? "application/x-www-form-urlencoded"
        return .object([.init(name: type, value: .object([.init(name: "schema", value: schema)]))])
    }

    // MARK: Examples

    /// An example that the document gives, and whether the schema would make another one.
    func stated(_ media: JSONValue) -> JSONValue? {
        givenExample(media) ?? SchemaExample.stated(references.resolve(media["schema"]))
    }

    func givenExample(_ media: JSONValue) -> JSONValue? {
        if let example = references[media, "example"] { return example }
        let examples = references[media, "examples"]?.members ?? []
        return examples.lazy.compactMap { given($0.value) }.first
    }

    /// What an example says: since OpenAPI 3.2 as data, or as it is sent.
    func given(_ example: JSONValue) -> JSONValue? {
        references[example, "value"] ?? references[example, "dataValue"] ?? references[example, "serializedValue"]
    }

    mutating func example(_ media: JSONValue) -> JSONValue {
        if let stated = stated(media) { return stated }
        var maker = SchemaExample(references)
        let value = maker.value(media["schema"] ?? .null)
        if maker.isCut {
            note(references.place, "the body has only the outer levels of its schema, which is very large", isLoss: false)
        }
        return value
    }

    /// Whether a body has a structure that JSON would write down.
    private func describesValue(_ media: JSONValue) -> Bool {
        let schema = references.resolve(media["schema"])
        if case .object? = givenExample(media) { return true }
        return !isBinary(schema) && schema["type"]?.string != "string" && !schema.members.isEmpty
    }

    /// An example may be the text of the JSON.
    func json(_ value: JSONValue) -> BodyDefinition {
        if case .string(let text) = value, JSONParser.parse(text) != nil {
            return ImportedBody.make(text, type: "application/json") { TemplateText($0) }
        }
        let escaped = value.mapTexts(Self.text)
        return .json(escaped.text(pretty: true))
    }

    private struct Property {
        var name: String
        var value: JSONValue
        var schema: JSONValue
        var isRequired: Bool
    }

    /// The fields of a form.
    private mutating func properties(_ media: JSONValue) -> [Property] {
        let schema = references.resolve(media["schema"])
        let value = example(media)
        var required = Set(references[schema, "required"]?.items.compactMap(\.string) ?? [])
        var schemas = references[schema, "properties"]?.members ?? []
        for part in references[schema, "allOf"]?.items ?? [] {
            schemas += references[part, "properties"]?.members ?? []
            required.formUnion(references[part, "required"]?.items.compactMap(\.string) ?? [])
        }
        var names = schemas.map(\.name).filter { name in value[name] != nil || !isReadOnly(name, in: schemas) }
        for member in value.members where !names.contains(member.name) { names.append(member.name) }
        return names.map { name in
            Property(
                name: name, value: value[name] ?? .null,
                schema: references.resolve(schemas.first { $0.name == name }?.value),
                isRequired: required.isEmpty || required.contains(name))
        }
    }

    private func isReadOnly(_ name: String, in schemas: [JSONValue.Member]) -> Bool {
        references[schemas.first { $0.name == name }?.value, "readOnly"]?.boolean == true
    }

    private mutating func formRows(_ media: JSONValue, comments: inout [String: String]) -> [RequestDefinition.Row] {
        var rows: [RequestDefinition.Row] = []
        for property in properties(media) {
            var own = self.rows(property, encoding: references[media, "encoding", property.name])
            for index in own.indices { own[index].isEnabled = property.isRequired }
            if let first = own.first { comments["body.form.\(first.name)"] = description(property.schema) }
            rows += own
        }
        return rows
    }

    /// OpenAPI 3.1, section 4.8.15: lists become several fields of one name unless something else is said.
    private func rows(_ property: Property, encoding: JSONValue?) -> [RequestDefinition.Row] {
        let name = Self.text(property.name)
        if encoding?["style"]?.string == "deepObject" {
            let rows = Self.deepRows(property.name, property.value)
            return rows.isEmpty ? [.init(name: name, value: "")] : rows
        }
        let separator = ["spaceDelimited": " ", "pipeDelimited": "|"][encoding?["style"]?.string ?? ""]
        if !(encoding?["explode"]?.boolean ?? (separator == nil)), !property.value.items.isEmpty {
            let values = property.value.items.map { Self.text(Self.plain($0)) }
            return [.init(name: name, value: values.joined(separator: separator ?? ","))]
        }
        let values = property.value.items.isEmpty ? [property.value] : property.value.items
        return values.map { .init(name: name, value: Self.text(Self.plain($0))) }
    }

    private static func plain(_ value: JSONValue) -> String { value.scalar ?? (value.isNull ? "" : value.text(pretty: false)) }

    private mutating func parts(_ media: JSONValue, comments: inout [String: String]) -> [BodyDefinition.Part] {
        properties(media).flatMap { property -> [BodyDefinition.Part] in
            let name = Self.text(property.name)
            comments["body.multipart.\(name)"] = description(property.schema)
            if isBinary(property.schema) || isBinary(property.schema["items"]) {
                return [
                    .init(name: name, content: .file("{{\(VariableName.make(property.name))}}"), isEnabled: property.isRequired)
                ]
            }
            let headers = references[media, "encoding", property.name, "headers"]?.members.map(\.name) ?? []
            if !headers.isEmpty {
                note(references.place, "the headers of the part `\(property.name)`: \(headers.joined(separator: ", "))")
            }
            // The first of several; one that stands for many is none.
            let given = references[media, "encoding", property.name, "contentType"]?.nonEmpty?.split(separator: ",").first?
                .trimmingSpace
            let type = given.flatMap { $0.contains("*") ? nil : $0 }
            // Each item of a list is a part (section 4.8.14.4), but for a list that is said to be of one type as a whole.
            let isList = !property.value.items.isEmpty && type.map { !MediaType.isJSON(MediaType.essence($0)) } ?? true
            return (isList ? property.value.items : [property.value]).map { value in
                let isJSON = value.scalar == nil && !value.isNull
                return .init(
                    name: name, content: .text(Self.text(Self.plain(value))),
                    contentType: type.map(Self.text) ?? (isJSON ? "application/json" : nil), isEnabled: property.isRequired)
            }
        }
    }

    private func isBinary(_ schema: JSONValue?) -> Bool {
        let schema = references.resolve(schema ?? .null)
        if schema["type"]?.string == "file" || schema["format"]?.string == "binary" { return true }
        guard let type = schema["contentMediaType"]?.string else { return false }
        return schema["contentEncoding"] == nil && !type.hasPrefix("text/") && !MediaType.isJSON(MediaType.essence(type))
    }
}

extension OpenAPIImport {
    /// The document's own example of a success, or one that its schema has, so that a request can be tried without the server.
    mutating func readMock(_ operation: JSONValue, into definition: inout RequestDefinition) {
        let responses = (references[operation, "responses"]?.members ?? []).filter { !$0.name.hasPrefix("x-") }
            .map { (code: $0.name, response: references.resolve($0.value)) }
        let examples = responses.map { $0.code == "default" || $0.code.hasPrefix("2") ? example(of: $0.response) : nil }
        let chosen = examples.firstIndex { $0 != nil }
        exampleCount += responses.indices.count { $0 != chosen && givenExample(of: responses[$0].response) != nil }
        guard let chosen, let (type, value) = examples[chosen] else { return }
        var mock = MockDefinition(location: .none)
        mock.status = Self.status(responses[chosen].code)
        for header in references[responses[chosen].response, "headers"]?.members ?? [] {
            let value = references[header.value, "example"] ?? references[header.value, "schema", "example"]
            if let text = value?.scalar { mock.headers.append(.init(name: Self.text(header.name), value: Self.text(text))) }
        }
        mock.readBody(value, type: type)
        definition.mock = mock
    }

    /// `2XX` is 200; `default` says nothing.
    private static func status(_ code: String) -> Int? {
        code.uppercased() == "2XX" ? 200 : Int(code).flatMap { (200...599).contains($0) ? $0 : nil }
    }

    /// The document's, JSON before others.
    private func givenExample(of response: JSONValue) -> (type: String, value: JSONValue)? {
        let examples: [(type: String, value: JSONValue)] =
            isSwagger
            ? (references[response, "examples"]?.members ?? []).map { ($0.name, references.resolve($0.value)) }
            : (references[response, "content"]?.members ?? []).compactMap { entry in
                givenExample(references.resolve(entry.value)).map { (entry.name, $0) }
            }
        return examples.first { MediaType.isJSON(MediaType.essence($0.type)) } ?? examples.first
    }

    /// Bytes of an example that its schema's examples make; what is larger is no help to anybody.
    private static let schemaLimit = 20_000

    private func example(of response: JSONValue) -> (type: String, value: JSONValue)? {
        if let given = givenExample(of: response) { return given }
        let content = references[response, "content"]?.members.first { MediaType.isJSON(MediaType.essence($0.name)) }
        guard let schema = isSwagger ? references[response, "schema"] : references[content?.value, "schema"] else { return nil }
        var maker = SchemaExample(references)
        let value = maker.value(schema, of: .responses)
        guard maker.hasStated, value.text(pretty: false).utf8.count <= Self.schemaLimit else { return nil }
        return (content?.name ?? "application/json", value)
    }
}
