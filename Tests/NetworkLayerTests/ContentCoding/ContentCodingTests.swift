import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct ContentCodingTests {
    func preparing(_ request: Request, _ coding: ContentCoding, codings: [String] = ["gzip", "br", "deflate"]) -> Machine {
        var machine = Machine(request) { $0.contentCoding = coding }
        machine.enqueue()
        machine.send(.start)
        machine.send(.participants([], transportCodings: codings))
        return machine
    }

    // MARK: Requests

    @Test func `ENC-1 a body in memory is coded, and its length and time are kept`() {
        var machine = preparing(.post("http://a.test/", headers: [.contentLength: "4"]), ContentCoding(encoder: RotThirteen()))
        machine.send(.answered(.encoded(Data("coded".utf8), latency: .milliseconds(3)), number: 1))
        let request = machine.machine.metrics.attempts.last?.request
        #expect(request?.body == .data(Data("coded".utf8)))
        #expect(request?.headers == [.contentEncoding: "rot13"])
        machine.succeed()
        #expect(
            machine.machine.metrics.attempts.last?.coding
                == CodingMetrics(
                    requestEncodingLatency: .milliseconds(3), requestOriginalContentLength: 4, requestEncodedContentLength: 5))
        machine.expectGood()
    }

    @Test func `ENC-1 a request that says another coding is error 213, and the encoder isn't asked`() {
        let machine = preparing(.post("http://a.test/", headers: [.contentEncoding: "gzip"]), ContentCoding(encoder: RotThirteen()))
        #expect(machine.error?.code == .contentEncodingMismatch)
        #expect(machine.error?.code.isTerminal == false)
        #expect(!machine.names.contains("prepared"))
        machine.expectGood()
    }

    @Test func `ENC-1 a body that the encoder declines goes plain, without the field`() {
        var machine = preparing(
            .post("http://a.test/", headers: [.contentEncoding: "ROT13"]), ContentCoding(encoder: RotThirteen()))
        machine.send(.answered(.encoded(nil, latency: .zero), number: 1))
        let request = machine.machine.metrics.attempts.last?.request
        #expect(request?.body == .data(Data("body".utf8)))
        #expect(request?.headers == [:])
    }

    @Test func `ENC-1 only a body in memory is coded`() {
        let file = preparing(.post("http://a.test/", body: .file(path: "/x")), ContentCoding(encoder: RotThirteen()))
        #expect(file.state == .starting)
        let none = preparing(.get("http://a.test/"), ContentCoding(encoder: RotThirteen()))
        #expect(none.state == .starting)
    }

    // MARK: Responses

    @Test func `ENC-2 the request accepts all decoders and what the transport has, sorted, unless it says so itself`() {
        let coding = ContentCoding(decoders: [RotThirteen("Base64"), RotThirteen("gzip")])
        let silent = preparing(.get("http://a.test/"), coding)
        #expect(silent.machine.metrics.attempts.last?.request.headers == [.acceptEncoding: "base64, br, deflate, gzip"])
        let own = preparing(.get("http://a.test/", headers: [.acceptEncoding: "identity"]), coding)
        #expect(own.machine.metrics.attempts.last?.request.headers == [.acceptEncoding: "identity"])
        let none = preparing(.get("http://a.test/"), ContentCoding())
        #expect(none.machine.metrics.attempts.last?.request.headers == [:])
    }

    static let decoders: [any ContentDecoder] = [
        RotThirteen("rot13", lastWord: "first"), RotThirteen("ROT13", lastWord: "second"), RotThirteen("x", lastWord: "x"),
        RotThirteen("gzip"),
    ]

    @Test(
        arguments: [
            (nil, []), ("rot13", ["first"]), ("RoT13", ["first"]), ("x, rot13", ["first", "x"]), ("identity", []), ("gzip", []),
            ("unknown", []), ("unknown, rot13", []), ("rot13, gzip", []), ("", []),
        ] as [(String?, [String])])
    func `ENC-2 the last coding applied is taken off first; one that nobody knows, or the transport's own, leaves the body raw`(
        field: String?, expected: [String]
    ) {
        let head = ResponseHead(status: .ok, headers: field.map { [.contentEncoding: $0] } ?? [:])
        let turns = ContentCoding(decoders: Self.decoders).decoders(for: head, besides: ["gzip"])
        #expect(turns.map { ($0 as? RotThirteen)?.lastWord } == expected)
    }

    @Test func `ENC-2 a body that is coded more often than anybody does stays as it is`() {
        let field = { (count: Int) in Array(repeating: "rot13", count: count).joined(separator: ", ") }
        let turns = { (count: Int) in
            ContentCoding(decoders: [RotThirteen()]).decoders(
                for: ResponseHead(status: .ok, headers: [.contentEncoding: field(count)]), besides: []
            ).count
        }
        #expect([1, 5, 6, 10_000].map(turns) == [1, 5, 0, 0])
    }

    @Test func `ENC-2 where the transport doesn't decode, nothing is its own`() {
        let head = ResponseHead(status: .ok, headers: [.contentEncoding: "gzip"])
        #expect(ContentCoding(decoders: Self.decoders).decoders(for: head, besides: []).count == 1)
    }

    func decoding(_ configure: (inout RequestConfiguration) -> Void = { _ in }) -> Machine {
        var machine = Machine {
            $0.contentCoding.decoders = [RotThirteen()]
            configure(&$0)
        }
        machine.start()
        machine.head(.ok, [.contentEncoding: "rot13"])
        return machine
    }

    @Test func `ENC-2 pieces are decoded one by one, and the end before the body is closed`() {
        var machine = decoding()
        #expect(machine.body(3) == [.decode(Data("aaa".utf8), attempt: 1)])
        #expect(machine.finish() == [.finishDecoding(attempt: 1)])
        #expect(
            machine.send(.decoded(Data("nn".utf8), latency: .milliseconds(1), isEnd: false, attempt: 1)) == [
                .write(Data("nn".utf8), attempt: 1)
            ])
        #expect(
            machine.send(.decoded(Data("n".utf8), latency: .milliseconds(2), isEnd: true, attempt: 1)) == [
                .write(Data("n".utf8), attempt: 1), .closeBody(attempt: 1),
            ])
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.state == .succeeded)
        let attempt = machine.machine.metrics.attempts.last
        #expect(attempt?.coding == CodingMetrics(responseDecodingLatency: .milliseconds(3), responseDecodedContentLength: 3))
        #expect(attempt?.bytes.decodedResponseBody == 3)
        machine.expectGood()
    }

    @Test func `ENC-2 the limit of the body counts what comes out of the decoder`() {
        var machine = decoding { $0.limits.bodyBytes = 10 }
        machine.body(5)
        #expect(
            machine.send(.decoded(Data(count: 11), latency: .zero, isEnd: false, attempt: 1)) == [
                .cancelTransfer, .clearAlarm, .finish,
            ])
        #expect(machine.error?.code == .limitExceeded)
        machine.expectGood()
    }

    @Test func `ENC-2 a body that isn't kept isn't decoded`() {
        var machine = decoding { $0.consumption = .none }
        #expect(machine.body(5) == [])
        #expect(machine.finish() == [.clearAlarm, .finish])
        #expect(machine.machine.metrics.attempts.last?.coding == nil)
    }

    @Test func `ENC-2 the body of a refused redirect, held back so far, is decoded too`() {
        var machine = Machine(delegate: true) {
            $0.contentCoding.decoders = [RotThirteen()]
            $0.redirects.policy = .delegate
        }
        machine.start()
        machine.head(.found, [.location: "/next", .contentEncoding: "rot13"])
        #expect(machine.body(3) == [])
        #expect(machine.send(.redirectDecided(nil, attempt: 1)) == [.decode(Data("aaa".utf8), attempt: 1)])
        machine.send(.decoded(Data("nnn".utf8), latency: .zero, isEnd: false, attempt: 1))
        machine.finish()
        machine.send(.decoded(Data(), latency: .zero, isEnd: true, attempt: 1))
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.machine.metrics.attempts.last?.bytes.decodedResponseBody == 3)
        machine.expectGood()
    }

    @Test func `configurations with equal coders are equal`() {
        var left = RequestConfiguration()
        left.contentCoding = ContentCoding(encoder: RotThirteen(), decoders: [RotThirteen("a")])
        var right = left
        #expect(left == right)
        right.contentCoding.encoder = RotThirteen("b")
        #expect(left != right)
        right.contentCoding = ContentCoding(encoder: RotThirteen(), decoders: [RotThirteen("b")])
        #expect(left != right)
    }
}
