package import NetworkLayer

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
