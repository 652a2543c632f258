import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `Any keys in any order` {
    @Test(arguments: [(120, 40), (80, 24), (61, 17), (40, 10), (24, 6), (9, 2), (0, 0)])
    func `can be drawn after each, in a terminal of any size`(columns: Int, rows: Int) {
        let keys =
            Command.all.flatMap(\.keys)
            + [KeyPress(.enter), KeyPress(.backspace), KeyPress(.delete), .character("é"), .character("日"), .character("{")]
        var dice = SeededGenerator(seed: UInt64(columns * 100 + rows))
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.play(EventScript.success(), "orders/list", body: Data(#"{"a":[1,2,{"b":null}]}"#.utf8))
        explorer.play(EventScript.downloading(at: 700, operation: 2), "login")
        for step in 0..<200 {
            let key = keys.randomElement(using: &dice) ?? KeyPress(.enter)
            explorer.send(.terminal(.key(key)))
            if step % 7 == 0, columns > 0, rows > 0 {
                explorer.click(
                    .random(in: 0..<columns, using: &dice), .random(in: 0..<rows, using: &dice), step % 14 == 0 ? .press : .drag)
            }
            if step % 40 == 0 {
                explorer.send(.terminal(.resize(Size(columns: max(0, columns - step / 40), rows: max(0, rows - step / 80)))))
            }
            let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
            #expect(frame.size == explorer.state.screen.size, "after \(key.name)")
        }
    }
}

/// What is short of room gives up what matters least.
@Suite struct `Words that must not be cut` {
    private func text(_ explorer: ExplorerDriver) -> String {
        ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
    }

    private func explorer(_ script: EventScript, _ columns: Int, _ rows: Int, body: Data? = nil) -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("login")
        explorer.press(.send)
        explorer.run(script, of: "login", body: body)
        return explorer
    }

    @Test(arguments: [80, 100, 110, 120])
    func `are the first ones of the verdict`(columns: Int) {
        for reason in [
            RequestOperation.WaitReason.queueSuspended, .dependency, .concurrencyLimit, .backoff, .connectivity,
        ] {
            var script = EventScript()
            script.enqueue()
            script.move(at: 0, to: .waiting(reason))
            var waiting = explorer(script, columns, 30)
            waiting.tick(11_751)
            let row = text(waiting).split(separator: "\n").first { $0.contains("◦ ") && $0.contains("11.8 s") }
            #expect(row?.contains("…") == false, "\(reason): \(row ?? "")")
        }
        for time in [0.5, 3, 20, 60] {
            var running = EventScript()
            running.start()
            running.attempt(at: 0.2, EventScript.request())
            running.at(1, time < 1 ? .resolveStarted(host: "h") : .connectStarted(address: "127.0.0.1:80"))
            var state = explorer(running, columns, 30)
            state.tick(11_751)
            let row = text(state).split(separator: "\n").first { $0.contains("▶ ") && $0.contains("11.8 s") }
            #expect(row?.contains("…") == false, "\(row ?? "")")
        }
        if columns >= 110 {
            var retry = explorer(.waitingToRetry(), columns, 30)
            retry.tick(1_774)
            #expect(text(retry).contains("↻ 503 Service Unavailable "))
        }
    }

    @Test func `are one number of bytes, of a body that was cut off while it was unpacked`() {
        let error = NetworkError.bodyTooLong("The body is longer than 1 MB")
        var script = EventScript()
        script.start()
        script.attempt(at: 0, EventScript.request())
        script.head(at: 1, status: 200, headers: [.contentEncoding: "gzip"])
        script.download(at: 2, 10, of: 97_000)
        guard var attempt = script.metrics.currentAttempt else { return }
        attempt.end = EventScript.time(3)
        attempt.disposition = .completing
        attempt.error = error
        attempt.bytes.responseBody = 1_010
        attempt.bytes.decodedResponseBody = 1_010_000
        script.at(3, .attemptEnded(attempt))
        script.end(at: 3, .failed, error)
        let screen = text(explorer(script, 120, 40, body: Data(count: 999_424)))
        #expect(screen.contains("✗ failed: limit "))
        #expect(screen.contains("received before: 200 OK, 999 kB"))
        #expect(!screen.contains(" of 97 kB"))
        #expect(!screen.contains(" 10 B") && !screen.contains("1.0 MB"))
        #expect(screen.contains(" 999 kB "))
    }

    @Test func `name the filters that work on such a body, and which body is saved`() throws {
        var explorer = ExplorerDriver(columns: 120, rows: 40)
        explorer.pick("login")
        explorer.run(.success(), of: "login")
        let id = OperationID(rawValue: 1)
        let xml = BodyDocument(BodyBytes(Data("<birds><bird/></birds>".utf8)), contentType: "application/xml")
        xml.extendIndexToEnd()
        // The response says that it has a body, and what it is.
        var response = Response(EventScript.success(), body: Data("<birds><bird/></birds>".utf8))
        response.info?.finalRequest.url = URL(string: "http://api.example.org/birds")!
        explorer.send(.responseReady(id, response))
        explorer.send(.bodyPrepared(id, xml))
        explorer.press(.focusResponse, .filter)
        #expect(text(explorer).contains("xpath://title, /words/, or !command"))
        explorer.type("!wc -c")
        explorer.press("Enter")
        let words = BodyDocument(BodyBytes(Data("22".utf8)), contentType: "text/plain")
        words.extendIndexToEnd()
        explorer.send(.bodyFiltered(id, filter: "!wc -c", words))
        explorer.press(.saveBody)
        #expect(text(explorer).contains("save the whole body to: birds.xml"))
    }

    @Test func `are all fields that will be sent, those of the transport too`() {
        var explorer = ExplorerDriver(columns: 160, rows: 50)
        explorer.state.transport.userAgent = "turnstone/1"
        explorer.state.transport.contentCodings = ["gzip", "br"]
        explorer.pick("login")
        explorer.press(.focusRequest)
        let screen = text(explorer)
        #expect(screen.contains("user-agent: turnstone/1"))
        #expect(screen.contains("accept-encoding: gzip, br"))
        #expect(screen.contains("content-type: application/json"))
        // The collection says what it accepts.
        #expect(screen.contains("accept: application/json"))
        #expect(!screen.contains("*/*"))
    }
}
