import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// An operation's state machine with the time it is told, everything it has said so far, and a word for every input.
struct Machine {
    typealias StateMachine = RequestOperation.StateMachine

    var machine: StateMachine
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private(set) var effects: [StateMachine.Effect] = []
    static let date = Date(timeIntervalSince1970: 1_700_000_000)

    init(
        _ request: Request = .get("http://a.test/"), delegate: Bool = false,
        configure: (inout RequestConfiguration) -> Void = { _ in }
    ) {
        var configuration = RequestConfiguration()
        configure(&configuration)
        machine = StateMachine(
            id: OperationID(rawValue: 1), request: request, configuration: Shared(wrappedValue: configuration),
            hasRedirectDecider: delegate)
    }

    var state: RequestOperation.State { machine.state }
    var events: [NetworkEvent] { machine.log }
    var names: [String] { events.map(\.kind.name) }
    var attempt: Int { machine.metrics.attempts.count }
    var error: NetworkError? { machine.metrics.error }

    @discardableResult
    mutating func send(_ input: StateMachine.Input) -> [StateMachine.Effect] {
        let new = machine.handle(input, at: now)
        effects += new
        return new
    }

    @discardableResult
    mutating func transport(_ kind: TransportEvent.Kind) -> [StateMachine.Effect] {
        send(.transport(kind, attempt: attempt))
    }

    mutating func wait(_ duration: Duration) { now = now + duration }

    @discardableResult
    mutating func enqueue(_ terms: StateMachine.Terms = .init()) -> [StateMachine.Effect] {
        send(.enqueue(queue: "test", date: Self.date, terms: terms))
    }

    /// Enqueues, starts and prepares it: its first transfer is about to start.
    @discardableResult
    mutating func start(_ terms: StateMachine.Terms = .init()) -> [StateMachine.Effect] {
        enqueue(terms)
        send(.start)
        return prepare()
    }

    /// Answers who takes part in the preparation; nobody does, unless a test says so.
    @discardableResult
    mutating func prepare(_ participants: StateMachine.Participants = []) -> [StateMachine.Effect] {
        send(.participants(participants))
    }

    /// On to a kept connection.
    mutating func connect() {
        start()
        transport(
            .connectionAcquired(ConnectionInfo(id: 1, isReused: true, localAddress: "127.0.0.1:1", remoteAddress: "127.0.0.1:80")))
    }

    @discardableResult
    mutating func head(_ status: HTTPResponse.Status = .ok, _ headers: HTTPFields = [:]) -> [StateMachine.Effect] {
        var headers = headers
        // Otherwise the connection would end the body, and what asks for another request isn't read to its end then.
        let asksForAnother = status.kind == .redirection || [401, 407].contains(status.code)
        if asksForAnother, headers[.contentLength] == nil { headers[.contentLength] = "0" }
        return transport(.head(ResponseHead(status: status, headers: headers)))
    }

    @discardableResult
    mutating func body(_ count: Int, received: Int64? = nil, expected: Int64? = nil) -> [StateMachine.Effect] {
        transport(.body(Data(repeating: 0x61, count: count), received: received ?? Int64(count), expected: expected))
    }

    @discardableResult
    mutating func finish(_ error: NetworkError? = nil) -> [StateMachine.Effect] {
        transport(.finished(TransferResult(error: error)))
    }

    /// Head, end and closed body.
    mutating func succeed() {
        head()
        finish()
        send(.bodyClosed(attempt: attempt))
    }

    /// What must hold whatever happened; checked at the end of a test.
    func expectGood(isComplete: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(EventRules.violations(in: events, isComplete: isComplete) == [], sourceLocation: sourceLocation)
        let fold = events.reduce(into: OperationMetrics()) { $0.apply($1) }
        #expect(fold == machine.metrics, sourceLocation: sourceLocation)
    }
}

extension NetworkError {
    static let noCertificate = NetworkError(
        .clientCertificateFailed, phase: .tls, type: ErrorType.clientCertificateBad, message: "The server asks for a certificate.")

    static let reset = NetworkError(
        .connectionLost, phase: .response, type: "tcp.reset", message: "The server closed the connection.")
}
