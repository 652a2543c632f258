/// Who or what cancelled an operation (CAN-1): `"the user"`, `"the queue was emptied"`.
public struct CancelSource: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    public var description: String

    public init(_ description: String) {
        self.description = description
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }
}
