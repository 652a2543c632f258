import Synchronization

extension RequestOperation {
    /// The end of the operation; an event handler learns of it first, unless the handler is what took too long.
    func finish(_ queue: RequestOperationQueue?) {
        let (error, isHeld, roleTasks) = core.withLock { core in
            let error = core.machine.metrics.error
            if error?.code == .callbackTimedOut { core.awaitsHandler = false }
            core.isEndHeld = core.awaitsHandler
            return (error, core.isEndHeld, core.roleTasks.take())
        }
        roleTasks?.cancel()
        guard !isHeld else {
            queue?.standsAside(self, roundTrip: core.withLock { $0.machine.metrics.attempts.last?.roundTrip })
            return boundWaiting(queue?.client)
        }
        if let error, error.code == .callbackTimedOut, let client = queue?.client, client.settings.crashesOnCloggedCallback {
            client.crash(error)
        }
        end(queue)
    }

    /// Resumes those who wait for the operation.
    private func end(_ queue: RequestOperationQueue?) {
        let (waiters, error, alarm) = core.withLock { core in
            core.transfer = nil
            core.decodings = nil
            core.isOver = true
            core.bodyAside = nil
            core.queue = nil
            core.retryPolicy = nil
            core.networkWait?.cancel()
            core.networkWait = nil
            defer {
                core.responseWaiters = []
                core.alarm = nil
            }
            return (core.responseWaiters, core.machine.metrics.error, core.alarm)
        }
        alarm?.cancel()
        stream?.finish(with: error)
        // Whoever has the response no longer counts it.
        if isExecuting.load(ordering: .relaxed) { queue?.client.executing.remove() }
        for waiter in waiters { waiter.resume() }
        queue?.finished(self)
        leaveDependencyGraph()
    }

    // MARK: The event handler

    /// Passes the first `count` events, which the observers have seen, to the handler.
    func publishEvents(_ count: Int, to handler: any RequestEventHandler) {
        let (waiter, starts) = core.withLock { core in
            core.publishEvents(count)
            defer { core.isHandlerStarted = true }
            return (core.handlerWaiter.take(), !core.isHandlerStarted)
        }
        waiter?.resume()
        if starts { tell(handler) }
    }

    private func tell(_ handler: any RequestEventHandler) {
        Task { [self] in
            var next = 0
            while let event = await publishedEvent(next) {
                next += 1
                await watched(handler, as: "RequestEventHandler", "handle") { await $0.handle(event, of: self) }
            }
            releaseEnd()
        }
    }

    /// The event with this number, when it is published; `nil` after the last one.
    private func publishedEvent(_ sequence: Int) async -> NetworkEvent? {
        while true {
            let (event, isLast) = core.withLock { core -> (NetworkEvent?, Bool) in
                let event = sequence < core.publishedEvents ? core.machine.log[sequence] : nil
                return (event, core.machine.state.isFinal && sequence >= core.machine.log.count)
            }
            if event != nil || isLast { return event }
            await withCheckedContinuation { continuation in
                let isThere = core.withLock { core in
                    if sequence < core.publishedEvents { return true }
                    core.handlerWaiter = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        }
    }

    /// The handler must return from `completed` within the time of one call.
    private func boundWaiting(_ client: NetworkClient?) {
        guard let client, let limit = client.settings.callbackTimeout, limit >= Timeouts.minimum else { return }
        let alarm = client.time.schedule(at: client.time.now + limit) { [self] in releaseEnd() }
        let isLate = core.withLock { core in
            if core.isEndHeld { core.alarm = alarm }
            return !core.isEndHeld
        }
        if isLate { alarm.cancel() }
    }

    private func releaseEnd() {
        let (queue, isHeld) = core.withLock { core in
            core.awaitsHandler = false
            defer { core.isEndHeld = false }
            return (core.queue, core.isEndHeld)
        }
        if isHeld { end(queue) }
    }
}
