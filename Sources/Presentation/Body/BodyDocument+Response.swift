package import FoundationEssentials
package import NetworkLayer

extension BodyDocument {
    /// A document over the body of a response; a file is mapped. `nil` when there is no body.
    package convenience init?(
        _ body: ResponseBody, contentType: String?, mode: BodyMode = .pretty, mask: (Data) -> Data = { $0 }
    ) throws {
        guard let bytes = try body.bytes else { return nil }
        self.init(bytes, contentType: contentType, mode: mode, mask: mask)
    }
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
