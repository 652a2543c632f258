import Base
import HTTPTypes
import NetworkLayer
import Synchronization
import WebSockets

/// Plays a ``MockPlan`` on a clock.
///
/// Steps turn into events under the lock, and leave through one outbox, which one thread at a time empties: so events come in
/// order and one at a time, whichever threads the clock, the reader of the body and the operation call from.
final class MockTransfer: Transfer {
    private let number: Int
    private let request: Request
    private let plan: MockPlan
    private let time: any TimeSource
    private let receive: @Sendable (TransportEvent) -> Void
    private let notePriority: @Sendable (Priority) -> Void
    private let state: Mutex<State>

    private struct State {
        var nextStep = 0
        /// When the next step is due.
        var deadline: MonotonicTime
        var alarm: (deadline: MonotonicTime, alarm: (any Alarm)?)?
        var isPaused = false
        var isOver = false
        var upload: Upload?
        var session = Session()
        var outbox: [TransportEvent] = []
        var isDelivering = false
        // For the result.
        var start: MonotonicTime
        var phases = Phases()
        var bytes = ByteCounts()
    }

    private struct Upload {
        var reader: any RequestBodyReader
        var isReading = true
        /// More data came before `read` had returned "later".
        var isWoken = false
    }

    /// What the client of a WebSocket has sent.
    private struct Session {
        var reader = WebSocketMessageReader(isFromClient: true, limit: .max)
        var messages: [WebSocketMessageReader.Message] = []
        var echoes = false
        var hasClosed = false
    }

    init(
        number: Int, request: Request, plan: MockPlan, time: any TimeSource, receive: @escaping @Sendable (TransportEvent) -> Void,
        notePriority: @escaping @Sendable (Priority) -> Void
    ) {
        self.number = number
        self.request = request
        self.plan = plan
        self.time = time
        self.receive = receive
        self.notePriority = notePriority
        let now = time.now
        self.state = Mutex(State(deadline: now + (plan.steps.first?.after ?? .zero), start: now))
    }

    // MARK: Transfer

    func cancel() {
        let (alarm, reader) = state.withLock { state -> ((any Alarm)?, (any RequestBodyReader)?) in
            guard !state.isOver else { return (nil, nil) }
            state.outbox.removeAll()
            finish(
                NetworkError(.cancelled, phase: .request, type: "abandoned", message: "The transfer was cancelled."), &state)
            // A body that is being read is closed by its reader.
            let reader = state.upload.flatMap { $0.isReading ? nil : $0.reader }
            if reader != nil { state.upload = nil }
            return (state.alarm.take()?.alarm, reader)
        }
        alarm?.cancel()
        reader?.close()
        deliver()
    }

    func setPriority(_ priority: Priority) { notePriority(priority) }

    func pauseReceiving() { state.withLock { $0.isPaused = true } }

    func resumeReceiving() {
        state.withLock { $0.isPaused = false }
        run()
    }

    // MARK: The plan

    private enum Next {
        case nothing, deliver, upload
        case wait(until: MonotonicTime)
    }

    /// Takes every step that is due, and sets the alarm for the next.
    func run() {
        while true {
            switch state.withLock({ advance(&$0) }) {
            case .nothing: return
            case .deliver: deliver()
            case .upload: upload()
            case .wait(let deadline): return setAlarm(deadline)
            }
        }
    }

    private func advance(_ state: inout State) -> Next {
        guard !state.isOver, state.upload == nil || plan.isSession, state.nextStep < plan.steps.count else { return .nothing }
        let now = time.now
        let step = plan.steps[state.nextStep]
        if state.deadline > now {
            guard state.alarm?.deadline != state.deadline else { return .nothing }
            state.alarm = (state.deadline, nil)
            return .wait(until: state.deadline)
        }
        // Sending goes on at the same speed when nobody reads.
        if state.isPaused, step.action != .send { return .nothing }
        if step.action == .awaitMessage {
            guard !state.session.messages.isEmpty else { return .nothing }
            state.session.messages.removeFirst()
        }
        state.nextStep += 1
        if state.nextStep < plan.steps.count { state.deadline = now + plan.steps[state.nextStep].after }
        switch step.action {
        case .send:
            return beginSending(&state, at: now)
        case .head(let head):
            state.bytes.responseHead = Int64(head.raw.count)
            state.phases.wait = .init(start: state.phases.send?.end ?? state.start, end: now)
            state.outbox.append(TransportEvent(time: now, kind: .head(head)))
            if plan.isSession, let reader = try? request.body.makeReader() {
                state.upload = Upload(reader: reader)
                return .upload
            }
        case .sessionBytes(let data):
            // Behind its own close a peer waits for the client's.
            if data.first == 0x88 { state.session.hasClosed = true }
            receive(data, &state)
        case .awaitMessage: break
        case .echo:
            state.session.echoes = true
            for message in state.session.messages { echo(message, &state) }
            state.session.messages = []
        case .body(let data, let received, let expected):
            state.bytes.responseBody = received
            state.bytes.decodedResponseBody = received
            state.outbox.append(TransportEvent(time: now, kind: .body(data, received: received, expected: expected)))
        case .finish(let error):
            finish(error, &state)
        }
        return .deliver
    }

    // MARK: A session

    private func receive(_ data: Data, _ state: inout State) {
        state.bytes.responseBody += Int64(data.count)
        state.bytes.decodedResponseBody = state.bytes.responseBody
        state.outbox.append(
            TransportEvent(time: time.now, kind: .body(data, received: state.bytes.responseBody, expected: nil)))
    }

    private func echo(_ message: WebSocketMessageReader.Message, _ state: inout State) {
        switch message {
        case .text(let text): receive(Data(WebSocketFrame(.text, Array(text.utf8)).encoded(mask: nil)), &state)
        case .binary(let bytes): receive(Data(WebSocketFrame(.binary, bytes).encoded(mask: nil)), &state)
        case .ping, .pong, .close: break
        }
    }

    private func takeFrames(_ data: Data, _ state: inout State) {
        state.session.reader.append(data)
        while !state.isOver, let received = try? state.session.reader.next() {
            switch received.message {
            case .text, .binary:
                if state.session.echoes { echo(received.message, &state) } else { state.session.messages.append(received.message) }
            case .ping(let bytes): receive(Data(WebSocketFrame(.pong, bytes).encoded(mask: nil)), &state)
            case .pong: break
            case .close(let code, _):
                if !state.session.hasClosed { receive(Data(WebSocketFrame(close: code).encoded(mask: nil)), &state) }
                finish(nil, &state)
            }
        }
    }

    private func setAlarm(_ deadline: MonotonicTime) {
        let alarm = time.schedule(at: deadline) { [self] in run() }
        let isNeeded = state.withLock { state in
            guard state.alarm?.deadline == deadline else { return false }
            state.alarm?.alarm = alarm
            return true
        }
        if !isNeeded { alarm.cancel() }
    }

    private func finish(_ error: NetworkError?, _ state: inout State) {
        let now = time.now
        state.isOver = true
        if let head = state.phases.wait?.end { state.phases.receive = .init(start: head, end: now) }
        let result = TransferResult(error: error, phases: state.phases, bytes: state.bytes, source: .mock)
        state.outbox.append(TransportEvent(time: now, kind: .finished(result)))
    }

    private func deliver() {
        while let event = dequeueEvent() {
            receive(event)
            state.withLock { $0.isDelivering = false }
        }
    }

    private func dequeueEvent() -> TransportEvent? {
        state.withLock { state in
            guard !state.isDelivering, !state.outbox.isEmpty else { return nil }
            state.isDelivering = true
            return state.outbox.removeFirst()
        }
    }

    // MARK: The request

    private func beginSending(_ state: inout State, at now: MonotonicTime) -> Next {
        let connection = ConnectionInfo(
            id: number, isReused: false, localAddress: "mock", remoteAddress: "mock", httpVersion: "HTTP/1.1")
        let head = requestHead
        state.bytes.requestHead = Int64(head.count)
        state.phases.queue = .init(start: state.start, end: now)
        state.phases.send = .init(start: now, end: now)
        state.outbox.append(TransportEvent(time: now, kind: .connectionAcquired(connection)))
        state.outbox.append(TransportEvent(time: now, kind: .requestHeadSent(head)))
        do throws(NetworkError) {
            // What a request for another protocol sends behind its head is no body of its own.
            if request.headers[.upgrade] != nil {
                endSending(&state, at: now)
            } else if let reader = try request.body.makeReader() {
                state.upload = Upload(reader: reader)
                return .upload
            } else {
                endSending(&state, at: now)
            }
        } catch {
            finish(error, &state)
        }
        return .deliver
    }

    private func endSending(_ state: inout State, at now: MonotonicTime) {
        state.phases.send?.end = now
        state.outbox.append(TransportEvent(time: now, kind: .requestSent))
        if state.nextStep < plan.steps.count { state.deadline = now + plan.steps[state.nextStep].after }
    }

    private var requestHead: Data {
        let target = request.url.absoluteURL
        var path = target.path(percentEncoded: true)
        if path.isEmpty { path = "/" }
        if let query = target.query(percentEncoded: true) { path += "?" + query }
        var text = "\(request.method.rawValue) \(path) HTTP/1.1\r\n"
        if request.headers[Self.host] == nil {
            text += "Host: \(target.host(percentEncoded: true) ?? "")\(target.port.map { ":\($0)" } ?? "")\r\n"
        }
        for field in request.headers { text += "\(field.name.rawName): \(field.value)\r\n" }
        return Data((text + "\r\n").utf8)
    }

    private static let host = HTTPField.Name("Host")!

    /// Reads the body to its end, or until there is nothing at the moment; then the reader's `wake` goes on here.
    private func upload() {
        deliver()
        while let reader = state.withLock({ $0.isOver ? nil : $0.upload?.reader }) {
            do {
                switch try reader.read(atMost: 65_536, wake: { [self] in wake() }) {
                case .bytes(let data): sent(data, of: reader.length ?? request.body.length)
                case .end:
                    state.withLock { state in
                        guard !state.isOver else { return }
                        state.upload = nil
                        endSending(&state, at: time.now)
                    }
                    reader.close()
                    return deliver()
                case .later:
                    let isWoken = state.withLock { state in
                        guard !state.isOver, state.upload?.isWoken == false else { return true }
                        state.upload?.isReading = false
                        return false
                    }
                    guard isWoken else { return }
                    state.withLock { $0.upload?.isWoken = false }
                }
            } catch {
                let error =
                    (error as? NetworkError)
                    ?? NetworkError(
                        .bodyReadFailed, phase: .request, type: "http.request.body.unreadable",
                        message: "The body of the request can't be read: \(error)")
                state.withLock { if !$0.isOver { finish(error, &$0) } }
                deliver()
            }
        }
        state.withLock { $0.upload.take() }?.reader.close()
    }

    private func sent(_ data: Data, of length: Int64?) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.bytes.requestBody += Int64(data.count)
            if plan.isSession { return takeFrames(data, &state) }
            let progress = TransferProgress(bytes: state.bytes.requestBody, expected: length)
            state.outbox.append(TransportEvent(time: time.now, kind: .uploadProgress(progress)))
        }
        deliver()
    }

    private func wake() {
        let reads = state.withLock { state in
            guard state.upload != nil else { return false }
            if state.upload?.isReading == true {
                state.upload?.isWoken = true
                return false
            }
            state.upload?.isReading = true
            return true
        }
        guard reads else { return }
        upload()
        run()
    }
}
