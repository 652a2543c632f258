import FoundationEssentials
import NetworkLayer
import RequestCollections

/// A value as JSON without secrets, that can still be decoded: every text is redacted by itself, and bytes before they are base64.
enum RedactedJSON {
    static let mask = "******"

    /// Begins what stands for bytes, until it is written: base64 isn't to be taken for a text.
    private static let bytesMark = "\u{0}bytes "

    static func text(_ value: some Encodable, _ redactor: Redactor) throws -> String {
        let encoder = JSONEncoder()
        if redactor.isEmpty { return String(decoding: try encoder.encode(value), as: UTF8.self) }
        encoder.dataEncodingStrategy = .custom { data, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(bytesMark + redactor.bytes(data).base64EncodedString())
        }
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        guard let parsed = JSONParser.parse(text) else {
            throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "it isn't JSON"))
        }
        return redacted(parsed, redactor).text(pretty: false)
    }

    private static func redacted(_ value: JSONValue, _ redactor: Redactor) -> JSONValue {
        switch value {
        case .null, .boolean, .number: return value
        case .string(let text):
            if text.hasPrefix(bytesMark) { return .string(String(text.dropFirst(bytesMark.count))) }
            // Header fields and URLs take ASCII alone.
            return .string(redactor.text(text).replacing(scalars: Redactor.mask, with: mask))
        case .array(let values): return .array(values.map { redacted($0, redactor) })
        case .object(let members):
            return .object(members.map { .init(name: $0.name, value: redacted($0.value, redactor)) })
        }
    }
}
