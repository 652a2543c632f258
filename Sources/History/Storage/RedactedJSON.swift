import FoundationEssentials
import NetworkLayer
import RequestCollections

/// A value as JSON without secrets, that can still be decoded: every text is redacted by itself, and bodies under their base64.
enum RedactedJSON {
    static let mask = "******"

    static func text(_ value: some Encodable, _ redactor: Redactor) throws -> String {
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        guard !redactor.isEmpty, let parsed = JSONParser.parse(text) else { return text }
        return redacted(parsed, redactor, isBytes: false).text(pretty: false)
    }

    private static func redacted(_ value: JSONValue, _ redactor: Redactor, isBytes: Bool) -> JSONValue {
        switch value {
        case .null, .boolean, .number: return value
        case .string(let text):
            if isBytes, let bytes = Data(base64Encoded: text) { return .string(redactor.bytes(bytes).base64EncodedString()) }
            // Header fields and URLs take ASCII alone.
            return .string(redactor.text(text).replacing(Redactor.mask, with: mask))
        case .array(let values): return .array(values.map { redacted($0, redactor, isBytes: false) })
        case .object(let members):
            return .object(
                members.map { member in
                    .init(name: member.name, value: redacted(member.value, redactor, isBytes: member.name == "data"))
                })
        }
    }
}
