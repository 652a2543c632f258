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
            queue?.standsAside(self)
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
        guard let client, let limit = Timeouts.limit(client.settings.callbackTimeout) else { return }
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

extension RequestOperation {
    /// Makes this operation wait until `other` is over, be it succeeded, failed or cancelled (DEP-1).
    ///
    /// Before it starts, it holds back the start; afterwards, the next retry. `other` may be in another queue, or in none yet; it
    /// isn't kept alive, and counts as over when it goes away without having been enqueued. When one of the two is over already,
    /// nothing happens.
    ///
    /// - Throws: code `dependencyCycle`, when both would wait for each other; the message names the circle.
    public func addDependency(_ other: RequestOperation) throws(NetworkError) {
        // This comes before the edge is added, so that an operation that ends afterwards looks for it.
        isInDependencyGraph.store(true, ordering: .sequentiallyConsistent)
        other.isInDependencyGraph.store(true, ordering: .sequentiallyConsistent)
        let (addition, news) = DependencyTable.shared.add(other, to: self)
        if case .cycle(let circle) = addition { throw .dependencyCycle(circle) }
        if state.isFinal { leaveDependencyGraph() }
        if other.state.isFinal { other.leaveDependencyGraph() }
        news.tell()
    }

    /// As ``addDependency(_:)`` for each, but those that wait for this operation are left out.
    func addDependencies(_ others: [RequestOperation]) {
        guard !others.isEmpty else { return }
        for operation in others + [self] { operation.isInDependencyGraph.store(true, ordering: .sequentiallyConsistent) }
        let news = DependencyTable.shared.add(others, to: self)
        for operation in others + [self] where operation.state.isFinal { operation.leaveDependencyGraph() }
        news.tell()
    }

    /// Undoes ``addDependency(_:)``. An operation that has no other dependencies left goes on.
    public func removeDependency(_ other: RequestOperation) {
        DependencyTable.shared.remove(other.id, from: id).tell()
    }

    /// The operations that it waits for and that aren't over, in the order of their numbers.
    public var dependencies: [OperationID] {
        isInDependencyGraph.load(ordering: .relaxed) ? DependencyTable.shared.unfinished(of: id) : []
    }

    /// The operation is over, and those that wait for it go on.
    func leaveDependencyGraph() {
        guard isInDependencyGraph.load(ordering: .sequentiallyConsistent) else { return }
        DependencyTable.shared.end(id).tell()
    }

    /// Tells the machine and the queue. Both look at the table under their own locks, so whichever notice comes last sees what is
    /// true, in whatever order notices come.
    func dependenciesChanged() {
        handle { .dependencies($0.dependencies) }
        core.withLock { $0.queue }?.dependenciesChanged(of: self)
    }
}
