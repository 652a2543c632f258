import Base
import HTTPTypes
import NetworkLayer
import WebSockets

/// All that will happen to a transfer, and when: the pure inside of ``MockTransfer``.
struct MockPlan: Sendable {
    /// The request as it is sent.
    var request: Request?
    var steps: [Step]
    /// Whether the connection changes to a WebSocket behind its head.
    var isSession = false

    struct Step: Sendable, Hashable {
        /// Since the step before.
        var after: Duration
        var action: Action
    }

    enum Action: Sendable, Hashable {
        /// The request goes out, with all of its body.
        case send
        case head(ResponseHead)
        case body(Data, received: Int64, expected: Int64)
        /// Bytes of a session.
        case sessionBytes(Data)
        /// Waits for a message of the client, or sends all of them back.
        case awaitMessage, echo
        case finish(NetworkError?)
    }

    /// The least time between two pieces of a body.
    static let pieceInterval = Duration.milliseconds(250)

    static func failing(_ error: NetworkError) -> MockPlan {
        MockPlan(request: nil, steps: [Step(after: .zero, action: .finish(error))])
    }

    private init(request: Request?, steps: [Step]) {
        self.request = request
        self.steps = steps
    }

    init(request: Request, endpoint: MockTransport.Endpoint, content: Data, delay: Duration, isRegistered: (URL) -> Bool) {
        let behavior = endpoint.behavior
        var request = request
        for field in behavior.extraRequestHeaders { request.headers[field.name] = field.value }
        self.init(request: request, steps: [Step(after: delay, action: .send)])

        if let failure = behavior.failure, behavior.failureOffset == nil {
            steps.append(Step(after: behavior.latency, action: .finish(failure)))
            return
        }
        if let session = endpoint.response.session {
            var headers = endpoint.response.headers
            if headers[WebSocketHandshake.accept] == nil, let key = request.headers[WebSocketHandshake.key] {
                headers[WebSocketHandshake.accept] = WebSocketHandshake.accept(key)
            }
            let answer = Answer(status: behavior.status ?? endpoint.response.status, headers: headers, body: Data())
            isSession = answer.status == .switchingProtocols
            steps.append(Step(after: behavior.latency, action: .head(answer.head)))
            if isSession { play(session) } else { steps.append(Step(after: .zero, action: .finish(nil))) }
            return
        }
        var answer = Answer(status: behavior.status ?? endpoint.response.status, headers: endpoint.response.headers, body: content)
        answer.cut(to: request, behavior)
        answer.redirect(from: request.url, behavior.redirects, isRegistered)
        answer.fixLength(for: request.method)
        steps.append(Step(after: behavior.latency, action: .head(answer.head)))
        addPieces(of: answer.body, behavior)
    }

    private mutating func play(_ session: [MockSessionStep]) {
        var after = Duration.zero
        func bytes(_ opcode: WebSocketFrame.Opcode, _ payload: [UInt8]) -> Data {
            Data(WebSocketFrame(opcode, payload).encoded(mask: nil))
        }
        for step in session {
            let action: Action
            switch step {
            case .wait(let duration):
                after = after + duration
                continue
            case .send(.text(let text)): action = .sessionBytes(bytes(.text, Array(text.utf8)))
            case .send(.binary(let data)): action = .sessionBytes(bytes(.binary, [UInt8](data)))
            case .receive: action = .awaitMessage
            case .echo: action = .echo
            case .ping: action = .sessionBytes(bytes(.ping, []))
            case .close(let code, let reason): action = .sessionBytes(Data(WebSocketFrame(close: code, reason).encoded(mask: nil)))
            case .bytes(let data): action = .sessionBytes(data)
            case .end: action = .finish(nil)
            }
            steps.append(Step(after: after, action: action))
            after = .zero
        }
    }

    /// A rate cuts the body into what comes in 250 ms, or in the latency if that is longer; the last piece takes what it takes.
    private mutating func addPieces(of body: Data, _ behavior: MockBehavior) {
        let end = behavior.failure == nil ? body.count : min(body.count, max(0, behavior.failureOffset ?? 0))
        let interval = max(Self.pieceInterval, behavior.latency)
        let rate = Double(behavior.bitsPerSecond) / 8
        let size = rate > 0 ? max(1, Int(min(rate * interval.inSeconds, Double(Int32.max)))) : max(1, end)
        var offset = 0
        while offset < end {
            let next = min(end, offset + size)
            let time = rate > 0 ? max(behavior.latency, .seconds(Double(next - offset) / rate)) : .zero
            let piece = Data(body[body.startIndex + offset..<body.startIndex + next])
            steps.append(Step(after: time, action: .body(piece, received: Int64(next), expected: Int64(body.count))))
            offset = next
        }
        steps.append(Step(after: .zero, action: .finish(behavior.failure)))
    }
}

/// The response, on its way from what was registered to what is sent.
private struct Answer {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body: Data

    private static let mockLocation = HTTPField.Name("Mock-Location")!

    mutating func cut(to request: Request, _ behavior: MockBehavior) {
        guard behavior.providesRanges, status == .ok, request.method == .get, let field = request.headers[.range] else { return }
        if let condition = request.headers[.ifRange] {
            switch behavior.ifRange {
            case .any: break
            case .none: return
            case .only(let tag): guard tag == condition else { return }
            }
        }
        switch ByteRange(field, count: body.count) {
        case nil: return
        case .unsatisfiable:
            status = .rangeNotSatisfiable
            headers[.contentRange] = "bytes */\(body.count)"
            body = Data()
        case .satisfiable(let range):
            status = .partialContent
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound)/\(body.count)"
            body = Data(body[body.startIndex + range.lowerBound...body.startIndex + range.upperBound])
        }
    }

    mutating func redirect(from url: URL, _ redirects: MockBehavior.Redirects, _ isRegistered: (URL) -> Bool) {
        guard status.kind == .redirection, let location = headers[.location] else { return }
        let follows =
            switch redirects {
            case .followLocation: true
            case .dontFollow: false
            case .followIfRegistered: URL(international: location, relativeTo: url).map { isRegistered($0.absoluteURL) } ?? false
            }
        guard !follows else { return }
        headers[.location] = nil
        headers[Self.mockLocation] = location
    }

    /// A response without content has no length (204) or that of what it stands for (HEAD, 304; RFC 9110, section 8.6).
    mutating func fixLength(for method: HTTPRequest.Method) {
        headers[.transferEncoding] = nil
        headers[.contentLength] = status == .noContent ? nil : String(body.count)
        if method == .head || status == .noContent || status == .notModified { body = Data() }
    }

    var head: ResponseHead {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in headers { text += "\(field.name.rawName): \(field.value)\r\n" }
        return ResponseHead(status: status, headers: headers, raw: Data((text + "\r\n").utf8))
    }
}

/// A `Range` of one part over a body of a known length (RFC 9110, section 14.1.2), both ends inclusive.
enum ByteRange: Hashable {
    case satisfiable(ClosedRange<Int>)
    case unsatisfiable

    /// - Returns: `nil` for another unit, several parts or bad syntax: then the field is ignored.
    init?(_ field: String, count: Int) {
        let unit = "bytes="
        guard field.lowercased().hasPrefix(unit) else { return nil }
        let ends = field.dropFirst(unit.count).split(separator: "-", omittingEmptySubsequences: false).map(FieldSyntax.trimmed)
        guard ends.count == 2 else { return nil }
        switch (ends[0].isEmpty, ends[1].isEmpty) {
        case (true, true): return nil
        case (true, false):
            guard let suffix = Self.number(ends[1]) else { return nil }
            self = suffix == 0 || count == 0 ? .unsatisfiable : .satisfiable(max(0, count - suffix)...count - 1)
        case (false, let isOpen):
            guard let first = Self.number(ends[0]), let last = isOpen ? .max : Self.number(ends[1]), first <= last else {
                return nil
            }
            self = first >= count ? .unsatisfiable : .satisfiable(first...min(last, count - 1))
        }
    }

    private static func number(_ digits: Substring) -> Int? {
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(digits)
    }
}
