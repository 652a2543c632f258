/// What a client sent that isn't HTTP/1.1, or is more than we take in.
enum ProtocolError: Error, Hashable {
    case malformed(String)
    case tooLong(limit: Int)

    /// The answer before the connection is closed.
    var reply: Reply {
        switch self {
        case .malformed(let message): .problem(400, message)
        case .tooLong(let limit): .problem(431, "The head is longer than \(limit) bytes.")
        }
    }
}
