import HTTPTypes

extension Request {
    /// Whether the two ask for the same, as far as that can be told without comparing bytes: method, URL, the same header fields
    /// with names in any case and in any order, and whether there is a body. `==` compares whole bodies too (REQ-8).
    public func isRoughlyEqual(to other: Request) -> Bool {
        method == other.method && url == other.url && headers == other.headers
            && (body == .none) == (other.body == .none)
    }
}
