import RequestCollections

extension OpenAPIImport {
    mutating func read(_ parameter: JSONValue, into request: inout ImportedRequest, at place: String) {
        guard let name = parameter["name"]?.nonEmpty else { return }
        let isRequired = parameter["required"]?.boolean == true
        let comment = description(parameter)
        switch parameter["in"]?.string {
        case "query":
            let rows = rows(name, parameter, isRequired: isRequired)
            request.definition.query += rows
            if let first = rows.first { request.comments["query.\(first.name)"] = comment }
        case "header":
            // Others say what these are (OpenAPI 3.0, section 4.7.12.1).
            guard !["accept", "content-type", "authorization"].contains(name.lowercased()) else { return }
            request.definition.headers.append(row(name, parameter, isRequired: isRequired, separator: ","))
            request.comments["headers.\(Self.text(name))"] = comment
        case "cookie":
            request.definition.cookies.append(row(name, parameter, isRequired: isRequired, separator: ","))
            request.comments["cookies.\(Self.text(name))"] = comment
        case "querystring":
            guard case .object(let members)? = statedValue(parameter, asText: false) else {
                return note(place, "the parameter `\(name)`: the document has no example of the query")
            }
            request.definition.query += members.flatMap { member in
                (member.value.items.isEmpty ? [member.value] : member.value.items).map {
                    .init(name: Self.text(member.name), value: Self.joined($0, ","))
                }
            }
        case "path", "body", "formData": break
        case let other: note(place, "the parameter `\(name)`: nothing is `in: \(other ?? "")`")
        }
    }

    /// What a parameter or property is about, for a comment.
    func description(_ value: JSONValue) -> String? {
        (references[value, "description"] ?? references[value, "schema", "description"])?.nonEmpty?.trimmingSpace
    }

    /// A value for a path; `nil` when the document has none.
    mutating func pathValue(_ parameter: JSONValue) -> String? { statedValue(parameter).map { Self.joined($0, ",") } }

    /// How the value of a parameter of a path is written where that isn't as it stands (OpenAPI 3.1, section 4.8.12.2).
    struct PathStyle {
        /// In front of each value, or of all.
        var prefix: String
        var separator: String
        /// A map's names stand in the place of the parameter's.
        var isLabel: Bool
        var explodes: Bool
    }

    func pathStyle(of parameter: JSONValue) -> PathStyle? {
        let name = parameter["name"]?.nonEmpty ?? ""
        let explodes = parameter["explode"]?.boolean == true
        switch parameter["style"]?.string {
        case "label": return PathStyle(prefix: ".", separator: explodes ? "." : ",", isLabel: true, explodes: explodes)
        case "matrix":
            let prefix = ";\(PercentText.encoded(name))="
            return PathStyle(prefix: prefix, separator: explodes ? prefix : ",", isLabel: false, explodes: explodes)
        default: return nil
        }
    }

    /// A list or a map in a path, as it is sent; `nil` for one value, which a variable gives.
    mutating func pathList(_ parameter: JSONValue, _ style: PathStyle) -> String? {
        func encoded(_ value: JSONValue) -> String {
            Self.text(PercentText.encoded(value.scalar ?? value.text(pretty: false)))
        }
        switch statedValue(parameter) {
        case .array(let items)? where !items.isEmpty:
            return style.prefix + items.map(encoded).joined(separator: style.separator)
        case .object(let members)? where !members.isEmpty:
            let names = members.map { Self.text(PercentText.encoded($0.name)) }
            guard style.explodes else {
                return style.prefix + zip(names, members).map { "\($0),\(encoded($1.value))" }.joined(separator: ",")
            }
            let sign = style.isLabel ? "." : ";"
            return zip(names, members).map { "\(sign)\($0)=\(encoded($1.value))" }.joined()
        default: return nil
        }
    }

    /// The document's own value: an example, a default, the first of a list.
    ///
    /// - Parameter asText: what is described by its content is a text.
    private mutating func statedValue(_ parameter: JSONValue, asText: Bool = true) -> JSONValue? {
        if let example = parameter["example"] ?? parameter["x-example"] { return example }
        if let first = references[parameter, "examples"]?.members.first, let value = given(first.value) {
            // In a query that is `name=value`, percent-encoded.
            guard references[first.value, "serializedValue"] != nil, value.string != nil, parameter["in"]?.string == "query" else {
                return value
            }
            let (name, text) = (value.string ?? "").split(at: "=")
            return .string(PercentText.decoded(text ?? name, plusIsSpace: true) ?? text ?? name)
        }
        if let media = references[parameter, "content"]?.members.first {
            let value = statedValue(references.resolve(media.value))
            return asText ? value.map { .string($0.string ?? $0.text(pretty: false)) } : value
        }
        // In version 2 the parameter is its own schema.
        let schema = references.resolve(parameter["schema"] ?? (isSwagger ? parameter : .null))
        if let stated = SchemaExample.stated(schema) { return stated }
        guard schema["type"]?.string == "array", let items = references[schema, "items"] else { return nil }
        return SchemaExample.stated(items).map { .array([$0]) }
    }

    private mutating func row(_ name: String, _ parameter: JSONValue, isRequired: Bool, separator: String) -> RequestDefinition.Row
    {
        let value = statedValue(parameter).map { Self.joined($0, separator) }
        return .init(
            name: Self.text(name),
            value: value ?? (isRequired ? variable(for: parameter, named: name, in: parameter["in"]?.string ?? "parameter") : ""),
            isEnabled: isRequired)
    }

    /// A variable for what the document has no value of; unless its name says that it is a secret, it gets one of its type.
    mutating func variable(for parameter: JSONValue?, named name: String, in place: String) -> String {
        let variable = isKey(name, in: place) ? VariableName.make(name) : variableName(name, in: place)
        let isKnown = collection.variables.contains { $0.name == variable }
        if let parameter, !isKnown, !SecretName.matches(name) {
            var maker = SchemaExample(references)
            let schema = references.resolve(parameter["schema"] ?? (isSwagger ? parameter : .null))
            let value = maker.value(schema).scalar.flatMap { $0.isEmpty ? nil : $0 } ?? "string"
            let kind = [schema["type"]?.string, schema["format"]?.string].compactMap(\.self).joined(separator: ", ")
            // No row of a table has the number 0.
            var made = ImportedVariable(variable, .text(Self.text(value == "0" ? "1" : value)))
            made.comment = "made up" + (kind.isEmpty ? "" : "; \(kind)")
            made.isMadeUp = true
            collection.variables.append(made)
        }
        return "{{\(variable)}}"
    }

    /// `name[key][other]=1` for each value inside of maps, and `name[]=1` for those of lists, as servers of PHP, Ruby and Node.js read
    /// them; the specification leaves open what is nested.
    static func deepRows(_ name: String, _ value: JSONValue) -> [RequestDefinition.Row] {
        switch value {
        case .object(let members): members.flatMap { deepRows("\(name)[\($0.name)]", $0.value) }
        case .array(let items): items.flatMap { deepRows("\(name)[]", $0) }
        default: [.init(name: text(name), value: text(value.scalar ?? ""))]
        }
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
        var value = statedValue(parameter)
        let schema = references.resolve(parameter["schema"])
        if value == nil, isRequired, schema["type"]?.string == "object" {
            var maker = SchemaExample(references)
            value = maker.value(schema)
        }
        switch value {
        case .array(let values)? where explodes && !values.isEmpty:
            return values.map { .init(name: Self.text(name), value: Self.joined($0, ","), isEnabled: isRequired) }
        case let value? where style == "deepObject" && !Self.deepRows(name, value).isEmpty:
            return Self.deepRows(name, value).map { .init(name: $0.name, value: $0.value, isEnabled: isRequired) }
        case .object(let members)? where explodes && !members.isEmpty:
            return members.map { member in
                .init(name: Self.text(member.name), value: Self.joined(member.value, ","), isEnabled: isRequired)
            }
        default:
            let separators = ["spaceDelimited": " ", "pipeDelimited": "|", "ssv": " ", "tsv": "\t", "pipes": "|"]
            return [row(name, parameter, isRequired: isRequired, separator: separators[format ?? style] ?? ",")]
        }
    }
}
