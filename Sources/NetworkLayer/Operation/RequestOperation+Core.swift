import Synchronization

extension RequestOperation {
    /// What the lock of an operation guards.
    struct Core: Sendable {
        /// Others only read it; all changes go through ``handle(_:at:)``.
        private(set) var machine: StateMachine
        /// From enqueue to the end.
        var queue: RequestOperationQueue? {
            get { keptQueue ?? suspendedQueue }
            set { (keptQueue, suspendedQueue) = (newValue, nil) }
        }
        private var keptQueue: RequestOperationQueue?
        /// What waits in a suspended queue doesn't keep it: nobody could resume one that only they know.
        private weak var suspendedQueue: RequestOperationQueue?
        /// Effects that wait to be performed, in order.
        private var outbox: [StateMachine.PlacedEffect] = []
        /// Takes the place of the outbox while that is performed. Both arrays stay, because every input would allocate new ones otherwise.
        private var spareOutbox: [StateMachine.PlacedEffect] = []
        /// How many events of the log the observers have been told, or are being told.
        private var toldEvents = 0
        /// Whether a thread is telling events and performing effects: it will come to what is added meanwhile.
        private var isDraining = false

        // What the effects made; only the thread that performs them writes these.
        var transfer: (any Transfer)?
        var alarm: (any Alarm)?
        var sink: BodySink?
        /// The arrivals that `sink` had noted, when it is gone.
        var arrivals: [BodyArrival] = []
        var networkWait: Task<Void, Never>?
        var roleTasks: RoleTasks?
        var decodings: Decodings?

        /// Numbers the calls of roles.
        var callCount = 0
        // The event handler, where there is one.
        let hasHandler: Bool
        /// How many events may be passed to the handler: those that the observers have seen.
        var publishedEvents = 0
        var handlerWaiter: CheckedContinuation<Void, Never>?
        var isHandlerStarted = false
        /// Whether the handler must see every event before the operation is over for others.
        var awaitsHandler: Bool
        var isEndHeld = false
        /// Whether the operation is over for those who wait for it: the observers, and a handler, have seen every event.
        var isOver = false
        /// The digest of the body that goes to `sink`.
        var digest: BodyDigest?
        /// The body of an attempt before, which another may go on with.
        var bodyAside: (sink: BodySink?, digest: BodyDigest?)?

        var response: Response?
        /// Unchecked, because checking costs two allocations per operation; each is taken out once, when it is resumed.
        var responseWaiters: [UnsafeContinuation<Void, Never>] = []
        var eventWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var waiterCount = 0

        init(machine: StateMachine, hasHandler: Bool) {
            self.machine = machine
            self.hasHandler = hasHandler
            self.awaitsHandler = hasHandler
        }

        /// - Parameter count: of all events of the log, those that the observers have heard.
        mutating func publishEvents(_ count: Int) { publishedEvents = count }

        var now: MonotonicTime { queue?.client.time.now ?? SystemTimeSource.now }

        mutating func handle(_ input: StateMachine.Input, at time: MonotonicTime) {
            switch input {
            case .wait(.queueSuspended, _): (keptQueue, suspendedQueue) = (nil, queue)
            case .wait, .start: if let suspendedQueue { queue = suspendedQueue }
            default: break
            }
            machine.handle(input, at: time, into: &outbox)
        }

        /// Takes what there is to do; nothing when another thread is performing effects, or there is nothing to do.
        mutating func beginDraining(_ batch: inout Batch) -> Bool {
            guard !isDraining else { return false }
            isDraining = true
            return continueDraining(&batch)
        }

        mutating func continueDraining(_ batch: inout Batch) -> Bool {
            if queue?.hasObservers ?? false { batch.events = machine.log[toldEvents...] }
            batch.eventsBefore = toldEvents
            toldEvents = machine.log.count
            batch.eventsAfter = toldEvents
            if !eventWaiters.isEmpty, batch.eventsBefore < toldEvents {
                batch.eventWaiters = Array(eventWaiters.values)
                eventWaiters = [:]
            }
            isDraining =
                !outbox.isEmpty || !batch.eventWaiters.isEmpty
                || (batch.eventsBefore < batch.eventsAfter && (hasHandler || !batch.events.isEmpty))
            guard isDraining else {
                if batch.effects.capacity > 0 { swap(&spareOutbox, &batch.effects) }
                return false
            }
            if batch.effects.capacity == 0 { swap(&spareOutbox, &batch.effects) }
            swap(&outbox, &batch.effects)
            batch.queue = queue
            return true
        }
    }

    /// What is to be done outside of the lock: events to tell, and effects to perform in between.
    struct Batch {
        /// The events that the observers haven't seen, where there are observers; an index is a sequence number.
        var events: ArraySlice<NetworkEvent> = []
        /// How many events of the log have been passed on, and how many are ready to be.
        var eventsBefore = 0
        var eventsAfter = 0
        var effects: [StateMachine.PlacedEffect] = []
        var queue: RequestOperationQueue?
        var eventWaiters: [CheckedContinuation<Void, Never>] = []
    }
}

extension RequestOperation {
    /// Feeds the machine, and performs what follows unless another thread is doing so.
    func handle(_ input: StateMachine.Input, at time: MonotonicTime? = nil) {
        var batch = Batch()
        let drains = core.withLock { core in
            core.handle(input, at: time ?? core.now)
            return core.beginDraining(&batch)
        }
        if drains { drain(&batch) }
    }

    /// As ``handle(_:at:)``, with an input that is made under the lock.
    func handle(_ input: (RequestOperation) -> StateMachine.Input) {
        var batch = Batch()
        let drains = core.withLock { core in
            core.handle(input(self), at: core.now)
            return core.beginDraining(&batch)
        }
        if drains { drain(&batch) }
    }

    /// - Returns: whether it was taken; `false` when it had been enqueued or cancelled before.
    func enqueue(on queue: RequestOperationQueue, usesSlots: Bool, skipsLine: Bool) -> Bool {
        let time = queue.client.time
        let adoptsTask = mayCallRoles(of: queue.client) && RoleTasks.canInherit
        var batch = Batch()
        let (isTaken, drains) = core.withLock { core in
            guard !core.machine.isEnqueued, !core.machine.state.isFinal else { return (false, false) }
            core.queue = queue
            if adoptsTask { core.roleTasks = RoleTasks() }
            core.handle(
                .enqueue(
                    queue: queue.identifier, date: time.date, callbackTimeout: queue.client.settings.callbackTimeout,
                    terms: .init(usesSlots: usesSlots, skipsLine: skipsLine, hasNetworkConditions: queue.client.conditions != nil)),
                at: time.now)
            return (true, core.beginDraining(&batch))
        }
        if drains { drain(&batch) }
        return isTaken
    }

    private func drain(_ batch: inout Batch) {
        repeat {
            for placed in batch.effects {
                tell(&batch, upTo: placed.eventsBefore)
                perform(placed.effect, queue: batch.queue)
            }
            batch.effects.removeAll(keepingCapacity: true)
            tell(&batch, upTo: batch.eventsAfter)
        } while core.withLock { $0.continueDraining(&batch) }
    }

    /// Passes the next events to the observers, then to the handler, and after the last one resumes those who wait for any.
    private func tell(_ batch: inout Batch, upTo count: Int) {
        guard batch.eventsBefore < count else { return }
        if !batch.events.isEmpty, let queue = batch.queue {
            for index in batch.eventsBefore..<count {
                let event = batch.events[index]
                queue.observers.notify(event, of: self)
                queue.client.observers.notify(event, of: self)
            }
            // Let go before an effect appends to the log, or that would copy it.
            if count == batch.eventsAfter { batch.events = [] }
        }
        batch.eventsBefore = count
        if hasEventHandler, let handler = delegate.events { publishEvents(count, to: handler) }
        guard count == batch.eventsAfter, !batch.eventWaiters.isEmpty else { return }
        for waiter in batch.eventWaiters { waiter.resume() }
        batch.eventWaiters.removeAll()
    }
}
