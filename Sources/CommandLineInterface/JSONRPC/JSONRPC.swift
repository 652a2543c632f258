import Base
import RequestCollections

/// Messages of JSON-RPC 2.0.
enum JSONRPC {
    /// Section 5.1, and the codes that the Language Server Protocol adds.
    enum ErrorCode: Int {
        case parse = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case notInitialized = -32002
    }

    static func request(_ id: JSONValue, _ method: String, _ params: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params]
    }

    static func notification(_ method: String, _ params: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "method": .string(method), "params": params]
    }

    static func result(_ id: JSONValue, _ result: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "result": result]
    }

    static func failure(_ id: JSONValue, _ code: ErrorCode, _ message: String) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "error": ["code": .number("\(code.rawValue)"), "message": .string(message)]]
    }
}

extension JSONRPC {
    /// What a peer has sent.
    enum Message: Hashable, Sendable {
        case request(method: String, params: JSONValue?, id: JSONValue)
        case notification(method: String, params: JSONValue?)
        /// An answer to a request of ours.
        case reply(JSONValue)
        /// It isn't a valid message; this error is the answer.
        case malformed(error: JSONValue)

        init(_ piece: MessageFraming.Piece) {
            switch piece {
            case .message(let bytes): self.init(String(decoding: bytes, as: UTF8.self))
            case .tooLong:
                let limit = MessageFraming.longestMessage >> 20
                self = .malformed(error: failure(.null, .invalidRequest, "A message is longer than \(limit) MiB; it was skipped."))
            }
        }

        init(_ text: String) {
            guard let message = JSONParser.parse(text) else {
                self = .malformed(error: failure(.null, .parse, "This is not JSON."))
                return
            }
            guard case .object = message else {
                self = .malformed(error: failure(.null, .invalidRequest, "A message is one object; batches are not taken."))
                return
            }
            if let version = message["jsonrpc"], version != "2.0" {
                self = .malformed(error: failure(Self.id(of: message) ?? .null, .invalidRequest, "This is JSON-RPC 2.0."))
                return
            }
            guard let method = message["method"]?.string else {
                // A client that asks something waits for an answer, even when the question is malformed.
                let isReply = message["method"] == nil && (message["result"] != nil || message["error"] != nil)
                self =
                    isReply
                    ? .reply(message)
                    : .malformed(error: failure(Self.id(of: message) ?? .null, .invalidRequest, "A request names its method."))
                return
            }
            if let id = Self.id(of: message) {
                self = .request(method: method, params: message["params"], id: id)
            } else if message["id"] == nil {
                self = .notification(method: method, params: message["params"])
            } else {
                self = .malformed(error: failure(.null, .invalidRequest, "An id is a string or a number."))
            }
        }

        private static func id(of message: JSONValue) -> JSONValue? {
            switch message["id"] {
            case .string?, .number?: message["id"]
            case .null?, .boolean?, .array?, .object?, nil: nil
            }
        }
    }
}
