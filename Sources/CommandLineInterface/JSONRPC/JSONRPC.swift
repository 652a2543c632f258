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
    enum Message: Hashable {
        case request(method: String, params: JSONValue?, id: JSONValue)
        case notification(method: String, params: JSONValue?)
        /// To a request of ours.
        case reply(JSONValue)
        /// No message; the error is its answer.
        case malformed(error: JSONValue)

        init(_ text: String) {
            guard let message = JSONParser.parse(text) else {
                self = .malformed(error: failure(.null, .parse, "This is not JSON."))
                return
            }
            guard case .object = message else {
                self = .malformed(error: failure(.null, .invalidRequest, "A message is one object; batches are not taken."))
                return
            }
            guard let method = message["method"]?.string else {
                self = .reply(message)
                return
            }
            switch message["id"] {
            case nil: self = .notification(method: method, params: message["params"])
            case .string?, .number?: self = .request(method: method, params: message["params"], id: message["id"] ?? .null)
            case .null?, .boolean?, .array?, .object?:
                self = .malformed(error: failure(.null, .invalidRequest, "An id is a string or a number."))
            }
        }
    }
}
