import Base

/// A body as it can be kept (RSP-1): of a file only its length is, and it is expired when it comes back.
extension ResponseBody: Codable {
    private enum Key: String, CodingKey { case data, expiredFile }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let data = try values.decodeIfPresent(Data.self, forKey: .data) {
            self = .data(data)
        } else if let count = try values.decodeIfPresent(Int.self, forKey: .expiredFile) {
            self = .file(.expired(count: count))
        } else {
            self = .none
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .none: break
        case .data(let data): try values.encode(data, forKey: .data)
        case .file(let file): try values.encode(file.count, forKey: .expiredFile)
        }
    }
}

extension TemporaryFile {
    /// A file that was there once: it can be neither read nor moved (ENOENT).
    static func expired(count: Int) -> TemporaryFile { TemporaryFile(path: "", count: count) }

    /// Whether it was decoded from a response that had been kept: the file isn't part of what is kept (RSP-1).
    public var isExpired: Bool { path.isEmpty }
}
