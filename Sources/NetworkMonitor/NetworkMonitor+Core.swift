import NetworkLayer
import Synchronization

extension NetworkMonitor {
    /// What a monitor knows, and what it does about it: values in, effects out.
    ///
    ///     system ──> way out changed? ──> ask ──> answered ──> alarm after the interval ──> ask …
    ///
    /// Questions have numbers: what belongs to an older one, whose way out is no more, is of no interest.
    struct StateMachine: Sendable {
        enum Input: Sendable, Hashable {
            /// What the kernel says, without the captive portal.
            case system(NetworkConditions)
            case answered(NetworkConditions.CaptivePortal, question: Int)
            case alarm(question: Int)
            case stop
        }

        enum Effect: Sendable, Hashable {
            case publish(NetworkConditions)
            case ask(question: Int)
            /// The question under way, if there is one.
            case cancelQuestion
            case setAlarm(MonotonicTime, question: Int)
            case clearAlarm
            /// The readers have heard everything.
            case end
        }

        private(set) var conditions = NetworkConditions()
        private(set) var isStopped = false
        private var question = 0
        /// Between answers; `nil`: never asks.
        private let interval: Duration?

        init(interval: Duration?) {
            self.interval = interval
        }

        mutating func handle(_ input: Input, at time: MonotonicTime) -> [Effect] {
            guard !isStopped else { return [] }
            switch input {
            case .system(let system): return receive(system)
            case .answered(let portal, let number):
                guard let interval, number == question else { return [] }
                var next = conditions
                next.captivePortal = portal
                return publish(next) + [.setAlarm(time + interval, question: question)]
            case .alarm(let number): return number == question ? ask() : []
            case .stop:
                isStopped = true
                return interval == nil ? [.end] : [.cancelQuestion, .clearAlarm, .end]
            }
        }

        private mutating func receive(_ system: NetworkConditions) -> [Effect] {
            var next = system
            let isSameWay = (system.reachability, system.interfaces) == (conditions.reachability, conditions.interfaces)
            if isSameWay { next.captivePortal = conditions.captivePortal }
            var effects = publish(next)
            guard interval != nil, !isSameWay else { return effects }
            effects += [.cancelQuestion, .clearAlarm]
            switch next.reachability {
            case .local, .cellular: return effects + ask()
            case .notReachable, .undetermined:
                question += 1
                return effects
            }
        }

        private mutating func ask() -> [Effect] {
            question += 1
            return [.ask(question: question)]
        }

        private mutating func publish(_ next: NetworkConditions) -> [Effect] {
            guard next != conditions else { return [] }
            conditions = next
            return [.publish(next)]
        }
    }
}

extension NetworkMonitor {
    /// The shell around ``StateMachine``. The thread and the questions refer to it weakly, so that a monitor ends with its last user.
    final class Core: Sendable {
        private let state: Mutex<State>
        private let files: SystemFiles
        private let probe: CaptivePortalProbe?
        private let queue: RequestOperationQueue?

        private struct State {
            var machine: StateMachine
            var readers: [Int: AsyncStream<NetworkConditions>.Continuation] = [:]
            var readerCount = 0
            var thread: ChangeThread?
            var hearsChanges = false
            var question: RequestOperation?
            var alarm: (any Alarm)?

            func publish(_ effects: [StateMachine.Effect]) {
                for case .publish(let conditions) in effects {
                    for reader in readers.values { reader.yield(conditions) }
                }
            }
        }

        init(_ probe: CaptivePortalProbe?, files: SystemFiles) {
            self.probe = probe
            self.files = files
            state = Mutex(State(machine: StateMachine(interval: probe?.interval)))
            queue = probe.map { probe in
                let client = NetworkClient(transport: probe.transport, time: probe.time)
                do throws(NetworkError) {
                    return try RequestOperationQueue(identifier: "captive.portal", client: client)
                } catch {
                    preconditionFailure("The first queue of a client has no valid name: \(error.message)")
                }
            }
        }

        /// Listens before it reads, so that no change falls in between. When a name has to be resolved, all of this runs on the thread.
        func start(_ changes: Int32?) {
            let resolves = files.host != nil
            if changes != nil || resolves {
                let thread = ChangeThread.start(changes, looksFirst: resolves) { [weak self] in self?.look() ?? .wait }
                state.withLock { state in
                    state.thread = thread
                    state.hearsChanges = changes != nil
                }
            }
            if !resolves { _ = look() }
        }

        var conditions: NetworkConditions { state.withLock { $0.machine.conditions } }

        var isListening: Bool { state.withLock { $0.thread != nil && $0.hearsChanges } }

        func changes() -> AsyncStream<NetworkConditions> {
            let (stream, continuation) = AsyncStream.makeStream(of: NetworkConditions.self)
            // Done under the lock, so that no change arrives before the current value, or twice.
            let number: Int? = state.withLock { state in
                continuation.yield(state.machine.conditions)
                guard !state.machine.isStopped else { return nil }
                state.readerCount += 1
                state.readers[state.readerCount] = continuation
                return state.readerCount
            }
            guard let number else {
                continuation.finish()
                return stream
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
            }
            return stream
        }

        /// In the lock, so that of two who look at once the later one has the last word. The look for a host takes its time, but
        /// there only the thread looks.
        private func look() -> ChangeThread.Next {
            if files.host != nil {
                let snapshot = files.read()
                handle(.system(NetworkConditions(snapshot)))
                return snapshot.hostRoute == .resolverFailed ? .lookAgain : .wait
            }
            let now = now
            let effects = state.withLock { state in
                let effects = state.machine.handle(.system(NetworkConditions(files.read())), at: now)
                state.publish(effects)
                return effects
            }
            for effect in effects { perform(effect) }
            return .wait
        }

        func handle(_ input: StateMachine.Input) {
            let now = now
            let effects = state.withLock { state in
                let effects = state.machine.handle(input, at: now)
                state.publish(effects)
                return effects
            }
            for effect in effects { perform(effect) }
        }

        private var now: MonotonicTime { (probe?.time ?? SystemTimeSource()).now }

        private func perform(_ effect: StateMachine.Effect) {
            switch effect {
            case .publish: break
            case .ask(let number): ask(number)
            case .cancelQuestion: state.withLock { $0.question.take() }?.cancel("the network changed")
            case .setAlarm(let deadline, let number):
                let alarm = probe?.time.schedule(at: deadline) { [weak self] in self?.handle(.alarm(question: number)) }
                // One that comes too late rings for a question that is over, and nothing follows.
                state.withLock { $0.alarm = alarm }
            case .clearAlarm: state.withLock { $0.alarm.take() }?.cancel()
            case .end:
                let (readers, thread) = state.withLock { ($0.readers.values.map(\.self), $0.thread.take()) }
                thread?.stop()
                for reader in readers { reader.finish() }
            }
        }

        private func ask(_ number: Int) {
            guard let probe, let queue else { return }
            let operation = RequestOperation(.get(probe.url), configuration: probe.configuration)
            state.withLock { $0.question = operation }
            queue.enqueue(operation)
            Task { [weak self] in
                let verdict = CaptivePortalProbe.verdict(on: await operation.response)
                self?.handle(.answered(verdict, question: number))
            }
        }
    }
}
