import NetworkLayer
import Testing

@testable import CurlTransport

struct `A timeline becomes phases` {
    private func at(_ microseconds: Int64) -> MonotonicTime { .init(nanoseconds: microseconds * 1000) }

    private func interval(_ start: Int64, _ end: Int64) -> Phases.Interval { .init(start: at(start), end: at(end)) }

    /// A fresh HTTPS transfer as the callbacks saw it, some microseconds late.
    private var fresh: TransferTimeline {
        var timeline = TransferTimeline(started: at(100))
        timeline.origin = at(150)
        timeline.resolveStarted = at(160)
        timeline.resolved = at(1160)
        timeline.connectStarted = at(1170)
        timeline.connected = at(2190)
        timeline.tlsStarted = at(2200)
        timeline.secured = at(5160)
        timeline.ready = at(5170)
        timeline.sent = at(5180)
        timeline.firstByte = at(8170)
        timeline.end = at(9170)
        return timeline
    }

    @Test func `libcurl's figures replace what the callbacks saw`() {
        var timeline = fresh
        timeline.apply(
            CurlTimes(nameLookup: 1000, connect: 2000, appConnect: 5000, startTransfer: 8000, total: 9000),
            countsFirstByte: true)
        #expect(
            timeline.phases
                == Phases(
                    queue: interval(100, 150), dns: interval(150, 1150), connect: interval(1150, 2150), tls: interval(2150, 5150),
                    send: interval(5150, 5180), wait: interval(5180, 8150), receive: interval(8150, 9150)))
    }

    @Test func `a reused connection has neither dns nor connect nor tls (ENG-5)`() {
        var timeline = TransferTimeline(started: at(100))
        timeline.origin = at(150)
        timeline.ready = at(170)
        timeline.sent = at(180)
        timeline.firstByte = at(300)
        timeline.end = at(400)
        timeline.apply(CurlTimes(nameLookup: 20, startTransfer: 140, total: 250), countsFirstByte: true)
        #expect(
            timeline.phases
                == Phases(
                    queue: interval(100, 170), send: interval(170, 180), wait: interval(180, 290), receive: interval(290, 400)))
    }

    @Test func `the phase in which it failed ends with the transfer`() {
        var timeline = TransferTimeline(started: at(100))
        timeline.origin = at(150)
        timeline.connectStarted = at(160)
        timeline.end = at(900)
        timeline.apply(CurlTimes(nameLookup: 5, total: 700), countsFirstByte: true)
        #expect(timeline.phases == Phases(queue: interval(100, 150), connect: interval(155, 850)))
    }

    @Test func `with a body in pieces the first byte is what the callbacks saw`() {
        var timeline = fresh
        timeline.sent = at(7000)
        timeline.apply(
            CurlTimes(nameLookup: 1000, connect: 2000, appConnect: 5000, startTransfer: 5041, total: 9000),
            countsFirstByte: false)
        #expect(timeline.phases.send == interval(5150, 7000))
        #expect(timeline.phases.wait == interval(7000, 8170))
    }

    @Test func `a second start forgets the dead connection`() {
        var timeline = fresh
        timeline.startAgain()
        #expect(timeline.phases == Phases(queue: interval(100, 150)))
    }
}
