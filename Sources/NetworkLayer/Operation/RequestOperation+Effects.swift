import Base
import Synchronization

extension RequestOperation {
    /// Performs one effect, outside of the lock. What it makes the machine do is performed after it, by the same thread.
    func perform(_ effect: StateMachine.Effect, queue: RequestOperationQueue?) {
        switch effect {
        case .prepare:
            participate(queue?.client)
        case .ask(let step, let request, let number):
            ask(step, about: request, number: number, of: queue?.client)
        case .beginExecuting:
            isExecuting.store(true, ordering: .relaxed)
            queue?.client.executing.add()
        case .askSlot(let url, let isUnderWay):
            queue?.wantsSlot(self, for: url, isUnderWay: isUnderWay)
        case .leaveSlot:
            queue?.standsAside(self)
        case .startTransfer(let request, let attempt):
            startTransfer(request, attempt: attempt, on: queue?.client)
        case .cancelTransfer:
            core.withLock { $0.transfer.take() }?.cancel()
        case .pauseReceiving:
            core.withLock { $0.transfer }?.pauseReceiving()
        case .resumeReceiving:
            core.withLock { $0.transfer }?.resumeReceiving()
        case .decode(let data, let attempt):
            decode(data, attempt: attempt, on: queue?.client)
        case .finishDecoding(let attempt):
            decode(nil, attempt: attempt, on: queue?.client)
        case .write(let data, let attempt):
            write(data, attempt: attempt)
        case .hold(let data, let attempt):
            hold(data, attempt: attempt)
        case .release(let attempt):
            release(attempt: attempt)
        case .closeBody(let attempt):
            closeBody(attempt: attempt)
        case .endStream(let error):
            stream?.finish(with: error)
        case .askRedirect(let proposed, let head, let request, let attempt):
            askRedirect(to: proposed, after: head, from: request, attempt: attempt)
        case .askChallenges(let challenges, let attempt):
            askChallenges(challenges, attempt: attempt, on: queue?.client)
        case .askRetryPolicy(let question):
            ask(question, on: queue?.client)
        case .dropBody:
            core.withLock { core in
                core.sink = nil
                core.digest = nil
            }
        case .setBodyAside:
            core.withLock { core in
                core.bodyAside = (core.sink, core.digest.take())
                core.sink = nil
            }
        case .restoreBody:
            core.withLock { core in
                guard let aside = core.bodyAside else { return }
                (core.sink, core.digest) = aside
                core.bodyAside = nil
            }
        case .dropBodyAside:
            core.withLock { $0.bodyAside = nil }
        case .awaitNetwork:
            awaitNetwork(on: queue?.client)
        case .joinLine(let isLongPoll):
            joinLine(isLongPoll: isLongPoll, on: queue?.client)
        case .leaveLine:
            queue?.client.backoffGate.leave(.operation(id))
        case .setAlarm(let deadline):
            setAlarm(deadline, on: queue?.client)
        case .clearAlarm:
            core.withLock { $0.alarm.take() }?.cancel()
        case .finish:
            finish(queue)
        }
    }

    private func startTransfer(_ request: Request, attempt: Int, on client: NetworkClient?) {
        // A cancel may have come first; then nothing is sent. Nor is what has run out of time while its alarm is late.
        guard let client else { return }
        if core.withLock({ core in core.machine.alarm.map { $0 <= client.time.now } ?? false }) { handle(.alarm) }
        let conditions = client.conditions?.current
        note(conditions)
        let sent = priority
        let trust = trust(on: client)
        let inUse = core.withLock { core -> (request: TransferRequest, counts: Bool)? in
            guard core.machine.isTransferring(attempt) else { return nil }
            var transfer = core.machine.transferRequest(for: request, priority: sent, trust: trust)
            transfer.operation = id
            return (transfer, attempt == 1 && !core.machine.configuration.retry.isEmpty)
        }
        guard let (transferRequest, countsForRetries) = inUse else { return }
        if !transferRequest.options.allowsCellularAccess, let conditions, conditions.reachability == .cellular {
            let result = TransferResult(error: .cellularNotAllowed(conditions, request: request))
            return handle(.transport(.finished(result), attempt: attempt))
        }
        if countsForRetries {
            client.retryBudgets.countRequest(to: originalRequest.url.lowercasedHost ?? "", at: client.time.now)
        }
        let transfer = client.storing.start(transferRequest) {
            [self, gate = client.backoffGate, slots = client.slots, conditions = client.conditions] event in
            if case .finished = event.kind { note(conditions?.current) }
            handle(.transport(event.kind, attempt: attempt), at: event.time)
            if case .head(let head) = event.kind, slots.isByHost {
                slots.heard(from: transferRequest.request.url.slotHost, version: head.version)
            }
            if case .head = event.kind, gate.isOn { checkBackoff(event, attempt: attempt, gate) }
        }
        core.withLock { $0.transfer = transfer }
        // A change in the meantime found no transfer that it could be passed on to.
        if priority != sent { transfer.setPriority(priority) }
    }

    /// Called before the transport goes on to the end of the attempt, so that the signal is reported first.
    private func checkBackoff(_ event: TransportEvent, attempt: Int, _ gate: BackoffGate) {
        // It may belong to an attempt that was cut off, when the next one has begun already.
        let url = core.withLock { $0.machine.metrics.attempts[attempt - 1].request.url }
        guard case .head(let head) = event.kind,
            let signal = gate.check(head, from: url, originalURL: originalRequest.url)
        else { return }
        handle(.backoffSignalled(key: signal.key, signal.behavior, attempt: attempt))
    }

    private func askRedirect(to proposed: Request, after head: ResponseHead, from request: Request, attempt: Int) {
        guard let decider = delegate.redirects else { return handle(.redirectDecided(proposed, attempt: attempt)) }
        callRole { [self] in
            let decided = await watched(decider, as: "RedirectDecider", "redirect") {
                await $0.redirect(to: proposed, after: head, from: request)
            }
            handle(.redirectDecided(decided, attempt: attempt))
        }
    }

    private func setAlarm(_ deadline: MonotonicTime, on client: NetworkClient?) {
        guard let client else { return }
        // The alarm holds the operation until it rings or is cancelled, at the end at the latest.
        let alarm = client.time.schedule(at: deadline) { [self, conditions = client.conditions] in
            note(conditions?.current)
            handle(.alarm)
        }
        core.withLock { core in
            let replaced = core.alarm
            core.alarm = alarm
            return replaced
        }?.cancel()
    }

    /// What may end an attempt comes next (MET-2).
    func note(_ conditions: NetworkConditions?) {
        guard let conditions else { return }
        handle(.conditions(conditions))
    }

    // MARK: The body

    private func write(_ data: Data, attempt: Int) {
        hash(data)
        guard configuration.consumption != .none else { return }
        if let stream {
            guard stream.append(data, attempt: attempt) else { return }
            handle(.readerIsBehind(true, attempt: attempt))
            // The reader may have caught up before the machine learned that it was behind.
            if !stream.isBehind { handle(.readerIsBehind(false, attempt: attempt)) }
            return
        }
        let sink = sink()
        do throws(NetworkError) {
            try sink.write(data, at: sink.notesArrivals ? core.withLock { $0.now } : nil)
        } catch {
            handle(.bodyFailed(error, attempt: attempt))
        }
    }

    private func hold(_ data: Data, attempt: Int) {
        hash(data)
        do throws(NetworkError) {
            try sink().write(data)
        } catch {
            handle(.bodyFailed(error, attempt: attempt))
        }
    }

    private func release(attempt: Int) {
        guard let sink = core.withLock({ $0.sink.take() }), let data = try? sink.close().contents() else { return }
        // The transfer is over, so there is none to pause.
        _ = stream?.append(data, attempt: attempt)
    }

    private func closeBody(attempt: Int) {
        do throws(NetworkError) {
            if stream == nil, configuration.consumption != .none { try sink().finish() }
            handle(.bodyClosed(attempt: attempt, hash: closingHash))
        } catch {
            handle(.bodyFailed(error, attempt: attempt))
        }
    }

    /// Takes the digest out while it works, so that no lock is held during the hashing.
    private func hash(_ data: Data) {
        guard let algorithm = configuration.hash else { return }
        var digest = core.withLock({ $0.digest.take() }) ?? BodyDigest(algorithm)
        digest.update(data)
        core.withLock { [digest] in $0.digest = digest }
    }

    /// A body without bytes has a digest too.
    private var closingHash: BodyHash? {
        configuration.hash.map { (core.withLock { $0.digest.take() } ?? BodyDigest($0)).hash }
    }

    private func sink() -> BodySink {
        core.withLock { core in
            if let sink = core.sink { return sink }
            // The part of a stream that is held back.
            let kept = stream == nil ? configuration.consumption : RequestConfiguration().consumption
            let expected = core.machine.metrics.currentDownload.expected
            let sink = BodySink(
                kept, expected: expected, isSuccess: core.machine.metrics.currentAttempt?.head?.status.isSuccess ?? false,
                notesArrivals: expected == nil)
            core.sink = sink
            return sink
        }
    }
}

extension RequestOperation {
    /// The decoders of one body in the order of their turns. Only the thread that performs effects touches it.
    struct Decodings: Sendable {
        let attempt: Int
        var turns: [any ContentDecoding]

        /// - Parameter piece: `nil` at the end.
        mutating func decode(_ piece: Data?) throws -> Data {
            var data = piece
            for index in turns.indices {
                var decoded = Data()
                if let data, !data.isEmpty { decoded = try turns[index].decode(data) }
                if piece == nil { decoded.append(try turns[index].finish()) }
                data = decoded
            }
            return data ?? Data()
        }
    }

    /// Decodes the next piece of the body, or with `nil` what was held back of it.
    func decode(_ piece: Data?, attempt: Int, on client: NetworkClient?) {
        guard let client else { return }
        let start = client.time.now
        let (coding, head, request, builtIn, kept) = core.withLock { core in
            let current = core.machine.metrics.currentAttempt
            return (
                core.machine.configuration.contentCoding, current?.head, current?.request ?? originalRequest,
                core.machine.transportCodings, core.decodings.take()
            )
        }
        do {
            var decodings: Decodings
            if let kept, kept.attempt == attempt {
                decodings = kept
            } else {
                let decoders = head.map { coding.decoders(for: $0, besides: builtIn) } ?? []
                decodings = Decodings(attempt: attempt, turns: try decoders.map { try $0.makeDecoding() })
            }
            let data = try decodings.decode(piece)
            core.withLock { $0.decodings = decodings }
            handle(.decoded(data, latency: client.time.now - start, isEnd: piece == nil, attempt: attempt))
        } catch {
            let names = coding.decoders.map(\.contentEncoding)
            handle(.bodyFailed(.decodingFailed(error, encodings: names, request: request), attempt: attempt))
        }
    }
}
