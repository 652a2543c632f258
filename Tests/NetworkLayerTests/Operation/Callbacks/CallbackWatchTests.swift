import Testing

@testable import NetworkLayer

@Suite struct CallbackWatchTests {
    static let tag = CallbackTag(type: "Tokens", role: "RequestHydrator", method: "hydrate")

    func time(_ seconds: Double) -> MonotonicTime { .zero + .milliseconds(Int(seconds * 1000)) }

    func watch(limit: Duration? = .seconds(3)) -> CallbackWatch {
        var watch = CallbackWatch()
        watch.setLimit(limit)
        return watch
    }

    @Test func `TMO-5 a call is due when the beats since its begin add up to the limit`() {
        var watch = watch()
        watch.begin(1, Self.tag, at: time(10))
        #expect(watch.nextLook == time(11))
        for second in 11...12 {
            watch.look(at: time(Double(second)))
            #expect(!watch.isDue)
        }
        #expect(watch.nextLook == time(13))
        watch.look(at: time(13))
        #expect(watch.isDue)
        #expect(watch.tags.map(\.duration) == [.seconds(3)])
    }

    @Test func `TMO-5 while the whole program stood still, a call isn't blamed`() {
        var watch = watch()
        watch.begin(1, Self.tag, at: time(0))
        watch.look(at: time(1))
        // SIGTSTP to SIGCONT: the look that was due after a second comes after a minute.
        watch.look(at: time(61))
        #expect(!watch.isDue)
        #expect(watch.nextLook == time(62))
        watch.look(at: time(62))
        #expect(watch.isDue)
    }

    @Test func `TMO-5 each call has its own time, and the oldest counts`() {
        var watch = watch()
        watch.begin(1, Self.tag, at: time(0))
        watch.begin(2, Self.tag, at: time(0.5))
        watch.look(at: time(1.5))
        watch.end(1, at: time(2))
        watch.look(at: time(3))
        #expect(watch.tags.map(\.duration) == [.milliseconds(2500)])
        #expect(watch.nextLook == time(3.5))
        watch.end(2, at: time(3.2))
        #expect(watch.nextLook == nil)
        #expect(!watch.isDue)
    }

    @Test func `TMO-5 time without a call doesn't count`() {
        var watch = watch()
        watch.begin(1, Self.tag, at: time(0))
        watch.end(1, at: time(1))
        watch.begin(2, Self.tag, at: time(100))
        #expect(watch.tags.map(\.duration) == [.zero])
    }

    @Test(arguments: [nil, Duration.zero, .seconds(-1)])
    func `GLB-10 no limit, or one of zero or less, means never`(limit: Duration?) {
        var watch = watch(limit: limit)
        watch.begin(1, Self.tag, at: time(0))
        #expect(watch.nextLook == nil)
        watch.look(at: time(1))
        #expect(!watch.isDue)
    }

    @Test func `TMO-6 the tag names the type, its role and the method`() {
        #expect(Self.tag.description == "Tokens<RequestHydrator>.hydrate")
    }
}
