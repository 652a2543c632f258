import HTTPTypes
import NetworkLayer

/// The rules that every transfer's events keep.
struct EventOrder {
    private(set) var violations: [String] = []
    private(set) var isFinished = false

    private var lastTime = MonotonicTime.zero
    private var isResolving = false
    private var connecting: [String] = []
    private var isConnected = false
    private var isSecuring = false
    private var isAcquired = false
    private var isHeadSent = false
    private var isRequestSent = false
    private var hasHead = false
    private var received: Int64 = 0

    mutating func check(_ event: TransportEvent) {
        let name = String(describing: event.kind).prefix { $0 != "(" }
        require(!isFinished, "\(name) after finished")
        require(event.time >= lastTime, "\(name) is earlier than the event before it")
        lastTime = event.time
        switch event.kind {
        case .cache:
            require(false, "cache of a transport that has none")
        case .resolveStarted:
            require(!isResolving && !isAcquired && connecting.isEmpty, "resolveStarted out of place")
            isResolving = true
        case .resolveEnded:
            require(isResolving, "resolveEnded without a start")
            isResolving = false
        case .connectStarted(let address):
            require(!isResolving && !isAcquired && !isConnected, "connectStarted out of place")
            connecting.append(address)
        case .connectFailed(let address, let errno):
            require(connecting.contains(address) && !isConnected, "connectFailed without a start")
            require(errno > 0, "connectFailed without a reason")
            connecting.removeAll { $0 == address }
        case .connectEnded:
            require(connecting.count == 1 && !isConnected, "connectEnded with \(connecting.count) under way")
            isConnected = true
        case .tlsStarted:
            require(isConnected && !isAcquired, "tlsStarted out of place")
            isSecuring = true
        case .tlsEnded:
            // Alone on a reused connection.
            require(!isAcquired && (isSecuring || !isConnected), "tlsEnded out of place")
            isSecuring = false
        case .connectionAcquired(let info):
            require(!isAcquired && !isSecuring && !isResolving, "connectionAcquired out of place")
            require(info.isReused != isConnected, "connectionAcquired says the wrong thing about reuse")
            isAcquired = true
        case .leftoverDropped(let bytes):
            require(bytes > 0 && !isAcquired && !isConnected, "leftoverDropped out of place")
        case .resent:
            require(isAcquired && !hasHead, "resent out of place")
            self = EventOrder(violations: violations, lastTime: lastTime)
        case .authenticationStep(let head):
            require(isHeadSent && !hasHead, "authenticationStep out of place")
            require([401, 407, 417].contains(head.status.code), "authenticationStep with \(head.status.code)")
            self = EventOrder(violations: violations, lastTime: lastTime)
        case .requestHeadSent:
            require(isAcquired && !isHeadSent, "requestHeadSent out of place")
            isHeadSent = true
        case .uploadProgress:
            require(isHeadSent && !isRequestSent, "uploadProgress out of place")
        case .requestSent:
            require(isHeadSent && !isRequestSent, "requestSent out of place")
            isRequestSent = true
        case .informational(let head):
            require(isHeadSent && !hasHead, "informational out of place")
            require((100..<200).contains(head.status.code), "informational with \(head.status.code)")
        case .head(let head):
            require(isHeadSent && !hasHead, "head out of place")
            require(head.status.code >= 200, "head with \(head.status.code)")
            hasHead = true
        case .body(let data, let received, let expected):
            require(hasHead, "body before head")
            require(!data.isEmpty, "empty body event")
            require(received >= self.received, "received goes back")
            if let expected { require(received <= expected, "received \(received) of \(expected)") }
            self.received = received
        case .finished(let result):
            isFinished = true
            check(result.phases)
        }
    }

    private mutating func check(_ phases: Phases) {
        var last: MonotonicTime?
        for name in Phases.Name.allCases {
            guard let interval = phases[name] else { continue }
            require(interval.end >= interval.start, "\(name) ends before it starts")
            require(last.map { interval.start >= $0 } ?? true, "\(name) overlaps what comes before it")
            last = interval.end
        }
    }

    private mutating func require(_ condition: Bool, _ violation: String) {
        if !condition { violations.append(violation) }
    }

    init() {}

    private init(violations: [String], lastTime: MonotonicTime) {
        self.violations = violations
        self.lastTime = lastTime
    }
}
