import Base
import HTTPTypes
import NetworkLayer

/// tnlcli's JSON of a response's header fields.
enum HeaderDump {
    /// Sorted by name; a field that came several times is joined with commas (RFC 9110, section 5.2).
    static func json(_ response: Response) throws -> Data {
        var members: [String: String] = [:]
        for field in response.info?.head.headers ?? [:] {
            let name = field.name.rawName
            members[name] = members[name].map { "\($0), \(field.value)" } ?? field.value
        }
        members["_tnlcli_StatusCode"] = String(response.info?.head.status.code ?? 0)
        members["_tnlcli_URL"] = (response.info?.finalRequest ?? response.originalRequest).url.absoluteString
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(members) + Data("\n".utf8)
    }
}
