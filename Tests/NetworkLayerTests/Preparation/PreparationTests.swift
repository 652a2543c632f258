import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// The steps of preparation as the machine walks them.
@Suite struct PreparationTests {
    typealias Effect = RequestOperation.StateMachine.Effect

    static let everybody: RequestOperation.Participants = [
        .hydrator, .headerProviders, .hostSanitizer, .authorizer, .eventHandler,
    ]

    func preparing(
        _ participants: RequestOperation.Participants, _ request: Request = .get("http://a.test/"), delegate: Bool = false,
        configure: (inout RequestConfiguration) -> Void = { _ in }
    ) -> Machine {
        var machine = Machine(request, delegate: delegate, configure: configure)
        machine.enqueue()
        machine.send(.start)
        machine.prepare(participants)
        return machine
    }

    // MARK: PRE

    @Test func `PRE-1 with roles, each step is asked about after the one before has been answered`() {
        var machine = preparing(Self.everybody, .post("http://a.test/")) {
            $0.contentCoding = ContentCoding(encoder: RotThirteen(), decoders: [RotThirteen()])
        }
        var request = Request.post("http://a.test/")
        #expect(machine.effects.last == .ask(.hydration, about: request, number: 1))
        request.url = URL(string: "http://b.test/")!
        #expect(machine.send(.answered(.hydrated(request), number: 1)) == [.ask(.headers, about: request, number: 2)])
        request.headers = [.accept: "*/*", .acceptEncoding: "rot13"]
        #expect(
            machine.send(.answered(.headers(defaults: [.accept: "*/*"], overrides: [:]), number: 2)) == [
                .ask(.contentEncoding, about: request, number: 3)
            ])
        request.headers[.contentEncoding] = "rot13"
        request.body = .data(Data("obql".utf8))
        #expect(
            machine.send(.answered(.encoded(Data("obql".utf8), latency: .zero), number: 3)) == [
                .ask(.hostSanitizer, about: request, number: 4)
            ])
        request.url = URL(string: "http://c.test/")!
        request.headers[HTTPField.Name("Host")!] = "b.test"
        #expect(
            machine.send(.answered(.host(.change(to: "c.test")), number: 4)) == [
                .ask(.authorization, about: request, number: 5)
            ])
        request.headers[.authorization] = "Bearer x"
        #expect(
            machine.send(.answered(.authorization(.set("Bearer x")), number: 5)) == [
                .ask(.readyToEnqueue, about: request, number: 6)
            ])
        #expect(machine.send(.answered(.done, number: 6)) == [.beginExecuting, .startTransfer(request, attempt: 1)])
        #expect(
            machine.story == [
                "enqueued", "idle>preparing", "prepared", "prepared", "prepared", "prepared", "hostSanitized", "prepared",
                "prepared", "attemptStarted", "preparing>starting",
            ])
        machine.expectGood(isComplete: false)
    }

    @Test func `PRE-1 without roles all steps are done at once, and nothing is said about them`() {
        var machine = Machine()
        machine.enqueue()
        #expect(machine.send(.start).contains(.prepare))
        #expect(machine.prepare() == [.beginExecuting, .startTransfer(.get("http://a.test/"), attempt: 1)])
        #expect(machine.story == ["enqueued", "idle>preparing", "attemptStarted", "preparing>starting"])
    }

    @Test(arguments: [true, false])
    func `PRE-1 an answer after the end is dropped`(isCancelled: Bool) {
        var machine = preparing([.hydrator])
        if isCancelled {
            machine.send(.cancel("a test"))
        } else {
            machine.wait(.seconds(60))
            machine.send(.alarm)
        }
        let story = machine.story
        #expect(machine.send(.answered(.hydrated(.get("http://b.test/")), number: 1)) == [])
        #expect(machine.story == story)
        #expect(machine.machine.metrics.attempts == [])
        machine.expectGood()
    }

    @Test func `PRE-1 an answer to a question that was answered, or never asked, is dropped`() {
        var machine = preparing([.hydrator, .authorizer])
        machine.send(.answered(.hydrated(nil), number: 1))
        #expect(machine.send(.answered(.hydrated(.get("http://b.test/")), number: 1)) == [])
        #expect(machine.send(.answered(.authorization(.set("x")), number: 3)) == [])
        #expect(
            machine.send(.answered(.authorization(.unchanged), number: 2)) == [
                .beginExecuting,
                .startTransfer(.get("http://a.test/"), attempt: 1),
            ])
    }

    @Test func `PRE-2 a redirect hop asks the host sanitizer and nobody else`() {
        var machine = preparing([.hydrator, .hostSanitizer, .authorizer])
        machine.send(.answered(.hydrated(nil), number: 1))
        machine.send(.answered(.host(.keep), number: 2))
        machine.send(.answered(.authorization(.set("Bearer x")), number: 3))
        machine.head(.found, [.location: "/next"])
        let next = Request.get("http://a.test/next", headers: [.authorization: "Bearer x"])
        #expect(machine.finish() == [.ask(.hostSanitizer, about: next, number: 4)])
        #expect(machine.send(.answered(.host(.keep), number: 4)) == [.startTransfer(next, attempt: 2)])
    }

    @Test(arguments: PreparationStep.allCases.filter { [.hydration, .authorization, .contentEncoding].contains($0) })
    func `PRE-3 a failed preparation names its step, and records no attempt`(step: PreparationStep) {
        var machine = preparing([.hydrator, .authorizer], .post("http://a.test/")) {
            $0.contentCoding.encoder = RotThirteen()
        }
        while machine.machine.preparation?.step != step {
            machine.send(.answered(.done, number: machine.machine.questionCount))
        }
        machine.send(.answered(.failed(.reset), number: machine.machine.questionCount))
        #expect(
            machine.events.suffix(3).map(\.kind) == [
                .preparationFailed(step, .reset), .transition(from: .preparing, to: .failed), .completed(.failed, .reset),
            ])
        #expect(machine.machine.metrics.attempts == [])
        machine.expectGood()
    }

    @Test func `PRE-3 a timeout in a step names it too`() {
        var machine = preparing([.hydrator])
        machine.wait(.seconds(60))
        machine.send(.alarm)
        #expect(machine.error?.code == .attemptTimedOut)
        #expect(
            machine.error?.message
                == "GET a.test: no complete answer within 60 s, stopped while being prepared (hydration); raise the attempt timeout if it needs longer."
        )
        #expect(machine.story == ["enqueued", "idle>preparing", "preparationFailed", "preparing>failed", "completed"])
    }

    // MARK: Validation and hydration

    @Test func `PRE-1 a request that can't be sent fails before anybody is asked`() {
        let machine = preparing(Self.everybody, .get("ftp://a.test/"))
        #expect(machine.error?.code == .invalidURL)
        #expect(machine.story == ["enqueued", "idle>preparing", "preparationFailed", "preparing>failed", "completed"])
    }

    @Test func `HYD-1 nil keeps the request, another takes its place`() {
        var kept = preparing([.hydrator])
        #expect(
            kept.send(.answered(.hydrated(nil), number: 1)) == [
                .beginExecuting, .startTransfer(.get("http://a.test/"), attempt: 1),
            ])
        var replaced = preparing([.hydrator])
        #expect(
            replaced.send(.answered(.hydrated(.get("http://b.test/")), number: 1)) == [
                .beginExecuting,
                .startTransfer(.get("http://b.test/"), attempt: 1),
            ])
        #expect(replaced.machine.hydratedRequest == .get("http://b.test/"))
        #expect(replaced.machine.request == .get("http://a.test/"))
    }

    @Test func `HYD-1 a hydrated request that can't be sent is error 208, with what is wrong beneath`() {
        var machine = preparing([.hydrator])
        machine.send(.answered(.hydrated(.get("ftp://b.test/")), number: 1))
        #expect(machine.error?.code == .invalidHydratedRequest)
        #expect(machine.error?.underlying?.error.code == .invalidURL)
        #expect(
            machine.error?.message
                == "The hydrated request can't be sent. \"ftp://b.test/\" can't be requested: it needs http:// or https:// and a host."
        )
        #expect(machine.story.contains("preparationFailed"))
        machine.expectGood()
    }

    // MARK: Configuration

    static let oddConfigurations: [(@Sendable (inout RequestConfiguration) -> Void, [ConfigurationWarning])] = [
        ({ _ in }, []),
        (
            { $0.timeouts = Timeouts(idle: .seconds(30), attempt: .seconds(20), operation: .seconds(20)) },
            [.attemptTimeoutShorterThanIdle]
        ),
        ({ $0.timeouts = Timeouts(idle: .milliseconds(1050), attempt: .seconds(1), operation: nil) }, []),
        (
            { $0.timeouts = Timeouts(idle: nil, attempt: .seconds(20), operation: .seconds(10)) },
            [.operationTimeoutShorterThanAttempt]
        ),
        ({ $0.timeouts = Timeouts(idle: .seconds(30), attempt: .zero, operation: .milliseconds(-1)) }, []),
        ({ $0.timeouts = Timeouts(idle: .seconds(30), attempt: .seconds(20), operation: nil, idleMode: .disabled) }, []),
        ({ $0.redirects.policy = .delegate }, [.redirectDeciderMissing]),
    ]

    @Test(arguments: oddConfigurations.indices)
    func `PRE-1 an odd configuration is remarked on, and harms nothing`(index: Int) {
        let (configure, warnings) = Self.oddConfigurations[index]
        let machine = preparing([], configure: configure)
        let said = machine.events.compactMap { event in
            if case .configurationWarning(let warning) = event.kind { warning } else { nil }
        }
        #expect(said == warnings)
        #expect(machine.state == .starting)
        machine.expectGood(isComplete: false)
    }

    // MARK: Headers

    @Test func `HDR-1 defaults yield to the request, and overrides don't, whatever the case of their names`() {
        var fields: HTTPFields = [.accept: "text/plain", .userAgent: "mine"]
        fields.append(HTTPField(name: .init("X-Tag")!, value: "1"))
        fields.append(HTTPField(name: .init("X-Tag")!, value: "2"))
        fields.merge(
            defaults: [.init("ACCEPT")!: "*/*", .acceptLanguage: "en"],
            overrides: [.init("user-agent")!: "theirs", .init("x-tag")!: "3"])
        #expect(fields[.accept] == "text/plain")
        #expect(fields[.acceptLanguage] == "en")
        #expect(fields[.userAgent] == "theirs")
        #expect(fields[values: .init("X-Tag")!] == ["3"])
        #expect(fields.count == 4)
    }

    // MARK: The host

    @Test(arguments: [
        ("http://a.test:81/x?q#f", "b.test", "http://b.test:81/x?q#f"),
        ("https://me:pw@a.test/x", "10.0.0.1", "https://me:pw@10.0.0.1/x"),
        ("http://a.test", "::1", "http://[::1]"), ("http://[::1]:81/", "b.test", "http://b.test:81/"),
        ("http://a.test?u=http://x@y/", "b.test", "http://b.test?u=http://x@y/"),
    ])
    func `SAN-1 only the host of the URL changes`(url: String, host: String, expected: String) throws {
        let sanitized = try Request.get(url).sanitized(.changeWithoutHostHeader(to: host))
        #expect(sanitized?.0 == .get(expected))
        #expect(sanitized?.1.url.absoluteString == url)
    }

    @Test func `SAN-1 the field Host names the old host with its port, unless the request has one, or it isn't wanted`() throws {
        let host = HTTPField.Name("Host")!
        let plain = try Request.get("http://me@a.test:81/").sanitized(.change(to: "b.test"))
        #expect(plain?.0.headers == [host: "a.test:81"])
        let own = try Request.get("http://a.test/", headers: [host: "own"]).sanitized(.change(to: "b.test"))
        #expect(own?.0.headers == [host: "own"])
        let without = try Request.get("http://a.test/").sanitized(.changeWithoutHostHeader(to: "b.test"))
        #expect(without?.0.headers == [:])
    }

    @Test(arguments: ["", "b/c", "b?c", "b c", "x@b", "b:80", "b#"])
    func `SAN-1 what is no host is error 9901, which ends the operation`(host: String) {
        var machine = preparing([.hostSanitizer])
        machine.send(.answered(.host(.change(to: host)), number: 1))
        #expect(machine.error?.code == .hostCannotBeEmpty)
        #expect(machine.error?.code.isTerminal == true)
        machine.expectGood()
    }

    @Test func `SAN-1 a blocked host is error 301, which isn't terminal, and names the host`() {
        var machine = preparing([.hostSanitizer])
        machine.send(.answered(.host(.block), number: 1))
        #expect(machine.error?.code == .hostBlocked)
        #expect(machine.error?.code.isTerminal == false)
        #expect(machine.error?.details[.host] == "a.test")
        #expect(machine.error?.message == "Requests to a.test are blocked by the host sanitizer.")
        machine.expectGood()
    }

    @Test func `SAN-1 the same host is no change, and no event`() {
        var machine = preparing([.hostSanitizer])
        #expect(
            machine.send(.answered(.host(.change(to: "A.test")), number: 1)) == [
                .beginExecuting,
                .startTransfer(.get("http://a.test/"), attempt: 1),
            ])
        #expect(!machine.names.contains("hostSanitized"))
    }

    @Test func `SAN-1 a request that skips it isn't asked about`() {
        let machine = preparing([.hostSanitizer]) { $0.skipsHostSanitization = true }
        #expect(machine.effects.last == .startTransfer(.get("http://a.test/"), attempt: 1))
    }

    @Test func `SAN-2 a redirect goes on from the host that was asked for, credentials and all`() {
        let credentials: HTTPFields = [.authorization: "Bearer x"]
        var machine = preparing([.hostSanitizer], .get("http://a.test/", headers: credentials))
        machine.send(.answered(.host(.change(to: "10.0.0.1")), number: 1))
        machine.head(.found, [.location: "/next"])
        let next = Request.get("http://a.test/next", headers: credentials)
        #expect(machine.finish() == [.ask(.hostSanitizer, about: next, number: 2)])
        machine.send(.answered(.host(.change(to: "10.0.0.2")), number: 2))
        var moved = Request.get("http://10.0.0.2/next", headers: credentials)
        moved.headers[HTTPField.Name("Host")!] = "a.test"
        #expect(machine.machine.metrics.attempts.last?.request == moved)
        #expect(machine.story.suffix(4) == ["redirect", "hostSanitized", "attemptEnded redirecting", "attemptStarted"])
        machine.expectGood(isComplete: false)
    }

    @Test func `SAN-2 a redirect to a blocked host fails the operation`() {
        var machine = preparing([.hostSanitizer])
        machine.send(.answered(.host(.keep), number: 1))
        machine.head(.found, [.location: "http://b.test/"])
        machine.finish()
        machine.send(.answered(.host(.block), number: 2))
        #expect(machine.error?.code == .hostBlocked)
        #expect(machine.machine.metrics.attempts.map(\.disposition) == [.completing])
        machine.expectGood()
    }

    // MARK: Authorization

    @Test(
        arguments: [
            (.unchanged, "old"), (.remove, nil), (.set("Bearer x"), "Bearer x"),
        ] as [(Authorization, String?)])
    func `AUT-1 the field is left, taken out or set`(answer: Authorization, value: String?) {
        var machine = preparing([.authorizer], .get("http://a.test/", headers: [.authorization: "old"]))
        machine.send(.answered(.authorization(answer), number: 1))
        #expect(machine.machine.metrics.attempts.last?.request.headers[.authorization] == value)
        #expect(machine.machine.hydratedRequest?.headers[.authorization] == "old")
    }

    @Test func `AUT-1 it comes after the host sanitizer, so that a signature covers the final host`() {
        var machine = preparing([.hostSanitizer, .authorizer])
        let effects = machine.send(.answered(.host(.changeWithoutHostHeader(to: "b.test")), number: 1))
        #expect(effects == [.ask(.authorization, about: .get("http://b.test/"), number: 2)])
    }
}
