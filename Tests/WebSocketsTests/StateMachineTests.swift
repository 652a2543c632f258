import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Testing

@testable import WebSockets

/// A session as a value, played by hand: its effects as lines.
struct SessionStory {
    var machine: WebSocket.StateMachine
    var now = MonotonicTime.zero
    var lines: [String] = []
    var finished: NetworkError??
    var sent: [WebSocketFrame] = []

    init(_ options: WebSocket.Options = .init(), isOpen: Bool = true) {
        machine = WebSocket.StateMachine(options, target: "ws://a.test/", random: SeededGenerator(seed: 1))
        if isOpen { open() }
    }

    mutating func open(_ fields: HTTPFields = [:]) {
        let request = WebSocket(machine.options, target: "").prepared(Request(url: URL(string: "ws://a.test/")!))
        var headers: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade",
            WebSocketHandshake.accept: WebSocketHandshake.accept(request.headers[WebSocketHandshake.key] ?? ""),
        ]
        for field in fields { headers[field.name] = field.value }
        handle(.upgraded(ResponseHead(status: .switchingProtocols, headers: headers, raw: Data()), to: request))
    }

    mutating func handle(_ input: WebSocket.StateMachine.Input) {
        for effect in machine.handle(input, at: now) {
            switch effect {
            case .write(let bytes):
                var reader = WebSocketFrameReader(isFromClient: true, limit: .max)
                reader.append(Data(bytes))
                while let (frame, _) = try? reader.next() { sent.append(frame) }
            case .tell(let entry): lines.append("\(entry.direction == .sent ? "↑" : "↓") \(Self.text(entry.content))")
            case .report(.sessionClosed(let close, _)):
                lines.append("closed \(close.code) \(close.initiator)\(close.isClean ? "" : " unclean")")
            case .report, .setAlarm, .opened: break
            case .finish(let error):
                finished = .some(error)
                lines.append(error.map { "failed \($0.code): \($0.message)" } ?? "succeeded")
            }
        }
    }

    mutating func receive(_ frames: WebSocketFrame...) { handle(.received(Data(frames.flatMap { $0.encoded(mask: nil) }))) }

    /// Moves the clock, and rings each second.
    mutating func wait(_ seconds: Int) {
        for _ in 0..<seconds where finished == nil {
            now = now + .seconds(1)
            handle(.alarm)
        }
    }

    private static func text(_ content: WebSocket.Entry.Content) -> String {
        switch content {
        case .message(.text(let text)): text
        case .message(.binary(let data)): "\(data.count) bytes"
        case .ping(let data): "ping \(String(decoding: data, as: UTF8.self))"
        case .pong(let data): "pong \(String(decoding: data, as: UTF8.self))"
        case .close(let code, let reason): "close \(code)\(reason.isEmpty ? "" : " \(reason)")"
        }
    }
}

@Suite struct SessionMachineTests {
    // MARK: Messages

    @Test func `messages go both ways, in the order of the transcript`() {
        var story = SessionStory()
        story.handle(.send(.text("hello")))
        story.receive(WebSocketFrame(.text, Array("hi".utf8)), WebSocketFrame(.binary, [1, 2, 3]))
        story.handle(.send(.binary(Data([9]))))
        #expect(story.lines == ["↑ hello", "↓ hi", "↓ 3 bytes", "↑ 1 bytes"])
        #expect(story.sent == [WebSocketFrame(.text, Array("hello".utf8)), WebSocketFrame(.binary, [9])])
        let counts = story.machine.counts
        #expect(counts.sent.messages == 2 && counts.sent.bytes == 6 && counts.sent.wireBytes == 18)
        #expect(counts.received.messages == 2 && counts.received.bytes == 5 && counts.received.wireBytes == 9)
    }

    @Test func `pings are answered with their bytes, and ours are timed`() {
        var story = SessionStory()
        story.receive(WebSocketFrame(.ping, Array("x".utf8)))
        story.handle(.ping)
        story.now = story.now + .milliseconds(3)
        story.receive(WebSocketFrame(.pong, Array("other".utf8)), WebSocketFrame(.pong, Array("1".utf8)))
        #expect(story.lines == ["↓ ping x", "↑ pong x", "↑ ping 1", "↓ pong other", "↓ pong 1"])
        #expect(story.machine.counts.pings == 1 && story.machine.counts.pongs == 1)
        #expect(story.machine.counts.latency == .milliseconds(3))
    }

    @Test func `of many messages at once a batch is handed out at a time`() {
        var story = SessionStory()
        let frame = WebSocketFrame(.text, [65]).encoded(mask: nil)
        story.handle(.received(Data((0..<300).flatMap { _ in frame })))
        #expect(story.machine.counts.received.messages == 128 && story.machine.hasMore)
        story.handle(.goOn)
        story.handle(.goOn)
        #expect(story.machine.counts.received.messages == 300 && !story.machine.hasMore)
    }

    @Test func `the end of the connection loses nothing that had come`() {
        var story = SessionStory()
        let frame = WebSocketFrame(.text, [65]).encoded(mask: nil)
        story.handle(.received(Data((0..<300).flatMap { _ in frame } + WebSocketFrame(close: 1000).encoded(mask: nil))))
        story.handle(.ended(nil))
        #expect(story.machine.counts.received.messages == 300)
        #expect(story.lines.last == "succeeded")
    }

    // MARK: Closes

    @Test func `a close of the peer is answered, and the end of the connection waited for`() {
        var story = SessionStory()
        story.receive(WebSocketFrame(close: 1000, "bye"), WebSocketFrame(.text, [65]))
        #expect(story.lines == ["↓ close 1000 bye", "↑ close 1000"])
        story.handle(.send(.text("too late")))
        story.handle(.ended(nil))
        #expect(story.lines.suffix(2) == ["closed 1000 peer", "succeeded"])
        #expect(story.sent.count == 1)
    }

    @Test(arguments: [(1000, true), (1001, true), (nil, true), (1011, false), (4001, false)] as [(Int?, Bool)])
    func `the peer's code says whether it went well`(code: Int?, isGood: Bool) {
        var story = SessionStory()
        story.receive(WebSocketFrame(close: code, code == 4001 ? "enough" : ""))
        story.handle(.ended(nil))
        #expect((story.finished == .some(nil)) == isGood)
        #expect(
            story.machine.close
                == SessionClose(
                    code: code ?? 1005, reason: code == 4001 ? "enough" : "", initiator: .peer, isClean: true))
        if code == 4001 {
            #expect(story.lines.last == "failed sessionClosed: ws://a.test/ closed the session with 4001 “enough”.")
            #expect(story.finished??.details[.closeCode] == "4001")
        }
    }

    @Test func `our close waits for the peer's`() {
        var story = SessionStory()
        story.handle(.close(code: 4000, reason: "done"))
        story.receive(WebSocketFrame(.text, Array("still".utf8)), WebSocketFrame(.ping, []))
        story.receive(WebSocketFrame(close: 4000))
        story.handle(.ended(nil))
        #expect(story.lines == ["↑ close 4000 done", "↓ still", "↓ ping ", "↓ close 4000", "closed 4000 us", "succeeded"])
    }

    @Test func `closes that cross are one`() {
        var story = SessionStory()
        story.handle(.close(code: 1000, reason: ""))
        story.receive(WebSocketFrame(close: 1001))
        story.handle(.ended(nil))
        #expect(story.lines == ["↑ close 1000", "↓ close 1001", "closed 1001 us", "succeeded"])
    }

    @Test func `a peer that answers our close with a complaint is heard`() {
        var story = SessionStory()
        story.handle(.close(code: 1000, reason: ""))
        story.receive(WebSocketFrame(close: 1011, "disk full"))
        story.handle(.ended(nil))
        #expect(story.lines.last == "failed sessionClosed: ws://a.test/ closed the session with 1011 “disk full”.")
    }

    @Test func `a peer that never ends the connection is left`() {
        var story = SessionStory()
        story.receive(WebSocketFrame(close: 1000))
        story.wait(4)
        #expect(story.finished == nil)
        story.wait(1)
        #expect(story.lines.suffix(2) == ["closed 1000 peer", "succeeded"])
    }

    @Test func `a peer that never answers our close is left, and that is a failure`() {
        var story = SessionStory()
        story.handle(.close(code: 1000, reason: ""))
        story.wait(5)
        #expect(
            story.lines.suffix(2) == [
                "closed 1006 us unclean",
                "failed idleTimedOut: ws://a.test/ didn't answer the close within 5 s (RFC 6455, section 7.1.1).",
            ])
    }

    @Test func `a peer that ends the connection in place of an answer has closed`() {
        var story = SessionStory()
        story.handle(.close(code: 1000, reason: ""))
        story.handle(.ended(nil))
        #expect(story.lines.suffix(2) == ["closed 1006 us unclean", "succeeded"])
    }

    @Test func `the end of the connection without a close is a failure`() {
        var story = SessionStory()
        story.handle(.ended(nil))
        #expect(
            story.lines == [
                "closed 1006 nobody unclean",
                "failed connectionLost: ws://a.test/ ended the connection without a close frame (RFC 6455, section 7.1.5).",
            ])
        var reset = SessionStory()
        let cause = NetworkError(.connectionLost, phase: .body, type: "tcp.reset", message: "Connection reset.")
        reset.handle(.ended(cause))
        #expect(reset.finished??.underlying?.error == cause)
        #expect(reset.finished??.type == "tcp.reset")
    }

    @Test func `a reset behind both closes is no failure`() {
        var story = SessionStory()
        story.receive(WebSocketFrame(close: 1000))
        story.handle(.ended(NetworkError(.connectionLost, phase: .body, type: "tcp.reset", message: "Connection reset.")))
        #expect(story.lines.last == "succeeded")
    }

    // MARK: Violations

    @Test func `a violation is told to the peer, and then the connection is left`() {
        var story = SessionStory()
        story.receive(WebSocketFrame(.text, [65]))
        story.handle(.received(Data([0x83, 0x00])))
        #expect(story.sent == [WebSocketFrame(close: 1002)])
        #expect(story.finished == nil)
        story.receive(WebSocketFrame(.text, [66]))
        story.handle(.written)
        #expect(
            story.lines == [
                "↓ A", "↑ close 1002", "closed 1006 us unclean",
                "failed protocolViolation: ws://a.test/ sent a frame with the reserved opcode 3 (RFC 6455, section 5.2).",
            ])
    }

    @Test func `a violation that can't be told is left after the time for closing`() {
        var story = SessionStory()
        story.handle(.received(Data([0x83, 0x00])))
        story.wait(5)
        #expect(story.finished??.code == .protocolViolation)
    }

    @Test func `what is too long is a limit`() {
        var options = WebSocket.Options()
        options.messageLimit = 10
        var story = SessionStory(options)
        story.receive(WebSocketFrame(.text, [UInt8](repeating: 65, count: 11)))
        story.handle(.written)
        #expect(story.sent == [WebSocketFrame(close: 1009)])
        #expect(story.finished??.code == .limitExceeded)
    }

    @Test func `a 101 that is none for us opens nothing`() {
        var story = SessionStory(isOpen: false)
        story.open([WebSocketHandshake.accept: "wrong"])
        #expect(
            story.lines == [
                "failed protocolViolation: ws://a.test/ answered 101 with a Sec-WebSocket-Accept that doesn't fit our key (RFC 6455, section 4.1)."
            ])
        #expect(story.sent == [])
        #expect(story.machine.info == nil)
    }

    // MARK: Time

    @Test func `a silent peer is pinged, and left after two pings`() {
        var story = SessionStory()
        story.wait(20)
        #expect(story.lines == ["↑ ping 1"])
        story.wait(20)
        #expect(story.lines == ["↑ ping 1", "↑ ping 2"])
        story.wait(20)
        #expect(
            story.lines.suffix(2) == [
                "closed 1006 nobody unclean",
                "failed idleTimedOut: ws://a.test/ gave no sign of life after two pings, 20 s apart (RFC 6455, section 5.5.2).",
            ])
    }

    @Test func `any byte is a sign of life`() {
        var story = SessionStory()
        for _ in 0..<10 {
            story.wait(25)
            story.handle(.received(Data([0x81])))
            story.handle(.received(Data([0x00])))
        }
        #expect(story.finished == nil)
    }

    @Test func `while nobody reads, silence isn't the peer's fault`() {
        var story = SessionStory()
        story.handle(.readerIsBehind(true))
        story.wait(300)
        #expect(story.finished == nil)
        story.handle(.readerIsBehind(false))
        story.wait(60)
        #expect(story.finished??.code == .idleTimedOut)
    }

    @Test func `without pings a peer may be silent for ever`() {
        var options = WebSocket.Options()
        options.ping = nil
        var story = SessionStory(options)
        story.wait(1000)
        #expect(story.lines == [])
    }

    @Test func `a session has the time that it is given`() {
        var options = WebSocket.Options()
        options.session = .seconds(3)
        var story = SessionStory(options)
        story.wait(3)
        #expect(story.lines == ["↑ close 1001"])
        story.receive(WebSocketFrame(close: 1001))
        story.handle(.ended(nil))
        #expect(
            story.lines.last == "failed operationTimedOut: The session with ws://a.test/ lasted longer than 3 s, its limit.")
    }

    @Test func `counts are told as seldom as progress`() {
        var machine = SessionStory().machine
        func reports(_ effects: [WebSocket.StateMachine.Effect]) -> Int {
            effects.count { if case .report(.sessionProgress) = $0 { true } else { false } }
        }
        var count = 0
        for millisecond in 1...1000 {
            let now = MonotonicTime.zero + .milliseconds(millisecond)
            count += reports(machine.handle(.received(Data(WebSocketFrame(.text, []).encoded(mask: nil))), at: now))
        }
        #expect(count == 10)
        _ = machine.handle(.received(Data(WebSocketFrame(.text, []).encoded(mask: nil))), at: .zero + .milliseconds(1001))
        #expect(reports(machine.handle(.alarm, at: .zero + .milliseconds(1100))) == 1)
        #expect(reports(machine.handle(.alarm, at: .zero + .milliseconds(1300))) == 0)
    }
}
