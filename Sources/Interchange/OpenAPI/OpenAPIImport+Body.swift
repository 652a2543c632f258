import RequestCollections

extension OpenAPIImport {
    mutating func readBody(
        _ operation: JSONValue, parameters: [JSONValue], into definition: inout RequestDefinition, at place: String
    ) {
        let content =
            isSwagger
            ? swaggerContent(operation, parameters) : references.resolve(operation["requestBody"] ?? .null)["content"] ?? .null
        let types = content.members.map(\.name)
        guard let type = Self.best(types), let media = content[type] else { return }
        if types.count > 1 {
            let others = types.filter { $0 != type }.joined(separator: ", ")
            note(place, "the body may also be \(others)", isLoss: false)
        }
        let essence = MediaType.essence(type) ?? ""
        if MediaType.isJSON(essence) {
            definition.body = json(example(media))
        } else if essence == "application/x-www-form-urlencoded" {
            definition.body = .form(formRows(media))
        } else if essence == "multipart/form-data" {
            definition.body = .multipart(parts(media))
        } else if let text = stated(media)?.string {
            definition.body = .text(Self.text(text))
        } else if isBinary(media["schema"]) || essence == "application/octet-stream" {
            definition.body = .file("{{file}}")
        } else {
            note(place, "the body: the document has no example of it in \(type)")
            return
        }
        let isImplied = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"].contains(
            type)
        if !isImplied {
            definition.headers.append(
                .init(name: "content-type", value: Self.text(type.contains("*") ? "application/octet-stream" : type)))
        }
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
        let given = (operation["consumes"] ?? document["consumes"])?.items.compactMap(\.string) ?? []
        if let body = parameters.first(where: { $0["in"]?.string == "body" }) {
            let media = JSONValue.object([.init(name: "schema", value: body["schema"] ?? .null)])
            return .object((given.isEmpty ? ["application/json"] : given).map { .init(name: $0, value: media) })
        }
        let fields = parameters.filter { $0["in"]?.string == "formData" }
        guard !fields.isEmpty else { return .null }
        let properties = fields.map { JSONValue.Member(name: $0["name"]?.string ?? "", value: $0) }
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

    private mutating func stated(_ media: JSONValue) -> JSONValue? {
        if let example = media["example"] { return example }
        for given in media["examples"]?.members ?? [] {
            let example = references.resolve(given.value)
            if let value = example["value"] { return value }
        }
        return SchemaExample.stated(references.resolve(media["schema"] ?? .null))
    }

    private mutating func example(_ media: JSONValue) -> JSONValue {
        if let stated = stated(media) { return stated }
        var maker = SchemaExample(references)
        let value = maker.value(media["schema"] ?? .null)
        references = maker.references
        return value
    }

    /// An example may be the text of the JSON.
    private func json(_ value: JSONValue) -> BodyDefinition {
        if case .string(let text) = value, JSONParser.parse(text) != nil {
            return ImportedBody.make(text, type: "application/json") { TemplateText($0) }
        }
        let escaped = value.mapTexts(Self.text)
        return .json(escaped.text(pretty: true))
    }

    private mutating func properties(_ media: JSONValue) -> [(name: String, value: JSONValue, schema: JSONValue, isRequired: Bool)]
    {
        let schema = references.resolve(media["schema"] ?? .null)
        let value = example(media)
        let required = Set(schema["required"]?.items.compactMap(\.string) ?? [])
        let schemas = schema["properties"]
        var names = schemas?.members.map(\.name) ?? []
        for member in value.members where !names.contains(member.name) { names.append(member.name) }
        return names.map { name in
            let property = references.resolve(schemas?[name] ?? .null)
            return (name, value[name] ?? .null, property, required.isEmpty || required.contains(name))
        }
    }

    private mutating func formRows(_ media: JSONValue) -> [RequestDefinition.Row] {
        properties(media).flatMap { property -> [RequestDefinition.Row] in
            let values = property.value.items.isEmpty ? [property.value] : property.value.items
            return values.map { value in
                .init(
                    name: Self.text(property.name),
                    value: Self.text(value.scalar ?? (value.isNull ? "" : value.text(pretty: false))),
                    isEnabled: property.isRequired)
            }
        }
    }

    private mutating func parts(_ media: JSONValue) -> [BodyDefinition.Part] {
        properties(media).map { property in
            let name = Self.text(property.name)
            if isBinary(property.schema) || isBinary(property.schema["items"]) {
                return .init(name: name, content: .file("{{\(VariableName.make(property.name))}}"), isEnabled: property.isRequired)
            }
            let type = media["encoding"]?[property.name]?["contentType"]?.nonEmpty
            let isJSON = property.value.scalar == nil && !property.value.isNull
            let text = property.value.scalar ?? (property.value.isNull ? "" : property.value.text(pretty: false))
            return .init(
                name: name, content: .text(Self.text(text)), contentType: type ?? (isJSON ? "application/json" : nil),
                isEnabled: property.isRequired)
        }
    }

    private mutating func isBinary(_ schema: JSONValue?) -> Bool {
        let schema = references.resolve(schema ?? .null)
        if schema["type"]?.string == "file" || schema["format"]?.string == "binary" { return true }
        guard let type = schema["contentMediaType"]?.string else { return false }
        return schema["contentEncoding"] == nil && !type.hasPrefix("text/") && !MediaType.isJSON(MediaType.essence(type))
    }
}
