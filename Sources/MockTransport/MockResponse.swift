public import Base
public import HTTPTypes
public import NetworkLayer
public import WebSockets

/// A canned response.
public struct MockResponse: Sendable, Hashable {
    /// The status, unless ``MockBehavior/status`` has another.
    public var status: HTTPResponse.Status
    /// `Content-Length` is corrected to what is sent.
    public var headers: HTTPFields
    /// Where its body comes from.
    public var body: MockBody
    /// What the peer of a WebSocket does, in place of a body: see ``webSocket(_:subprotocol:)``.
    public var session: [MockSessionStep]?

    /// `Content-Length` is added where the fields don't say it.
    public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = .data(body)
    }

    /// A response without a body.
    public static func status(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> MockResponse {
        MockResponse(status: status, headers: headers)
    }

    /// A response whose body is a file, read anew for every request (TermiNetwork's mock data).
    public static func file(_ path: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> MockResponse {
        file(BodyFile(path: path), status: status, headers: headers)
    }

    /// The peer of a WebSocket. It answers pings, and a close with the same code; it takes the messages of the client one by one, or all of
    /// them once the script is over.
    ///
    ///     transport.register(.webSocket([.receive, .send(.text("hello")), .close(code: 1000)]), at: "ws://a.test/")
    public static func webSocket(_ steps: [MockSessionStep], subprotocol: String? = nil) -> MockResponse {
        var response = MockResponse(
            status: .switchingProtocols, headers: [.upgrade: "websocket", .connection: "Upgrade"])
        if let subprotocol { response.headers[WebSocketHandshake.subprotocol] = subprotocol }
        response.session = steps
        return response
    }

    /// A response in JSON, `application/json`.
    ///
    /// - Precondition: the value can be encoded.
    public static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> MockResponse {
        do {
            return MockResponse(
                status: status, headers: headers.naming("application/json"), body: try JSONEncoder().encode(value))
        } catch {
            preconditionFailure("A mock can't be made of \(type(of: value)): \(error)")
        }
    }

    /// A response in text, UTF-8.
    public static func text(_ text: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> MockResponse {
        MockResponse(status: status, headers: headers.naming("text/plain; charset=utf-8"), body: Data(text.utf8))
    }

    /// A response whose body is a file; a ``BodyFile`` may have a name that is no text.
    public static func file(_ file: BodyFile, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> MockResponse {
        var response = MockResponse(status: status, headers: headers)
        response.body = .file(file)
        return response
    }
}

extension NetworkError {
    /// For a mock that is to fail: `MockBehavior(failure: .mocked(.connectionLost))`, or thrown by its closure.
    public static func mocked(_ code: Code, phase: Phase = .connection) -> NetworkError {
        NetworkError(
            code, phase: phase, type: "mock.failure", message: "A mock failed as it was told to, with code \(code.rawValue).")
    }
}

extension HTTPFields {
    /// With a `Content-Type`, unless there is one.
    fileprivate func naming(_ contentType: String) -> HTTPFields {
        var fields = self
        if !fields.contains(.contentType) { fields[.contentType] = contentType }
        return fields
    }
}

/// What the peer of a mocked WebSocket does next.
public enum MockSessionStep: Sendable, Hashable {
    /// Sends a message.
    case send(WebSocket.Message)
    /// Waits for a message of the client.
    case receive
    /// Sends every message of the client back, until it closes.
    case echo
    /// Does nothing for so long.
    case wait(Duration)
    /// Asks for a sign of life.
    case ping
    /// Closes; without a code with an empty frame.
    case close(code: Int?, reason: String = "")
    /// Sends bytes that may be no frame.
    case bytes(Data)
    /// Ends the connection.
    case end
}

/// Where the bytes of a canned response are.
public enum MockBody: Sendable, Hashable {
    /// In memory.
    case data(Data)
    /// In a file, which is read for every request.
    case file(BodyFile)

    func contents(for url: URL) throws(NetworkError) -> Data {
        switch self {
        case .data(let data): return data
        case .file(let file):
            do throws(NetworkError) {
                return try file.contents()
            } catch {
                throw NetworkError(
                    .fileFailed, phase: .preparation, type: "mock.file.unreadable",
                    message:
                        "The mock of \(url.absoluteString) can't be read from \(file.path); create the file, or register another for the URL."
                )
            }
        }
    }
}
