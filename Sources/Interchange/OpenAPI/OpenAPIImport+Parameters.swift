import RequestCollections

extension OpenAPIImport {
    mutating func read(_ parameter: JSONValue, into definition: inout RequestDefinition, at place: String) {
        guard let name = parameter["name"]?.nonEmpty else { return }
        let isRequired = parameter["required"]?.boolean == true
        switch parameter["in"]?.string {
        case "query": definition.query += rows(name, parameter, isRequired: isRequired)
        case "header":
            // Others say what these are (OpenAPI 3.0, section 4.7.12.1).
            guard !["accept", "content-type", "authorization"].contains(name.lowercased()) else { return }
            definition.headers.append(row(name, parameter, isRequired: isRequired, separator: ","))
        case "cookie": definition.cookies.append(row(name, parameter, isRequired: isRequired, separator: ","))
        default: break
        }
    }

    /// A value for a path; `nil` when the document has none.
    mutating func pathValue(_ parameter: JSONValue) -> String? { stated(parameter).map { Self.joined($0, ",") } }

    /// The document's own value: an example, a default, the first of a list.
    private mutating func stated(_ parameter: JSONValue) -> JSONValue? {
        if let example = parameter["example"] ?? parameter["x-example"] { return example }
        if let first = parameter["examples"]?.members.first {
            let example = references.resolve(first.value)
            if let value = example["value"] { return value }
        }
        if let media = parameter["content"]?.members.first {
            return stated(media.value).map { .string($0.string ?? $0.text(pretty: false)) }
        }
        // In version 2 the parameter is its own schema.
        let schema = references.resolve(parameter["schema"] ?? (isSwagger ? parameter : .null))
        if let stated = SchemaExample.stated(schema) { return stated }
        guard schema["type"]?.string == "array", let items = schema["items"] else { return nil }
        return SchemaExample.stated(references.resolve(items)).map { .array([$0]) }
    }

    private mutating func row(_ name: String, _ parameter: JSONValue, isRequired: Bool, separator: String) -> RequestDefinition.Row
    {
        let value = stated(parameter).map { Self.joined($0, separator) }
        return .init(
            name: Self.text(name), value: value ?? (isRequired ? "{{\(VariableName.make(name))}}" : ""), isEnabled: isRequired)
    }

    private static func joined(_ value: JSONValue, _ separator: String) -> String {
        switch value {
        case .array(let values): values.map { text($0.scalar ?? $0.text(pretty: false)) }.joined(separator: separator)
        case .object(let members):
            members.map { "\(text($0.name))\(separator)\(joined($0.value, separator))" }.joined(separator: separator)
        default: text(value.scalar ?? "")
        }
    }

    /// A list or map by its style (OpenAPI 3.1, section 4.8.12.2).
    private mutating func rows(_ name: String, _ parameter: JSONValue, isRequired: Bool) -> [RequestDefinition.Row] {
        let style = parameter["style"]?.string ?? "form"
        let format = parameter["collectionFormat"]?.string
        let explodes = isSwagger ? format == "multi" : parameter["explode"]?.boolean ?? (style == "form")
        switch stated(parameter) {
        case .array(let values)? where explodes:
            return values.map { .init(name: Self.text(name), value: Self.joined($0, ","), isEnabled: isRequired) }
        case .object(let members)? where style == "deepObject" || explodes:
            return members.map { member in
                let key = style == "deepObject" ? "\(name)[\(member.name)]" : member.name
                return .init(name: Self.text(key), value: Self.joined(member.value, ","), isEnabled: isRequired)
            }
        default:
            let separators = ["spaceDelimited": " ", "pipeDelimited": "|", "ssv": " ", "tsv": "\t", "pipes": "|"]
            return [row(name, parameter, isRequired: isRequired, separator: separators[format ?? style] ?? ",")]
        }
    }
}
