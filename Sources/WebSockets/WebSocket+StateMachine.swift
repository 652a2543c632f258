import Base
import NetworkLayer

extension WebSocket {
    /// What a session does next, as a value: inputs in, effects out.
    ///
    ///     opening ─ 101 ─> open ─ a close frame, either way; a violation ─> closing ─> closed
    ///        └──────────── no 101 ───────────────────────────────────────────────────────^
    ///
    /// After both close frames the server ends the connection (RFC 6455, section 7.1.1); one that doesn't is left after ``Options/close``.
    struct StateMachine: Sendable {
        enum State: Hashable, Sendable { case opening, open, closing, closed }

        enum Input: Sendable {
            /// The answer was a 101.
            case upgraded(ResponseHead, to: Request)
            case received(Data)
            /// There may be more messages in what was received, and there is room for them.
            case goOn
            /// Nobody takes what was received: silence isn't the peer's fault.
            case readerIsBehind(Bool)
            case send(Message)
            case ping
            case close(code: Int, reason: String)
            /// All that was handed to the transport is on its way.
            case written
            case alarm
            /// The transport says that nothing more comes.
            case ended(NetworkError?)
        }

        enum Effect: Sendable, Hashable {
            case write([UInt8])
            case tell(Entry)
            case report(NetworkEvent.Kind)
            /// In place of the one that was set before.
            case setAlarm(MonotonicTime)
            case opened
            /// The session is over, and with it the operation.
            case finish(NetworkError?)
        }

        private(set) var state = State.opening
        private(set) var info: SessionInfo?
        private(set) var counts = SessionCounts()
        /// There may be more messages in what was received.
        private(set) var hasMore = false
        private(set) var close: SessionClose?
        let options: Options
        private let target: String
        private var reader: WebSocketMessageReader
        private var random: any RandomNumberGenerator & Sendable
        private var entries = 0

        private var sentClose: Int?
        private var receivedClose: (code: Int, reason: String)?
        private var initiator = SessionClose.Initiator.nobody
        private var violation: NetworkError?

        private var openedAt = MonotonicTime.zero
        private var isBehind = false
        /// Pings since the last sign of life.
        private var unanswered = 0
        private var pingSent: (payload: [UInt8], time: MonotonicTime)?
        private var pingDue: MonotonicTime?
        private var closeDue: MonotonicTime?
        private var sessionDue: MonotonicTime?
        private var reported: MonotonicTime?
        private var reportDue: MonotonicTime?
        private var alarm: MonotonicTime?
        private var effects: [Effect] = []

        init(_ options: Options, target: String, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
            self.options = options
            self.target = target
            self.random = random
            reader = WebSocketMessageReader(limit: options.messageLimit)
        }

        /// Messages that are handed out before the reader is asked whether it has room.
        private static let batch = 128

        mutating func handle(_ input: Input, at time: MonotonicTime) -> [Effect] {
            guard state != .closed else { return [] }
            effects = []
            switch input {
            case .upgraded(let head, let request): open(head, request, at: time)
            case .received(let data):
                counts.received.wireBytes += Int64(data.count)
                unanswered = 0
                reader.append(data)
                read(at: time)
            case .goOn: read(at: time)
            case .readerIsBehind(let isBehind):
                self.isBehind = isBehind
                unanswered = 0
            case .send(let message):
                guard state == .open else { break }
                switch message {
                case .text(let text): send(WebSocketFrame(.text, Array(text.utf8)), .message(message), at: time)
                case .binary(let data): send(WebSocketFrame(.binary, [UInt8](data)), .message(message), at: time)
                }
                counts.sent.messages += 1
                counts.sent.bytes += Int64(message.bytes)
            case .ping: if state == .open { ping(at: time) }
            case .close(let code, let reason):
                guard state == .open else { break }
                initiator = .us
                sendClose(code, reason, at: time)
            case .written: if violation != nil { finish(violation, at: time) }
            case .alarm: alarmRang(at: time)
            case .ended(let error): ended(error, at: time)
            }
            reportCounts(at: time)
            setAlarm()
            return effects
        }

        // MARK: Opening

        private mutating func open(_ head: ResponseHead, _ request: Request, at time: MonotonicTime) {
            guard state == .opening else { return }
            do throws(WebSocketViolation) {
                let agreement = try WebSocketHandshake.check(head, to: request)
                reader = WebSocketMessageReader(
                    limit: options.messageLimit, inflates: agreement.inflates, keepsContext: agreement.keepsContext)
                info = agreement.info
            } catch {
                // No frame may go to what speaks another protocol.
                return finish(.violated(error, by: target), at: time)
            }
            state = .open
            openedAt = time
            pingDue = options.ping.map { time + $0 }
            sessionDue = options.session.map { time + $0 }
            reported = time
            effects.append(.report(.sessionOpened(info ?? SessionInfo())))
            effects.append(.opened)
        }

        // MARK: Receiving

        private mutating func read(at time: MonotonicTime) {
            hasMore = false
            // Behind the peer's close nothing counts (section 5.5.1), and neither does it behind a violation.
            guard state != .opening, receivedClose == nil, violation == nil else { return }
            do throws(WebSocketViolation) {
                for _ in 0..<Self.batch {
                    guard let received = try reader.next() else { return }
                    take(received, at: time)
                    if receivedClose != nil { return }
                }
                hasMore = true
            } catch {
                violation = .violated(error, by: target)
                if sentClose == nil {
                    initiator = .us
                    sendClose(error.code, "", at: time)
                } else {
                    finish(violation, at: time)
                }
            }
        }

        private mutating func take(_ received: WebSocketMessageReader.Received, at time: MonotonicTime) {
            let content: Entry.Content
            switch received.message {
            case .text(let text): content = .message(.text(text))
            case .binary(let bytes): content = .message(.binary(Data(bytes)))
            case .ping(let bytes): content = .ping(Data(bytes))
            case .pong(let bytes): content = .pong(Data(bytes))
            case .close(let code, let reason): content = .close(code: code ?? 1005, reason: reason)
            }
            if case .message(let message) = content {
                counts.received.messages += 1
                counts.received.bytes += Int64(message.bytes)
            }
            tell(.received, content, frames: received.frames, wireBytes: received.wireBytes, at: time)
            switch received.message {
            case .text, .binary: break
            case .ping(let bytes): if sentClose == nil { send(WebSocketFrame(.pong, bytes), .pong(Data(bytes)), at: time) }
            case .pong(let bytes):
                guard let sent = pingSent, sent.payload == bytes else { break }
                pingSent = nil
                counts.pongs += 1
                counts.latency = time - sent.time
            case .close(let code, let reason):
                receivedClose = (code ?? 1005, reason)
                if sentClose == nil {
                    initiator = .peer
                    sendClose(code, "", at: time)
                } else {
                    closeDue = time + options.close
                }
            }
        }

        // MARK: Sending

        private mutating func send(_ frame: WebSocketFrame, _ content: Entry.Content, at time: MonotonicTime) {
            let bytes = frame.encoded(mask: UInt32(truncatingIfNeeded: random.next()))
            counts.sent.wireBytes += Int64(bytes.count)
            effects.append(.write(bytes))
            tell(.sent, content, frames: 1, wireBytes: bytes.count, at: time)
        }

        private mutating func ping(at time: MonotonicTime) {
            counts.pings += 1
            let payload = Array(String(counts.pings).utf8)
            pingSent = (payload, time)
            send(WebSocketFrame(.ping, payload), .ping(Data(payload)), at: time)
        }

        private mutating func sendClose(_ code: Int?, _ reason: String, at time: MonotonicTime) {
            state = .closing
            sentClose = code ?? 1005
            closeDue = time + options.close
            pingDue = nil
            send(WebSocketFrame(close: code, reason), .close(code: code ?? 1005, reason: reason), at: time)
        }

        private mutating func tell(
            _ direction: Entry.Direction, _ content: Entry.Content, frames: Int, wireBytes: Int, at time: MonotonicTime
        ) {
            entries += 1
            effects.append(
                .tell(
                    Entry(
                        number: entries, direction: direction, content: content, time: time, frames: frames, wireBytes: wireBytes)))
        }

        // MARK: Time

        private mutating func alarmRang(at time: MonotonicTime) {
            alarm = nil
            if let closeDue, closeDue <= time {
                return finish(
                    receivedClose == nil && violation == nil ? .closeUnanswered(by: target, options.close) : outcome(nil), at: time)
            }
            if let sessionDue, sessionDue <= time, let limit = options.session {
                violation = .sessionTimedOut(target, limit)
                self.sessionDue = nil
                if state == .open {
                    initiator = .us
                    sendClose(1001, "", at: time)
                }
            }
            guard let pingDue, pingDue <= time, let interval = options.ping else { return }
            guard unanswered < 2 || isBehind else { return finish(.silent(target, interval), at: time) }
            unanswered += 1
            ping(at: time)
            self.pingDue = time + interval
        }

        private mutating func setAlarm() {
            let next = state == .closed ? nil : [pingDue, closeDue, sessionDue, reportDue].compactMap(\.self).min()
            guard let next, alarm.map({ next < $0 }) ?? true else { return }
            alarm = next
            effects.append(.setAlarm(next))
        }

        /// As progress of bodies is told: at most every 100 ms, and in a thousandth of the time that has passed, but every second.
        private mutating func reportCounts(at time: MonotonicTime) {
            guard state == .open || state == .closing, let reported else { return }
            guard effects.contains(where: { if case .tell = $0 { true } else { false } }) || reportDue.map({ $0 <= time }) ?? false
            else {
                return
            }
            let interval = min(max(.milliseconds(100), (time - openedAt) / 1000), .seconds(1))
            if reported + interval <= time {
                self.reported = time
                reportDue = nil
                effects.append(.report(.sessionProgress(counts)))
            } else {
                reportDue = reported + interval
            }
        }

        // MARK: The end

        private mutating func ended(_ error: NetworkError?, at time: MonotonicTime) {
            // Of what came last, nobody asks for more once the transcript is over.
            while hasMore, state != .closed { read(at: time) }
            guard state != .closed else { return }
            finish(state == .opening ? error : outcome(error), at: time)
        }

        /// What a session that has come to its end ends with.
        private func outcome(_ error: NetworkError?) -> NetworkError? {
            if let violation { return violation }
            guard let receivedClose else {
                if let error, error.code != .connectionLost { return error }
                // Some servers answer a close by ending the connection.
                if sentClose != nil, error == nil { return nil }
                return .endedWithoutClose(by: target, error)
            }
            if [1000, 1001, 1005].contains(receivedClose.code) || initiator == .us && receivedClose.code == sentClose {
                return nil
            }
            return .closed(by: target, receivedClose.code, receivedClose.reason)
        }

        private mutating func finish(_ error: NetworkError?, at time: MonotonicTime) {
            if state != .opening {
                let close = SessionClose(
                    code: receivedClose?.code ?? 1006, reason: receivedClose?.reason ?? "", initiator: initiator,
                    isClean: receivedClose != nil && sentClose != nil)
                self.close = close
                effects.append(.report(.sessionClosed(close, counts)))
            }
            state = .closed
            effects.append(.finish(error))
        }
    }
}

extension NetworkError {
    static func violated(_ violation: WebSocketViolation, by target: String) -> NetworkError {
        NetworkError(
            violation.code == 1009 ? .limitExceeded : .protocolViolation, phase: .body, type: "websocket.violation",
            message: "\(target) \(violation.sentence).")
    }

    static func closed(by target: String, _ code: Int, _ reason: String) -> NetworkError {
        NetworkError(
            .sessionClosed, phase: .body, type: "websocket.closed",
            message: "\(target) closed the session with \(code)\(reason.isEmpty ? "" : " “\(reason)”").",
            details: [.closeCode: String(code)])
    }

    static func endedWithoutClose(by target: String, _ error: NetworkError?) -> NetworkError {
        NetworkError(
            .connectionLost, phase: .body, type: error?.type ?? ErrorType.connectionClosed,
            message: "\(target) ended the connection without a close frame (RFC 6455, section 7.1.5).",
            systemErrno: error?.systemErrno, underlying: error, details: [.closeCode: "1006"])
    }

    static func closeUnanswered(by target: String, _ limit: Duration) -> NetworkError {
        NetworkError(
            .idleTimedOut, phase: .body, type: ErrorType.idleTimedOut,
            message: "\(target) didn't answer the close within \(limit.inSeconds.formattedSeconds) (RFC 6455, section 7.1.1).",
            details: [.closeCode: "1006"])
    }

    static func silent(_ target: String, _ interval: Duration) -> NetworkError {
        NetworkError(
            .idleTimedOut, phase: .body, type: ErrorType.idleTimedOut,
            message:
                "\(target) gave no sign of life after two pings, \(interval.inSeconds.formattedSeconds) apart (RFC 6455, section 5.5.2).",
            details: [.closeCode: "1006"])
    }

    static func sessionTimedOut(_ target: String, _ limit: Duration) -> NetworkError {
        NetworkError(
            .operationTimedOut, phase: .body, type: ErrorType.operationTimedOut,
            message: "The session with \(target) lasted longer than \(limit.inSeconds.formattedSeconds), its limit.")
    }
}

extension Double {
    fileprivate var formattedSeconds: String { self == rounded() ? "\(Int(self)) s" : "\(self) s" }
}
