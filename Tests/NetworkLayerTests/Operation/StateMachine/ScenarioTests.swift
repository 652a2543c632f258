import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// Section 2.2 of the reference: which events, in which order.
@Suite struct ScenarioTests {
    @Test(arguments: [ResponseConsumption.stream, .memory(spillOver: 100)])
    func `CON-1 a reader has a piece before its progress is told`(consumption: ResponseConsumption) {
        var machine = Machine { $0.consumption = consumption }
        machine.start()
        machine.head()
        let before = machine.events.count
        let data = Data("ab".utf8)
        var effects: [Machine.StateMachine.PlacedEffect] = []
        machine.machine.handle(.transport(.body(data, received: 2, expected: nil), attempt: 1), at: machine.now, into: &effects)
        #expect(machine.events.dropFirst(before).map(\.kind) == [.downloadProgress(TransferProgress(bytes: 2))])
        let place = consumption == .stream ? before : before + 1
        #expect(effects == [.init(effect: .write(data, attempt: 1), eventsBefore: place)])
    }

    @Test func `an upload makes it run before the answer`() {
        var machine = Machine(.post("http://a.test/"))
        machine.start()
        machine.transport(.uploadProgress(TransferProgress(bytes: 4, expected: 4)))
        machine.transport(.requestSent)
        machine.succeed()
        #expect(
            machine.story == [
                "enqueued", "idle>preparing", "attemptStarted", "preparing>starting", "starting>running", "uploadProgress",
                "requestSent", "head", "attemptEnded completing", "running>succeeded", "completed",
            ])
        machine.expectGood()
    }

    @Test func `a 3xx without Location is the answer`() {
        var machine = Machine()
        machine.start()
        machine.head(.found)
        machine.body(3)
        #expect(machine.finish() == [.closeBody(attempt: 1)])
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.state == .succeeded)
        #expect(!machine.names.contains("redirect"))
        machine.expectGood()
    }

    @Test func `a refused redirect is the answer, with its body`() {
        var machine = Machine { $0.redirects.policy = .never }
        machine.start()
        machine.head(.found, [.location: "/next"])
        #expect(machine.body(3) == [.write(Data("aaa".utf8), attempt: 1)])
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.state == .succeeded)
        #expect(
            machine.machine.metrics.attempts.map(\.redirect) == [
                RedirectHop(location: "http://a.test/next", decision: .refusedByPolicy)
            ])
        machine.expectGood()
    }

    @Test func `an answer that never begins is an error`() {
        var machine = Machine()
        machine.start()
        machine.finish()
        #expect(machine.state == .failed)
        #expect(machine.error?.code == .protocolViolation)
        machine.expectGood()
    }

    @Test func `waiting is visible, and each reason once`() {
        var machine = Machine()
        machine.enqueue()
        machine.send(.wait(.queueSuspended))
        machine.send(.wait(.queueSuspended))
        machine.send(.wait(.concurrencyLimit))
        machine.send(.start)
        #expect(
            machine.story == [
                "enqueued", "idle>waiting:queueSuspended", "waiting:queueSuspended>waiting:concurrencyLimit",
                "waiting:concurrencyLimit>preparing",
            ])
        machine.expectGood(isComplete: false)
    }

    @Test func `a second head, a second start and a second enqueue change nothing`() {
        var machine = Machine()
        machine.start()
        machine.head()
        let before = machine.events.count
        #expect(machine.enqueue() == [])
        #expect(machine.send(.start) == [])
        #expect(machine.prepare() == [])
        #expect(machine.head(.notFound) == [])
        #expect(machine.events.count == before)
    }

    @Test(arguments: [HTTPResponse.Status.ok, .found, .notFound])
    func `a body that says it is longer than its limit isn't waited for`(status: HTTPResponse.Status) {
        var machine = Machine { $0.limits.bodyBytes = 10 }
        machine.start()
        #expect(
            machine.head(status, [.contentLength: "11", .location: "/next"]).filter { $0 != .clearAlarm } == [
                .cancelTransfer, .finish,
            ])
        #expect(
            machine.error?.message
                == "The body from GET a.test has 11 bytes, and may have 10; raise the limit if it may be that long.")
        machine.expectGood()
    }

    @Test func `what has no body may say how long it would be`() {
        var machine = Machine { $0.limits.bodyBytes = 10 }
        machine.start()
        machine.head(.notModified, [.contentLength: "11"])
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.state == .succeeded)
        machine.expectGood()
    }

    @Test func `the body of an answer longer than its limit fails the attempt`() {
        var machine = Machine { $0.limits.bodyBytes = 10 }
        machine.start()
        machine.head()
        #expect(machine.body(10) == [.write(Data(repeating: 0x61, count: 10), attempt: 1)])
        #expect(machine.body(1, received: 11) == [.cancelTransfer, .clearAlarm, .finish])
        #expect(machine.error?.code == .limitExceeded)
        machine.expectGood()
    }

    @Test func `a body that can't be kept fails the operation and cuts the transfer off`() {
        var machine = Machine()
        machine.start()
        machine.head()
        machine.body(3)
        let full = NetworkError.file("can't be written", path: "/tmp/x", errno: 28)
        #expect(machine.send(.bodyFailed(full, attempt: 1)) == [.cancelTransfer, .clearAlarm, .finish])
        #expect(machine.error == full)
        machine.expectGood()
    }

    @Test func `consumption none writes nothing but counts`() {
        var machine = Machine { $0.consumption = .none }
        machine.start()
        machine.head()
        #expect(machine.body(3, expected: 3) == [])
        #expect(machine.finish() == [.clearAlarm, .finish])
        #expect(machine.machine.metrics.attempts.last?.download == TransferProgress(bytes: 3, expected: 3))
        #expect(machine.machine.metrics.attempts.last?.bytes.decodedResponseBody == 3)
    }

    @Test func `a reader that is behind stops the transfer and the idle timeout`() {
        var machine = Machine {
            $0.consumption = .stream
            $0.timeouts = Timeouts(idle: .seconds(1), attempt: nil, operation: nil)
        }
        machine.start()
        machine.head()
        machine.body(3)
        #expect(machine.send(.readerIsBehind(true, attempt: 1)) == [.pauseReceiving])
        #expect(machine.send(.readerIsBehind(true, attempt: 1)) == [])
        machine.wait(.seconds(100))
        machine.send(.alarm)
        #expect(machine.state == .running)
        #expect(machine.send(.readerIsBehind(false, attempt: 1)) == [.resumeReceiving])
        machine.wait(.milliseconds(1100))
        machine.send(.alarm)
        #expect(machine.error?.code == .idleTimedOut)
        machine.expectGood()
    }

    @Test func `times never go backwards, even when the transport dates an event back`() {
        var machine = Machine()
        machine.start()
        machine.now = machine.now - .seconds(1)
        machine.transport(.resolveStarted(host: "a.test"))
        #expect(machine.events.map(\.time).min() == machine.events.map(\.time).max())
        machine.expectGood(isComplete: false)
    }
}

extension Machine {
    /// The events as words: transitions by their states, ends of attempts with what follows.
    var story: [String] {
        events.map { event in
            switch event.kind {
            case .transition(let from, let to): "\(from)>\(to)"
            case .attemptEnded(let attempt): "attemptEnded \(attempt.disposition?.rawValue ?? "?")"
            default: event.kind.name
            }
        }
    }
}
