import NetworkLayer

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
