import Base
import HTTPTypes
import Synchronization

struct StoredResponse: Sendable, Hashable, Codable {
    /// Names the file of its body.
    var id: UUID
    /// The URL of the request, without a fragment.
    var url: String
    /// When the request went out and its answer came (RFC 9111, section 4.2.3).
    var requested: Date
    var received: Date
    var status: Int
    var reason: String
    var version: String
    var fields: [TransferResult.HeaderLine]
    /// Bytes of the body as they were handed on: decoded, unless ``isDecoded`` is off.
    var bodyCount: Int64
    /// Whether the transport has decoded the content coding.
    var isDecoded: Bool
    /// The request's fields that the answer depends on: those that `Vary` names, and who asked. Names in lower case, values as hashes:
    /// they may be secrets.
    var selecting: [String: String]
    /// How the server was reached, by whom and how far it was trusted, as a hash; `nil`: as the URL says, with nothing but the header
    /// to say who asks.
    var way: String?

    init(
        request: TransferRequest, head: ResponseHead, requested: Date, received: Date, bodyCount: Int64 = 0, id: UUID = UUID()
    ) {
        self.id = id
        self.url = Self.key(request.request.url)
        self.requested = requested
        self.received = received
        self.status = head.status.code
        self.reason = head.status.reasonPhrase
        self.version = head.version
        // The jar has its cookies; a file is no place for them.
        self.fields = head.headers.filter { $0.name != .setCookie }.map { .init(name: $0.name.rawName, value: $0.value) }
        self.bodyCount = bodyCount
        self.isDecoded = request.options.acceptsCompression
        self.selecting = Self.selecting(head.headers, of: request)
        self.way = Self.way(of: request)
    }

    var headers: HTTPFields {
        HTTPFields(
            limited: fields.lazy.compactMap { line in
                HTTPField.Name(line.name).map { HTTPField(name: $0, value: line.value) }
            })
    }

    /// What the answer says about itself, with its age in seconds.
    func head(age: TimeInterval) -> ResponseHead {
        var headers = headers
        headers[.age] = String(Int64(min(max(0, age), CacheControl.mostSeconds)))
        var raw = "\(version) \(status)\(reason.isEmpty ? "" : " " + reason)\r\n"
        for field in headers { raw += "\(field.name.rawName): \(field.value)\r\n" }
        return ResponseHead(
            status: .init(code: status, reasonPhrase: reason), version: version, headers: headers, raw: Data((raw + "\r\n").utf8))
    }

    /// Whether it may answer this request, its age aside (section 4.1).
    func answers(_ request: TransferRequest) -> Bool {
        guard url == Self.key(request.request.url) else { return false }
        if headers[.contentEncoding] != nil, isDecoded != request.options.acceptsCompression { return false }
        return selecting["*"] == nil && selecting.allSatisfy { $0.value == Self.selector($0.key, of: request) }
            && way == Self.way(of: request)
    }

    static func key(_ url: URL) -> String {
        String(url.absoluteString.prefix { $0 != "#" })
    }

    /// The names of fields in lower case. Who asked counts always: one machine may ask as many users, and what one may see the next may
    /// not. That is stricter than a private cache has to be.
    private static func varying(_ headers: HTTPFields) -> Set<String> {
        let named = headers[values: .vary].flatMap { $0.pieces(at: ",") }.map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        return Set(named).union(["authorization", "cookie"]).subtracting([""])
    }

    /// What `headers` make an answer to this request depend on.
    static func selecting(_ headers: HTTPFields, of request: TransferRequest) -> [String: String] {
        var selecting: [String: String] = [:]
        for name in varying(headers) { selecting[name] = selector(name, of: request) }
        return selecting
    }

    /// What else than the URL and the fields says who answers, whether that can be believed, and who asks. An answer that came in
    /// another way may be another server's, or somebody's in between: it would poison the store for those who are more careful.
    private static func way(of transfer: TransferRequest) -> String? {
        var way = TransportOptions()
        way.tls = transfer.options.tls
        way.proxy = transfer.options.proxy
        way.resolve = transfer.options.resolve
        way.connectTo = transfer.options.connectTo
        way.unixSocket = transfer.options.unixSocket
        way.authentication = transfer.options.authentication
        let host = transfer.request.headers[host]
        guard way != TransportOptions() || host != nil || transfer.trust != nil else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var digest = BodyDigest(.sha256)
        digest.update((try? encoder.encode(way)) ?? Data())
        digest.update(Data("\n\(host?.lowercased() ?? "")\n\(transfer.trust == nil ? "" : "handler")".utf8))
        return digest.hash.hexadecimal
    }

    private static let host = HTTPField.Name("Host")!

    private static func selector(_ name: String, of request: TransferRequest) -> String {
        var values = HTTPField.Name(name).map { request.request.headers[values: $0] } ?? []
        // The transport asks for what it can decode.
        if name == "accept-encoding", values.isEmpty, request.options.acceptsCompression { values = ["as decoded here"] }
        guard !values.isEmpty else { return "" }
        let text = values.map { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ") }.joined(
            separator: ",")
        var digest = BodyDigest(.sha256)
        digest.update(Data(text.utf8))
        return digest.hash.hexadecimal
    }
}

/// Plays a stored answer as a transport would: head, body in pieces, end; one event at a time, and none while it is paused. It runs on
/// the thread that starts or resumes it, since there is nothing to wait for.
final class StoredBodyPlayer: Transfer {
    private let body: Data
    private let result: TransferResult
    private let time: any TimeSource
    private let receive: @Sendable (TransportEvent) -> Void
    private let state: Mutex<State>

    private struct State {
        /// `nil` when it was told already.
        var head: ResponseHead?
        var offset = 0
        var isPaused = false
        var isCancelled = false
        var isFinished = false
        /// A thread is telling: it will see what changes meanwhile.
        var isRunning = false
    }

    private static let pieceBytes = 1 << 18

    /// - Parameter result: of the transfer that validated the answer, or a plain one.
    init(
        _ body: Data, head: ResponseHead?, result: TransferResult, time: any TimeSource,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.body = body
        self.result = result
        self.time = time
        self.receive = receive
        state = Mutex(State(head: head))
    }

    func run() {
        while let kind = state.withLock({ step(&$0) }) {
            receive(TransportEvent(time: time.now, kind: kind))
            state.withLock { $0.isRunning = false }
        }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        run()
    }

    func pauseReceiving() { state.withLock { $0.isPaused = true } }

    func resumeReceiving() {
        state.withLock { $0.isPaused = false }
        run()
    }

    /// - Returns: `nil` when there is nothing to report at the moment, or another thread is reporting.
    private func step(_ state: inout State) -> TransportEvent.Kind? {
        guard !state.isRunning, !state.isFinished else { return nil }
        state.isRunning = true
        if state.isCancelled {
            state.isFinished = true
            return .finished(TransferResult(error: .transferCancelled, source: result.source))
        }
        if let head = state.head.take() { return .head(head) }
        if state.isPaused {
            state.isRunning = false
            return nil
        }
        if state.offset < body.count {
            let start = body.startIndex + state.offset
            let piece = body[start..<min(start + Self.pieceBytes, body.endIndex)]
            state.offset += piece.count
            return .body(piece, received: Int64(state.offset), expected: Int64(body.count))
        }
        state.isFinished = true
        var result = result
        // Nothing of the body came over the wire.
        result.bytes.decodedResponseBody = Int64(body.count)
        return .finished(result)
    }
}

extension NetworkError {
    static let transferCancelled = NetworkError(
        .cancelled, phase: .request, type: "abandoned", message: "The transfer was cancelled.")
}
