import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// Thousands of operations that get anything at any time; what must always hold is checked for each.
@Suite struct RandomInputTests {
    @Test(arguments: 0..<10)
    func `SM-6 whatever comes, the rules of events and effects hold`(block: Int) {
        var reached: Set<String> = []
        for seed in block * 1000..<(block + 1) * 1000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let (machine, transferViolations) = run(&random)
            let violations =
                EventRules.violations(in: machine.events)
                + EffectRules.violations(in: machine.effects, usesSlots: machine.machine.terms.usesSlots)
                + transferViolations
                + countViolations(machine.machine.metrics)
            #expect(violations == [], "seed \(seed)")
            let fold = machine.events.reduce(into: OperationMetrics()) { $0.apply($1) }
            #expect(fold == machine.machine.metrics, "seed \(seed)")
            if !violations.isEmpty { return }
            reached.formUnion(machine.events.map(\.kind.name))
            for case .joinLine in machine.effects { reached.insert("joinLine") }
            for case .askSlot in machine.effects { reached.insert("askSlot") }
            for case .leaveSlot in machine.effects { reached.insert("leaveSlot") }
            for case .restoreBody in machine.effects { reached.insert("restoreBody") }
            reached.formUnion(machine.machine.metrics.attempts.map(\.kind.rawValue))
        }
        // Chance has been everywhere where rules count.
        #expect(
            reached.isSuperset(of: [
                "attemptEnded", "preparationFailed", "redirect", "challenge", "retryScheduled", "retryStarted", "waitsFor",
                "joinLine", "askSlot", "leaveSlot", "restoreBody", "redirect", "retry", "challenge",
            ]))
    }

    /// The first attempt is the initial one, and every other has a reason of its own (RDR-3).
    private func countViolations(_ metrics: OperationMetrics) -> [String] {
        let kinds = metrics.attempts.map(\.kind)
        let others = kinds.count { $0 == .challenge || $0 == .restart }
        return kinds.isEmpty || kinds[0] == .initial && kinds.count == 1 + metrics.retryCount + metrics.redirectCount + others
            ? [] : ["The attempts don't add up: \(kinds)"]
    }

    private func run(_ random: inout SeededGenerator) -> (Machine, violations: [String]) {
        let request =
            Bool.random(using: &random)
            ? Request.get("https://a.test/")
            : .post(
                "http://a.test/",
                body: .stream(RequestBodyStream(isReplayable: Bool.random(using: &random)) { throw CancellationError() }))
        var machine = Machine(request, delegate: Bool.random(using: &random)) { configuration in
            configuration.redirects.policy = RedirectConfiguration.Policy.allCases.randomElement(using: &random)!
            configuration.redirects.limit = Int.random(in: 0...3, using: &random)
            configuration.consumption = [.none, .memory(spillOver: 10), .stream].randomElement(using: &random)!
            configuration.skipsHostSanitization = Bool.random(using: &random)
            if Bool.random(using: &random) {
                configuration.contentCoding = ContentCoding(encoder: RotThirteen(), decoders: [RotThirteen()])
            }
            if Bool.random(using: &random) { configuration.retry = [RetryRules()] }
            configuration.connectivity = ConnectivityOptions(rawValue: Int.random(in: 0..<8, using: &random))
            configuration.limits.bodyBytes = Bool.random(using: &random) ? 200_000 : nil
            configuration.timeouts = Timeouts(
                idle: .seconds(1), attempt: .seconds(3), operation: .seconds(9),
                idleMode: Timeouts.IdleTimeoutMode.allCases.randomElement(using: &random)!)
        }
        // Or few would get far.
        if Int.random(in: 0..<4, using: &random) > 0 { machine.start(terms(&random)) }
        var transfers = TransferRules()
        transfers.take(machine.effects, after: nil)
        if Bool.random(using: &random) {
            for input in Self.brokenBody {
                machine.now = machine.now + .milliseconds(100)
                transfers.take(machine.send(input), after: input)
            }
        }
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            machine.now = machine.now + .milliseconds(Int.random(in: -5...400, using: &random))
            let input = input(for: machine, &random)
            transfers.take(machine.send(input), after: input)
        }
        transfers.take(machine.send(.cancel("the end of the test")), after: nil)
        return (machine, transfers.violations + transfers.rest)
    }

    private func terms(_ random: inout SeededGenerator) -> Machine.StateMachine.Terms {
        .init(
            usesSlots: Bool.random(using: &random), skipsLine: Int.random(in: 0..<4, using: &random) == 0,
            hasNetworkConditions: Bool.random(using: &random))
    }

    /// A body that is cut off, and a retry that may go on with it; chance alone hardly ever gets there.
    private static let brokenBody: [Machine.StateMachine.Input] = [
        .network(isReachable: true), .participants([]),
        .transport(.head(ResponseHead(status: .ok, headers: [.eTag: "\"1\"", .contentLength: "100000"])), attempt: 1),
        .transport(.body(Data(count: 100), received: 100, expected: 100_000), attempt: 1),
        .transport(.finished(TransferResult(error: .reset)), attempt: 1),
        .retryDecided(.retry(after: .milliseconds(100), reason: "test"), by: "P", pausesHosts: true), .alarm, .retryNow,
        .network(isReachable: true), .lineAnswered(.pass), .participants([]), .slot,
    ]

    /// Most often what would come next, sometimes anything.
    private func input(for machine: Machine, _ random: inout SeededGenerator) -> Machine.StateMachine.Input {
        let attempt = Int.random(in: 0..<8, using: &random) == 0 ? machine.attempt - 1 : machine.attempt
        if machine.machine.isAsking, Bool.random(using: &random) {
            return .retryDecided(
                .retry(after: .milliseconds(300), reason: "chance"), by: "P", pausesHosts: Bool.random(using: &random))
        }
        if machine.state == .waitingToRetry, Bool.random(using: &random) {
            return [.alarm, .retryNow, .dependencies([]), .network(isReachable: true), .lineAnswered(.pass)]
                .randomElement(using: &random)!
        }
        if case .awaitingSlot = machine.machine.phase, Bool.random(using: &random) { return .slot }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<2:
            return [
                .slot, .wait(.concurrencyLimit, for: .concurrencyLimit(host: "a.test")),
                .retryDecided(.abstain, by: nil), .retryDecided(.retry(after: .milliseconds(300), reason: "chance"), by: "P"),
                .retryNow, .stopRetrying, .network(isReachable: Bool.random(using: &random)),
                .lineAnswered(.pass), .lineAnswered(.wait(key: "a.test", until: Bool.random(using: &random) ? machine.now : nil)),
            ].randomElement(using: &random)!
        case 2..<4: return .wait(RequestOperation.WaitReason.allCases.randomElement(using: &random)!)
        case 4..<7: return .alarm
        case 7..<8:
            return .dependencies((0..<Int.random(in: 0...2, using: &random)).map { OperationID(rawValue: $0 + 2) })
        case 8..<9: return [.cancel("chance"), .refused(.reset)].randomElement(using: &random)!
        case 9..<12: return .readerIsBehind(Bool.random(using: &random), attempt: attempt)
        case 12..<13: return .bodyFailed(.reset, attempt: attempt)
        case 13..<22: return .bodyClosed(attempt: attempt)
        case 22..<30:
            return .redirectDecided([nil, .get("http://c.test/")].randomElement(using: &random)!, attempt: attempt)
        case 30..<38: return .challengesAnswered(challengeAnswer(for: machine, &random), attempt: attempt)
        case 38..<42: return .start
        case 42..<52: return .enqueue(queue: "test", date: Machine.date, terms: terms(&random))
        case 52..<58: return .answered(answer(for: machine, &random), number: question(of: machine, &random))
        case 58..<62: return .participants(.init(rawValue: UInt8.random(in: 0..<32, using: &random)))
        case 62..<63:
            return .conditions(NetworkConditions(reachability: .allCases.randomElement(using: &random)!))
        case 63..<64: return .callbackBegan(.init(type: "T", role: "R", method: "m"), number: Int.random(in: 0..<3, using: &random))
        case 64..<65: return .callbackEnded(number: Int.random(in: 0..<3, using: &random))
        case 65..<67:
            return .decoded(Data(count: 3), latency: .zero, isEnd: Bool.random(using: &random), attempt: attempt)
        default: return .transport(transportEvent(for: machine, &random), attempt: attempt)
        }
    }

    private func question(of machine: Machine, _ random: inout SeededGenerator) -> Int {
        machine.machine.questionCount - (Int.random(in: 0..<8, using: &random) == 0 ? 1 : 0)
    }

    /// One that fits the step, or an error.
    private func answer(for machine: Machine, _ random: inout SeededGenerator) -> Machine.StateMachine.PreparationAnswer {
        if Int.random(in: 0..<10, using: &random) == 0 { return .failed(.reset) }
        switch machine.machine.preparation?.step {
        case .hydration: return .hydrated([nil, .get("http://b.test/"), .get("ftp://b.test/")].randomElement(using: &random)!)
        case .headers: return .headers(defaults: [.accept: "*/*"], overrides: [.userAgent: "x"])
        case .contentEncoding: return .encoded(Bool.random(using: &random) ? Data("coded".utf8) : nil, latency: .zero)
        case .authorization:
            return .authorization([.unchanged, .remove, .set("Bearer x")].randomElement(using: &random)!)
        case .readyToEnqueue: return .done
        default:
            return .host(
                [.keep, .block, .change(to: "c.test"), .change(to: ""), .changeWithoutHostHeader(to: "d.test")]
                    .randomElement(using: &random)!)
        }
    }

    private func transportEvent(for machine: Machine, _ random: inout SeededGenerator) -> TransportEvent.Kind {
        if let part = machine.machine.resuming.part, machine.state == .starting {
            return .head(
                [
                    ResponseHead(
                        status: .partialContent,
                        headers: [.contentRange: "bytes \(part.count)-99999/100000", .eTag: "\"1\""]),
                    ResponseHead(status: .partialContent, headers: [.contentRange: "bytes 0-9/10", .eTag: "\"1\""]),
                    ResponseHead(status: .rangeNotSatisfiable, headers: [.contentRange: "bytes */\(part.count)"]),
                    ResponseHead(status: .serviceUnavailable),
                ].randomElement(using: &random)!)
        }
        return switch Int.random(in: 0..<15, using: &random) {
        case 0: .connectionAcquired(.loopback)
        case 1: .resent
        case 2: .requestSent
        case 3: .uploadProgress(TransferProgress(bytes: 3))
        case 4: .informational(ResponseHead(status: .continue))
        case 5: .head(ResponseHead(status: .ok))
        case 6: .head(ResponseHead(status: .ok, headers: [.contentEncoding: "rot13"]))
        case 12:
            .head(
                ResponseHead(
                    status: .unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"r\(Int.random(in: 0...2, using: &random))\""])
            )
        case 13, 14: .head(ResponseHead(status: .ok, headers: [.eTag: "\"1\"", .contentLength: "100000"]))
        case 7, 8: .head(ResponseHead(status: .found, headers: [.location: "http://b.test/"]))
        case 9, 10: .body(Data(count: Int.random(in: 0...50_000, using: &random)), received: 1, expected: nil)
        default: .finished(TransferResult(error: [.reset, .noCertificate, nil].randomElement(using: &random)!))
        }
    }

    private func challengeAnswer(for machine: Machine, _ random: inout SeededGenerator) -> ChallengeAnswer {
        let request = machine.machine.request
        // Without a head it was TLS that asked.
        let method: AuthenticationChallenge.Method =
            machine.machine.metrics.attempts.last?.head == nil ? .clientCertificate : .basic
        let challenge = AuthenticationChallenge(host: "a.test", port: 80, method: method, request: request)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return .nobody
        case 1: return .unanswered(challenge)
        case 2: return .cancelled(challenge, context: nil)
        case 3: return .certificate(path: "/me.pem", key: nil, challenge)
        default: return .reissue(request, nil, challenge)
        }
    }
}

/// Of transfers: one at a time, each ended by the transport or by a cancel.
private struct TransferRules {
    private var current: Int?
    private(set) var violations: [String] = []

    /// - Parameter input: what had the effects.
    mutating func take(_ effects: [Machine.StateMachine.Effect], after input: Machine.StateMachine.Input?) {
        if case .transport(.finished, let attempt)? = input, attempt == current { current = nil }
        for effect in effects {
            switch effect {
            case .startTransfer(_, let attempt):
                if let current { violations.append("Attempt \(attempt) starts while transfer \(current) is under way") }
                current = attempt
            case .cancelTransfer: current = nil
            default: break
            }
        }
    }

    var rest: [String] { current.map { ["Transfer \($0) is left"] } ?? [] }
}

/// What holds for the effects of every operation.
enum EffectRules {
    static func violations(in effects: [RequestOperation.StateMachine.Effect], usesSlots: Bool = false) -> [String] {
        var violations: [String] = []
        // It starts with one.
        var hasSlot = usesSlots
        var asksSlot = false
        var hasAlarm = false
        var isPaused = false
        var attempt = 0
        var isFinished = false
        var isInLine = false
        var isExecuting = false
        for effect in effects {
            if isFinished { violations.append("\(effect) after finish") }
            switch effect {
            case .prepare, .ask, .cancelTransfer: break
            case .beginExecuting:
                if isExecuting { violations.append("Counts twice as executing") }
                isExecuting = true
            case .setAlarm: hasAlarm = true
            case .clearAlarm:
                if !hasAlarm { violations.append("An alarm is cleared that isn't set") }
                hasAlarm = false
            case .askSlot:
                if hasSlot || asksSlot || !usesSlots { violations.append("Asks for a slot that it needs not") }
                asksSlot = true
            case .leaveSlot:
                if !hasSlot { violations.append("Gives back a slot that it doesn't have") }
                hasSlot = false
            case .startTransfer(_, let number):
                if usesSlots, !hasSlot, !asksSlot { violations.append("A transfer starts without a slot") }
                hasSlot = usesSlots
                asksSlot = false
                // Preparations that were retried are attempts too, without a transfer.
                if number <= attempt { violations.append("Attempt \(number) starts after \(attempt)") }
                attempt = number
                isPaused = false
            case .pauseReceiving:
                if isPaused { violations.append("Paused twice") }
                isPaused = true
            case .resumeReceiving:
                if !isPaused { violations.append("Resumed without a pause") }
                isPaused = false
            case .write(_, let number), .hold(_, let number), .release(let number), .closeBody(let number),
                .askRedirect(_, _, _, let number), .decode(_, let number),
                .finishDecoding(let number), .askChallenges(_, let number):
                if number != attempt { violations.append("\(effect) in attempt \(attempt)") }
            case .askRetryPolicy, .dropBody, .awaitNetwork, .endStream: break
            case .setBodyAside, .restoreBody, .dropBodyAside: break
            case .joinLine:
                if isInLine { violations.append("Joins a line that it stands in") }
                isInLine = true
            case .leaveLine: isInLine = false
            case .finish:
                if isInLine { violations.append("Keeps its place in line") }
                isFinished = true
            }
        }
        if !isFinished { violations.append("There is no finish") }
        return violations
    }
}
