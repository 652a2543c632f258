import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// The roles themselves, asked by a whole operation.
@Suite(.watchesEvents) struct RoleTests {
    struct Broken: Error {}

    @Test func `HYD-1 what a hydrator throws is error 207, with what it threw beneath`() async throws {
        let broken = NetworkError(.other, phase: .preparation, type: ErrorType.unknown, message: "Broken()")
        for (thrown, underlying) in [(NetworkError.reset, .reset), (Broken(), broken)] as [(any Error, NetworkError)] {
            var answers = Storyteller.Answers()
            answers.hydrated = { _ in throw thrown }
            let error = await (try Stage(answers)).enqueue().response.error
            #expect(error?.code == .hydrationFailed)
            #expect(error?.code.isTerminal == true)
            #expect(error?.underlying?.error == underlying)
            #expect(
                error?.message
                    == "The request can't be filled in (hydrator Storyteller): "
                    + (thrown is Broken ? "Broken()." : "The server closed the connection."))
        }
    }

    @Test func `CAN-1 a role that gives up as a cancelled task does cancels the operation`() async throws {
        var answers = Storyteller.Answers()
        answers.hydrated = { _ in throw CancellationError() }
        let response = await (try Stage(answers)).enqueue().response
        #expect(response.error?.isCancelled == true && response.metrics.state == .cancelled)
        #expect(response.error?.cancelSource == "Storyteller threw CancellationError")
        let authorizing = RequestDelegate(authorize: { _ in throw CancellationError() })
        #expect(await (try Stage()).enqueue(delegate: authorizing).response.error?.isCancelled == true)
    }

    @Test func `HDR-1 a provider's name that can't be one is the request's error, and isn't sent`() async throws {
        let stage = try Stage(usesClientRoles: false) { _ in .respond() }
        stage.client.addHeaderProvider(FixedHeaders(defaults: ["bad name": "1"]))
        let response = await stage.queue.enqueue(.get("http://a.test/")).response
        #expect(response.error?.code == .invalidRequest && response.metrics.attempts == [])
    }

    @Test func `REQ-7 the four requests of an operation can be looked at`() async throws {
        var answers = Storyteller.Answers()
        answers.hydrated = { _ in .get("http://b.test/start") }
        answers.authorization = { _ in .set("Bearer x") }
        let stage = try Stage(answers) { $0.request.url.path == "/end" ? .respond() : .redirect(to: "/end") }
        let operation = stage.make()
        #expect(operation.hydratedRequest == nil && operation.preparedRequest == nil && operation.currentRequest == nil)
        stage.queue.enqueue(operation)
        _ = await operation.response
        #expect(operation.originalRequest == .get("http://a.test/"))
        #expect(operation.hydratedRequest == .get("http://b.test/start"))
        #expect(operation.preparedRequest == .get("http://b.test/start", headers: [.authorization: "Bearer x"]))
        #expect(operation.currentRequest == .get("http://b.test/end", headers: [.authorization: "Bearer x"]))
    }

    @Test func `HDR-1 GLB-4 among providers the last added wins; adding one again moves it to the end; it can be taken out`()
        async throws
    {
        let stage = try Stage(usesClientRoles: false) { _ in .respond() }
        func sent() async -> HTTPFields? {
            await stage.queue.enqueue(.get("http://a.test/", headers: [.accept: "own"])).response.info?.finalRequest.headers
        }
        let first = FixedHeaders(defaults: [.accept: "1", .acceptLanguage: "1"], overrides: [.userAgent: "1"])
        let second = FixedHeaders(defaults: [.acceptLanguage: "2"], overrides: [.userAgent: "2"])
        stage.client.addHeaderProvider(first)
        let registration = stage.client.addHeaderProvider(second)
        #expect(await sent() == [.accept: "own", .acceptLanguage: "2", .userAgent: "2"])
        stage.client.addHeaderProvider(first)
        #expect(await sent() == [.accept: "own", .acceptLanguage: "1", .userAgent: "1"])
        registration.cancel()
        registration.cancel()
        #expect(await sent() == [.accept: "own", .acceptLanguage: "1", .userAgent: "1"])
        #expect(stage.client.headerProviders.all.count == 1)
    }

    @Test func `GLB-2 SAN-1 the client's sanitizer counts from when it is set, until it is taken away`() async throws {
        var answers = Storyteller.Answers()
        answers.host = { _ in .change(to: "b.test") }
        let stage = try Stage(answers, usesClientRoles: false) { _ in .respond() }
        func host() async -> String? {
            await stage.queue.enqueue(.get("http://a.test/")).response.info?.finalRequest.url.host
        }
        #expect(await host() == "a.test")
        stage.client.setHostSanitizer(stage.teller)
        #expect(await host() == "b.test")
        stage.client.setHostSanitizer(nil)
        #expect(await host() == "a.test")
    }

    @Test func `EVT-2 an event handler delays the attempt, and names operations that must end first`() async throws {
        let stage = try Stage(usesClientRoles: false)
        let first = stage.queue.enqueue(.get("http://first.test/"))
        let transfer = await stage.transport.transfer(0)
        var answers = Storyteller.Answers()
        let asked = Recorder<RequestOperation>()
        answers.dependencies = {
            asked.append(first)
            return [first]
        }
        let handler = Storyteller(answers)
        let second = stage.enqueue(delegate: RequestDelegate(events: handler))
        while asked.all.isEmpty || handler.heardCount < 2 { await Task.yield() }
        while !second.core.withLock({ $0.machine.callbacks.tags.isEmpty }) { await Task.yield() }
        // To wait for others isn't held against it.
        stage.time.advance(by: .seconds(20))
        #expect(second.state == .preparing)
        #expect(stage.transport.transfers.count == 1)
        transfer.respond()
        await stage.transport.transfer(1).respond()
        #expect(await second.response.error == nil)
    }

    // MARK: Coders

    @Test func `ENC-1 ENC-2 ENC-3 a body coded and decoded by coders of our own`() async throws {
        let stage = try Stage(usesClientRoles: false) { request in
            guard case .data(let body) = request.request.body else { return .fail(.reset) }
            return .respond(headers: [.contentEncoding: "Rot13"], body: body)
        }
        let operation = stage.enqueue(.post("http://a.test/"), delegate: RequestDelegate()) {
            $0.contentCoding = ContentCoding(encoder: RotThirteen(), decoders: [RotThirteen(lastWord: "!")])
        }
        let response = await operation.response
        #expect(response.info?.finalRequest.body == .data(Data("obql".utf8)))
        #expect(try response.info?.body.contents() == Data("body!".utf8))
        let coding = response.metrics.attempts.last?.coding
        #expect(coding?.requestOriginalContentLength == 4)
        #expect(coding?.requestEncodedContentLength == 4)
        #expect(coding?.requestEncodingLatency == .zero)
        #expect(coding?.responseDecodedContentLength == 5)
        #expect(coding?.responseDecodingLatency == .zero)
    }

    @Test func `ENC-1 what an encoder throws is error 214, which isn't terminal`() async throws {
        let stage = try Stage(usesClientRoles: false)
        let error = await stage.enqueue(.post("http://a.test/"), delegate: RequestDelegate()) {
            $0.contentCoding.encoder = BrokenCoder(breaks: .encoding)
        }.response.error
        #expect(error?.code == .contentEncodingFailed)
        #expect(error?.code.isTerminal == false)
        #expect(error?.message == "The body can't be coded as broken (encoder BrokenCoder): Broken().")
    }

    @Test(arguments: [BrokenCoder.Part.beginning, .piece, .end])
    func `ENC-2 what a decoder throws is error 215`(part: BrokenCoder.Part) async throws {
        let stage = try Stage(usesClientRoles: false) { _ in
            .respond(headers: [.contentEncoding: "broken"], body: Data("body".utf8))
        }
        let error = await stage.enqueue(delegate: RequestDelegate()) {
            $0.contentCoding.decoders = [BrokenCoder(breaks: part)]
        }.response.error
        #expect(error?.code == .contentDecodingFailed)
        #expect(error?.message == "The body from GET a.test can't be decoded (broken): Broken().")
    }

    @Test func `ENC-2 a streamed body is decoded too`() async throws {
        let stage = try Stage(usesClientRoles: false) { _ in
            .respond(headers: [.contentEncoding: "rot13"], body: Data("obql".utf8))
        }
        let operation = stage.enqueue(delegate: RequestDelegate()) {
            $0.consumption = .stream
            $0.contentCoding.decoders = [RotThirteen()]
        }
        var body = Data()
        for try await piece in operation.body { body.append(piece) }
        #expect(body == Data("body".utf8))
    }
}

struct BrokenCoder: ContentEncoder, ContentDecoder {
    enum Part { case encoding, beginning, piece, end }

    let breaks: Part
    var contentEncoding: String { "broken" }

    func encode(_ body: Data) throws -> Data? { throw RoleTests.Broken() }

    func makeDecoding() throws -> any ContentDecoding {
        if breaks == .beginning { throw RoleTests.Broken() }
        return Decoding(breaks: breaks)
    }

    private struct Decoding: ContentDecoding {
        let breaks: Part

        func decode(_ piece: Data) throws -> Data {
            if breaks == .piece { throw RoleTests.Broken() }
            return piece
        }

        func finish() throws -> Data {
            if breaks == .end { throw RoleTests.Broken() }
            return Data()
        }
    }
}
