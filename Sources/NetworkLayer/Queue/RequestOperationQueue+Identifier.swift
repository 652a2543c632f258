extension RequestOperationQueue {
    /// The identifier of ``NetworkClient/defaultQueue``.
    static let defaultIdentifier = "client.default"

    static func problem(with identifier: String) -> NetworkError? {
        if identifier == defaultIdentifier { return duplicate(identifier) }
        let isValid =
            !identifier.isEmpty
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        return isValid
            ? nil
            : NetworkError(
                .invalidQueue, phase: .queue, type: "queue.identifier.invalid",
                message: "\"\(identifier)\" can't name a queue: ASCII letters, digits, dots and hyphens only, at least one.")
    }

    static func duplicate(_ identifier: String) -> NetworkError {
        NetworkError(
            .invalidQueue, phase: .queue, type: "queue.identifier.duplicate",
            message: "There is a queue named \"\(identifier)\" already: use that one, or choose another name.")
    }
}
