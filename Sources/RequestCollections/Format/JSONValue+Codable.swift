extension JSONValue: Codable {
    /// As its text, so that the order of members and the digits of numbers are kept.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text(pretty: false))
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = JSONParser.parse(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "`\(text)` isn't JSON")
        }
        self = value
    }
}
