package import NetworkLayer

extension BodyDocument {
    /// A document over the body of a response; a file is mapped. `nil` when there is no body.
    package convenience init?(_ body: ResponseBody, contentType: String?, mode: BodyMode = .pretty) throws {
        switch body {
        case .none: return nil
        case .data(let data): self.init(BodyBytes(data), contentType: contentType, mode: mode)
        case .file(let file): self.init(try BodyBytes(mapping: file.path), contentType: contentType, mode: mode)
        }
    }
}
