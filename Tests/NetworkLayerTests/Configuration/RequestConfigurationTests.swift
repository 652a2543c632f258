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
