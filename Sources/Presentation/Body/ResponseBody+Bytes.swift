package import NetworkLayer

extension BodyBytes {
    /// Whether it is read in another form than the one that was sent, which is in memory then.
    package func isTranscoded(contentType: String?) -> Bool { BodyText.charset(prefix(1024), contentType: contentType) != nil }
}

extension ResponseBody {
    /// Those of a file are mapped; `nil`: there is none.
    package var bytes: BodyBytes? {
        get throws {
            switch self {
            case .none: nil
            case .data(let data): BodyBytes(data)
            case .file(let file): try BodyBytes(mapping: file.path, upTo: file.count)
            }
        }
    }
}
