import Testing

@testable import NetworkLayer

@Suite struct RequestConfigurationTests {
    @Test(arguments: [(Duration.zero, nil), (.seconds(-5), nil), (.milliseconds(5), 5_000_000)])
    func `CFG-1 a timeout of zero or less means never, any other what it says`(timeout: Duration, nanoseconds: Int64?) {
        let deadlines = Deadlines(Timeouts(idle: timeout, attempt: timeout, operation: timeout))
        #expect([deadlines.idle, deadlines.attempt, deadlines.operation] == [nanoseconds, nanoseconds, nanoseconds])
        #expect(Timeouts(connect: timeout).connectLimit == nanoseconds.map { .nanoseconds($0) })
    }

    @Test func `CFG-2 low priority is traffic that gives way to all other`() {
        var configuration = RequestConfiguration()
        configuration.configureAsLowPriority()
        var expected = RequestConfiguration()
        expected.transport.serviceType = .background
        #expect(configuration == expected)
        #expect(NetworkServiceType.background.dscp == 1)
    }

    @Test func `hosts without a proxy are a list, and none is not the environment's`() {
        var options = TransportOptions()
        #expect(options.noProxy == nil)
        options.noProxy = ["a.test", "10.0.0.0/8"]
        #expect(options.wire.proxyExceptions == "a.test,10.0.0.0/8")
        options.noProxy = []
        #expect(options.noProxy == [])
        #expect(options.wire.proxyExceptions == "")
    }

    // MARK: Parameters

    @Test func `CFG-3 the defaults, by TNL's keys`() {
        #expect(
            text(RequestConfiguration().parameters)
                == "aca=1&atmpTO=60&ckiplcy=1&cnvty=0&idlTO=30&mptcp=0&nst=0&opTO=180&rcp=0&rdcm=1&rdp=1&setcki=0")
    }

    private func text(_ parameters: [String: String]) -> String {
        parameters.map { "\($0)=\($1)" }.sorted().joined(separator: "&")
    }

    @Test func `CFG-3 and T-CFG what was written is read back`() {
        var configuration = RequestConfiguration()
        configuration.timeouts.idle = .milliseconds(12_500)
        configuration.timeouts.attempt = .seconds(7)
        configuration.timeouts.operation = nil
        configuration.connectivity = [.wait, .invalidateAttemptTimeoutWhenTriggered]
        configuration.consumption = .file(directory: nil)
        configuration.redirects.policy = .sameHost
        configuration.transport.serviceType = .voice
        configuration.transport.allowsCellularAccess = false
        configuration.transport.multipath = true
        configuration.cookies = CookieConfiguration(acceptance: .sameSite, sends: true)
        configuration.cachePolicy = .dontLoad
        let parameters = configuration.parameters
        #expect(
            text(parameters)
                == "aca=0&atmpTO=7&ckiplcy=2&cnvty=5&idlTO=12.5&mptcp=1&nst=4&opTO=-1&rcp=3&rdcm=2&rdp=2&setcki=1")
        let back = RequestConfiguration(parameters: parameters)
        #expect(back == configuration)
        #expect(back.parameters == parameters)
    }

    @Test(arguments: [RedirectConfiguration.Policy.never, .always, .sameHost, .delegate])
    func `CFG-3 every redirect policy has TNL's number`(policy: RedirectConfiguration.Policy) {
        var configuration = RequestConfiguration()
        configuration.redirects.policy = policy
        let number: [RedirectConfiguration.Policy: String] = [.never: "0", .always: "1", .sameHost: "2", .delegate: "3"]
        #expect(configuration.parameters["rdp"] == number[policy])
        #expect(RequestConfiguration(parameters: configuration.parameters) == configuration)
    }

    @Test(arguments: [ResponseConsumption.none, .memory(spillOver: 1 << 20), .file(directory: nil), .stream])
    func `CFG-3 every consumption mode comes back`(mode: ResponseConsumption) {
        var configuration = RequestConfiguration()
        configuration.consumption = mode
        #expect(RequestConfiguration(parameters: configuration.parameters) == configuration)
    }

    @Test func `CFG-3 unknown keys and values that can't be read change nothing`() {
        let parameters = [
            "dis": "1", "ssle": "0", "xbim": "1", "scid": "group", "nonsense": "x", "atmpTO": "soon", "opTO": "nan", "rdp": "9",
            "rdcm": "x", "nst": "1", "rcp": "5", "ckiplcy": "3",
        ]
        #expect(RequestConfiguration(parameters: parameters) == RequestConfiguration())
    }

    @Test func `CFG-3 what isn't a parameter comes from the base`() {
        var base = RequestConfiguration()
        base.consumption = .memory(spillOver: 7)
        base.limits.bodyBytes = 9
        let changed = RequestConfiguration(parameters: ["rdcm": "1", "opTO": "5"], over: base)
        #expect(changed.consumption == .memory(spillOver: 7))
        #expect(changed.limits.bodyBytes == 9)
        #expect(changed.timeouts.operation == .seconds(5))
    }

    @Test func `CFG-3 seconds that are no time at all, or too long for a clock, do no harm`() {
        let never = RequestConfiguration(parameters: ["opTO": "0", "atmpTO": "-1", "idlTO": "1e300"])
        #expect(never.timeouts.operation == nil)
        #expect(never.timeouts.attempt == nil)
        #expect(never.timeouts.idle == .seconds(9_000_000_000))
    }

    // MARK: Anatomies

    @Test(arguments: [
        (RequestAnatomy.smallRequestSmallResponse, 30, 90), (.smallRequestLargeResponse, 60, 180),
        (.largeRequestSmallResponse, 60, 180), (.largeRequestLargeResponse, 120, 360), (.veryLargeRequestSmallResponse, 240, 480),
        (.smallRequestVeryLargeResponse, 180, 480),
    ])
    func `CFG-4 an anatomy sets the timeouts`(anatomy: RequestAnatomy, attempt: Int, operation: Int) {
        let timeouts = RequestConfiguration(anatomy: anatomy).timeouts
        #expect(timeouts == Timeouts(idle: .seconds(30), attempt: .seconds(attempt), operation: .seconds(operation)))
    }

    @Test func `CFG-4 a stream may go on for ever, but not stand still`() {
        let timeouts = RequestConfiguration(anatomy: .smallRequestStreamingResponse).timeouts
        #expect(timeouts == Timeouts(idle: .seconds(30), attempt: nil, operation: nil))
    }

    @Test func `CFG-4 the default is small and large, and so is a number that stands for nothing`() {
        #expect(RequestConfiguration(anatomy: .default) == RequestConfiguration())
        #expect(RequestAnatomy(number: 6) == .smallRequestStreamingResponse)
        #expect(RequestAnatomy(number: 99) == .default)
        #expect(RequestAnatomy(number: -1) == .default)
    }

    @Test func `GLB-13 nothing counts the time between two bytes, unless asked for`() {
        #expect(RequestConfiguration().transport.dataTimeout == nil)
    }

    @Test func `GLB-12 idleness counts from the start of an attempt, unless asked otherwise`() {
        #expect(RequestConfiguration().timeouts.idleMode == .includingInitialConnection)
    }
}
