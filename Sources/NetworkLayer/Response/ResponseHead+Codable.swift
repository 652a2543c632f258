import Base
import HTTPTypes

extension ResponseHead: Codable {
    private enum Key: String, CodingKey { case status, reason, version, headers, raw }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let code = try values.decode(Int.self, forKey: .status)
        guard (0...999).contains(code) else {
            throw DecodingError.dataCorruptedError(forKey: .status, in: values, debugDescription: "\(code) is no status")
        }
        self.init(
            status: .init(code: code, reasonPhrase: try values.decode(String.self, forKey: .reason)),
            version: try values.decode(String.self, forKey: .version),
            headers: try values.decode(HTTPFields.self, forKey: .headers),
            raw: try values.decode(Data.self, forKey: .raw))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(status.code, forKey: .status)
        try values.encode(status.reasonPhrase, forKey: .reason)
        try values.encode(version, forKey: .version)
        try values.encode(headers, forKey: .headers)
        try values.encode(raw, forKey: .raw)
    }
}
