import NetworkLayer
import RequestCollections

/// A body's text as the kind of body that it is.
enum ImportedBody {
    /// - Parameters:
    ///   - type: the content type, where one is known.
    ///   - translate: makes a text's templates ours.
    static func make(_ text: String, type: String?, _ translate: (String) -> TemplateText) -> BodyDefinition {
        let essence = MediaType.essence(type)
        if essence == "application/x-www-form-urlencoded", let rows = form(text, translate) { return .form(rows) }
        if MediaType.isJSON(essence) || essence == nil, let value = JSONParser.parse(text), !value.isScalar {
            // Where it stays a text, its quotes are JSON's.
            guard value.standsAsYAML, !JSONParser.hasHalfPairs(text) else { return .json(translate(text).json) }
            return .json(value.mapTexts { translate($0).text }.text(pretty: true))
        }
        if MediaType.isJSON(essence) { return .json(translate(text).json) }
        return .text(translate(text).text)
    }

    /// A body that goes out as it is, to the byte: JSON that is laid out otherwise than ours stays a text, unless a secret in it has an
    /// escape, which a variable's value hasn't, or a name has one, which may be a secret's.
    static func recorded(
        _ text: String, type: String?, _ translate: (String) -> TemplateText = { TemplateText($0) }
    ) -> BodyDefinition {
        let body = make(text, type: type, translate)
        let hasEscapedSecret =
            text.firstMatch(of: /\\[^"]*"\s*:/) != nil
            || text.matches(of: /"([^"\\]*)"\s*:\s*"[^"\\]*\\/).contains { SecretName.matches(String($0.1)) }
        guard case .json(let json) = body, json != translate(text).json, !hasEscapedSecret else { return body }
        return .text(translate(text).text)
    }

    /// JSON with comments, as people write it for programs that take them out before they send it (Postman, Bruno); `nil`: it has none.
    static func withoutComments(_ text: String) -> String? {
        var result = ""
        var rest = Substring(text)
        var hasComment = false
        while let match = rest.firstMatch(of: /"(?:[^"\\]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//) {
            result += rest[..<match.range.lowerBound]
            rest = rest[match.range.upperBound...]
            if match.0.hasPrefix("\"") { result += match.0 } else { hasComment = true }
        }
        guard hasComment else { return nil }
        // Nothing is left of a line that was a comment.
        let (old, new) = (text.lines.map(\.trimmingSpace), (result + rest).lines)
        guard old.count == new.count else { return result + rest }
        return zip(old, new).filter { $0.isEmpty || !$1.trimmingSpace.isEmpty }.map { String($1) }.joined(separator: "\n")
    }

    /// A GraphQL request out of its text and the JSON of its variables, which may be empty.
    static func graphql(
        query: String, operation: String?, variables: JSONValue?, _ translate: (String) -> TemplateText
    ) -> BodyDefinition {
        var graphql = BodyDefinition.GraphQL(query: .text(translate(query).text), operation: operation.map { translate($0).text })
        if let variables, !variables.members.isEmpty {
            graphql.variables = variables.mapTexts { translate($0).text }.text(pretty: true)
        }
        return .graphql(graphql)
    }

    /// A query by GET, which those programs send in a body and we in the URL: as the JSON that it is there.
    static func keepingQuery(inBodyOf definition: inout RequestDefinition) {
        guard definition.method.uppercased() == "GET", case .graphql(let graphql)? = definition.body,
            case .text(let query) = graphql.query
        else { return }
        var members: [JSONValue.Member] = [.init(name: "query", value: .string(query))]
        if let operation = graphql.operation { members.append(.init(name: "operationName", value: .string(operation))) }
        if let variables = graphql.variables.flatMap({ JSONParser.parse($0) }) {
            members.append(.init(name: "variables", value: variables))
        }
        definition.body = .json(JSONValue.object(members).text(pretty: true))
    }

    /// `application/x-www-form-urlencoded` (WHATWG URL, section 5.1).
    private static func form(_ text: String, _ translate: (String) -> TemplateText) -> [RequestDefinition.Row]? {
        var rows: [RequestDefinition.Row] = []
        for part in translate(text.trimmingSpace).split(at: "&") {
            guard let pair = part.pair(plusIsSpace: true) else { return nil }
            rows.append(.init(name: pair.name.text, value: pair.value.text))
        }
        return rows
    }
}

/// RFC 9110, section 8.3.1.
enum MediaType {
    /// Type and subtype, without parameters, in lower case.
    static func essence(_ type: String?) -> String? {
        guard let type else { return nil }
        let essence = String(type.prefix { $0 != ";" }).trimmingSpace.lowercased()
        return essence.isEmpty ? nil : essence
    }

    static func isJSON(_ essence: String?) -> Bool { essence == "application/json" || essence?.hasSuffix("+json") == true }
}

/// Percent-encoding, read.
enum PercentText {
    /// `nil` when it isn't text in UTF-8. A percent sign that begins nothing is one.
    static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.contains(UInt8(ascii: "%")) || plusIsSpace && bytes.contains(UInt8(ascii: "+")) else { return String(text) }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hex(bytes[index + 1]),
                let low = hex(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(plusIsSpace && bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    /// Whether each percent sign begins an escape.
    static func hasWholeEscapes(_ text: some StringProtocol) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
            .allSatisfy { $0.count >= 2 && $0.prefix(2).allSatisfy { hex($0) != nil } }
    }

    /// All but what RFC 3986 calls unreserved (section 2.3).
    static func encoded(_ text: some StringProtocol) -> String {
        var result = ""
        for byte in text.utf8 {
            let character = Unicode.Scalar(byte)
            if byte < 0x80,
                character.properties.isAlphabetic || ("0"..."9").contains(character) || "-._~".unicodeScalars.contains(character)
            {
                result.unicodeScalars.append(character)
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}

extension JSONValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }
}

extension StringProtocol {
    /// What stands before the first separator, and behind it; `nil` when there is none.
    func split(at separator: Unicode.Scalar) -> (String, String?) {
        guard let halves = halves(at: separator) else { return (String(self), nil) }
        return (String(halves.before), String(halves.behind))
    }
}

extension ImportedBody {
    /// A GraphQL request out of its text and that of its variables.
    ///
    /// Variables that are JSON only once their templates are filled in, as in `{"n": {{n}}}`, go into a body of JSON, which says the same
    /// (https://graphql.github.io/graphql-over-http/draft/).
    ///
    /// - Returns: `nil` for variables that are no JSON in any case.
    static func graphql(
        query: String, operation: String?, variables text: String, _ translate: (String) -> TemplateText
    ) -> BodyDefinition? {
        let text = text.trimmingSpace
        if text.isEmpty { return graphql(query: query, operation: operation, variables: JSONValue?.none, translate) }
        if let variables = JSONParser.parse(text) {
            return graphql(query: query, operation: operation, variables: variables, translate)
        }
        guard Template.isIn(text), text.hasPrefix("{") else { return nil }
        var members = ["\"query\": \(JSONText.quoted(query))"]
        if let operation { members.append("\"operationName\": \(JSONText.quoted(operation))") }
        members.append("\"variables\": \(text)")
        return .json(translate("{\(members.joined(separator: ", "))}").json)
    }
}

extension MockDefinition {
    /// Takes an example of a body, as a value or as its text.
    mutating func readBody(_ value: JSONValue, type: String?) {
        let isJSON = MediaType.isJSON(MediaType.essence(type))
        let parsed = isJSON ? value.string.flatMap(JSONParser.parse) ?? value : value
        if parsed.standsAsYAML {
            body = .json(parsed.mapTexts { TemplateText($0).text }.text(pretty: true))
            if isJSON { return }
        } else {
            body = .text(TemplateText(parsed.string ?? parsed.text(pretty: true)).text)
        }
        guard let type, !type.contains("*"), !headers.contains(where: { $0.name.lowercased() == "content-type" }) else { return }
        headers.append(.init(name: "content-type", value: TemplateText(type).text))
    }
}
