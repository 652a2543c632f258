import Foundation
import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CurlTransport

/// What libcurl says for us, as it goes over the wire.
struct `Authentication by the transport` {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    private let transport = CurlTransport()

    private func field(_ name: String, in recording: Recording) -> String? {
        recording.sentHead.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }.map {
            $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
    }

    @Test func `credentials come from a netrc file, for the host that it names`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("netrc", "machine 127.0.0.1 login jane password \"two words\"\n")
        let server = try ScriptedServer([[.readHead, .send(Self.answer)], [.readHead, .send(Self.answer)]])
        let named = try await transport.get(server.url) { $0.options.authentication = .netrc(file: file) }
        #expect(field("Authorization", in: named) == "Basic " + Data("jane:two words".utf8).base64EncodedString())
        let other = try await CurlTransport().get("http://localhost:\(server.port)/") {
            $0.options.authentication = .netrc(file: file)
        }
        #expect(other.error == nil)
        #expect(field("Authorization", in: other) == nil)
    }

    @Test func `a netrc file that can't be read is named`() async throws {
        let recording = try await transport.get("http://127.0.0.1:1/") {
            $0.options.authentication = .netrc(file: "/nowhere/netrc")
        }
        #expect(recording.error?.message == "The netrc file /nowhere/netrc can't be read: no such file or directory.")
    }

    @Test func `a proxy gets its credential, and the server doesn't`() async throws {
        let proxy = try ScriptedServer([[.readHead, .send(Self.answer)]])
        let recording = try await transport.get("http://example.test/") {
            $0.options.proxy = "http://127.0.0.1:\(proxy.port)"
            $0.options.proxyCredential = Credential(user: "jane", password: "a:b@c")
        }
        #expect(field("Proxy-Authorization", in: recording) == "Basic " + Data("jane:a:b@c".utf8).base64EncodedString())
        #expect(field("Authorization", in: recording) == nil)
    }

    @Test func `a libcurl without a scheme says which one it lacks`() throws {
        let bare = CurlLibrary(version: "8.0.0", features: [])
        #expect(
            throws: NetworkError.unsupported(
                "This libcurl (8.0.0) was built without NTLM. Install one that has it, or authenticate in another way.")
        ) { try bare.require(.ntlm) }
        #expect(
            throws: NetworkError.unsupported(
                "This libcurl (8.0.0) was built without Negotiate. Install one that has it, or authenticate in another way."
            )
        ) { try bare.require(.spnego) }
    }

    @Test func `no secret is in a description`() {
        let credential = Credential(user: "jane", password: "hunter2")
        let signature = AWSSignature(accessKey: "AKID", secretKey: "hunter2", sessionToken: "hunter2")
        var options = TransportOptions()
        for authentication in [Authentication.digest(credential), .ntlm(credential), .awsSigV4(signature)] {
            options.authentication = authentication
            options.proxyCredential = credential
            var dumped = ""
            dump(options, to: &dumped)
            for text in ["\(options)", String(reflecting: options), dumped] {
                #expect(!text.contains("hunter2"))
            }
        }
        #expect("\(credential)" == "jane:<redacted>")
        for answer in [ChallengeCredential.password(credential), .token("hunter2"), .authorization("hunter2")] {
            #expect(!"\(answer) \(String(reflecting: answer))".contains("hunter2"))
        }
    }
}

/// The conversation that NTLM is, within one transfer and over one connection.
struct `NTLM` {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    private let credential = Credential(user: "jane", password: "pw")

    /// The server's message (MS-NLMP, section 2.2.1.2): signature, type 2, no target, flags, an eight-byte challenge.
    private static let challenge: String = {
        var message = Data("NTLMSSP\0".utf8)
        message += [2, 0, 0, 0, 0, 0, 0, 0, 48, 0, 0, 0, 0x01, 0x82, 0, 0]
        message += [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]
        message += Data(count: 16)
        return
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: NTLM \(message.base64EncodedString())\r\nContent-Length: 4\r\n\r\nwho?"
    }()

    /// The type of each message that was sent.
    private func types(_ recording: Recording) -> [UInt8] {
        recording.kinds.compactMap { kind -> UInt8? in
            guard case .requestHeadSent(let head) = kind else { return nil }
            let line = String(decoding: head, as: UTF8.self).split(separator: "\r\n").first { $0.hasPrefix("Authorization: NTLM ") }
            let message = line.flatMap { Data(base64Encoded: String($0.dropFirst(20))) }
            return message.map { $0.prefix(8) == Data("NTLMSSP\0".utf8) ? $0[8] : 0 }
        }
    }

    @Test func `three messages go over one connection, and each step is told`() async throws {
        let server = try ScriptedServer([[.readHead, .send(Self.challenge), .readHead, .send(Self.answer)]])
        let recording = try await CurlTransport().get(server.url) {
            $0.options.authentication = .ntlm(credential)
        }
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
        #expect(types(recording) == [1, 3])
        #expect(
            recording.story == [
                "connectStarted", "connectEnded", "connectionAcquired", "requestHeadSent", "requestSent", "authenticationStep",
                "connectionAcquired", "requestHeadSent", "requestSent", "head", "body", "finished",
            ])
    }

    @Test func `a body goes out with the last message`() async throws {
        let server = try ScriptedServer([[.readHead, .send(Self.challenge), .readHead, .read(4), .send(Self.answer)]])
        var request = TransferRequest(
            request: Request(url: server.url, method: .post, body: .data(Data("body".utf8))))
        request.options.authentication = .ntlm(credential)
        let recording = await CurlTransport().perform(request)
        #expect(recording.error == nil)
        #expect(recording.status == 200)
        #expect(server.received(by: 0).suffix(4) == Data("body".utf8))
    }

    @Test func `a 401 that ends the conversation is the answer`() async throws {
        let refusal = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 4\r\n\r\nno!!"
        let server = try ScriptedServer([[.readHead, .send(Self.challenge), .readHead, .send(refusal)]])
        let recording = try await CurlTransport().get(server.url) {
            $0.options.authentication = .ntlm(credential)
        }
        #expect(recording.status == 401)
        #expect(recording.text == "no!!")
    }
}

/// Digest, from the challenge on the wire to the answer on the wire.
struct `Digest` {
    @Test func `CHL-1 a server that checks the digest is satisfied by the second attempt`() async throws {
        let server = try ScriptedServer([
            [
                .readHead,
                .send(
                    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"shop\", qop=\"auth\", algorithm=SHA-256, "
                        + "nonce=\"abc\", opaque=\"xyz\"\r\nContent-Length: 4\r\n\r\nwho?"),
                .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
            ]
        ])
        let client = NetworkClient(transport: CurlTransport())
        let queue = try RequestOperationQueue(identifier: "digest", client: client)
        var configuration = RequestConfiguration()
        configuration.transport.authentication = .digest(Credential(user: "jane", password: "pw"))
        let operation = RequestOperation(
            Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/a?b=c"))), configuration: configuration)
        queue.enqueue(operation)
        let response = await operation.response
        #expect(response.error == nil)
        #expect(try response.info?.body.contents() == Data("hello".utf8))
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .challenge])
        #expect(response.metrics.attempts.last?.connection?.isReused == true)
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])

        // The response that OpenSSL's program computes for the client's nonce.
        let head = try #require(response.metrics.attempts.last?.sentHead)
        func parameter(_ name: String) -> String {
            head.firstMatch(of: try! Regex("\(name)=\"([^\"]*)\"", as: (Substring, Substring).self)).map { String($0.1) } ?? ""
        }
        let openssl = try ChildProcess.find("openssl", package: "openssl")
        func hash(_ text: String) throws -> String {
            let said = try ChildProcess.run("/bin/sh", ["-c", "printf %s '\(text)' | \(openssl) dgst -sha256 -r"])
            return String(said.prefix(64))
        }
        let secret = try hash("jane:shop:pw")
        let action = try hash("GET:/a?b=c")
        let expected = try hash("\(secret):abc:00000001:\(parameter("cnonce")):auth:\(action)")
        #expect(parameter("response") == expected)
        #expect(parameter("opaque") == "xyz")
    }
}

/// A redirect from a plain server to one over TLS is one to another origin: what is made of a secret stays behind, whatever the field
/// is called, and whether or not a proxy stands between.
@Suite struct RedirectedSecretTests {
    private static let secret = "s3cret-k3y"
    private let nginx: NginxServer

    init() throws { nginx = try NginxServer.shared() }

    private func run(_ url: String, through proxy: UInt16? = nil) async throws -> Response {
        let address = try #require(URL(string: url))
        var request = Request(url: address, headers: [.accept: "*/*", HTTPField.Name("X-Shop")!: Self.secret])
        request.secrets.insert(Self.secret, named: "token", in: .header("x-shop"), for: [try #require(OriginPattern(url))])
        var configuration = RequestConfiguration()
        configuration.transport.tls.authorities = nginx.certificates.authority
        if let proxy { configuration.transport.proxy = "http://127.0.0.1:\(proxy)" }
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: CurlTransport()))
        let operation = queue.enqueue(request, configuration: configuration)
        let response = try await operation.successfulResponse()
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
        return response
    }

    private func expectLeftBehind(_ response: Response) {
        let attempts = response.metrics.attempts
        #expect(attempts.count == 2)
        #expect(attempts.first?.sentHead?.contains(Self.secret) == true)
        #expect(attempts.last?.sentHead?.hasPrefix("GET /small") == true)
        #expect(attempts.last?.sentHead?.contains(Self.secret) == false)
        #expect(attempts.last?.tls != nil)
        #expect(attempts.contains { $0.redirect?.withheld.map(\.part) == ["X-Shop"] })
        #expect(response.info?.head.status == .ok)
    }

    @Test func `a redirect to TLS drops a secret's header`() async throws {
        let server = try AnsweringServer { _ in
            [Data("HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:\(nginx.good)/small\r\nContent-Length: 0\r\n\r\n".utf8)]
        }
        let response = try await run("\(server.url)")
        let head = String(decoding: server.requests.first?.head ?? Data(), as: UTF8.self)
        #expect(head.contains("X-Shop: \(Self.secret)\r\n"))
        expectLeftBehind(response)
    }

    @Test func `so does one through a proxy, which never sees it in the tunnel's head either`() async throws {
        let proxy = try ScriptedServer([
            [
                .readHead,
                .send(
                    "HTTP/1.1 302 Found\r\nLocation: https://localhost:\(nginx.good)/small\r\nContent-Length: 0\r\n"
                        + "Connection: close\r\n\r\n"), .close,
            ],
            [.readHead, .send("HTTP/1.1 200 Connection established\r\n\r\n"), .relay(to: nginx.good)],
        ])
        let response = try await run("http://made-up.invalid/", through: proxy.port)
        #expect(String(decoding: proxy.received(by: 0), as: UTF8.self).contains("X-Shop: \(Self.secret)\r\n"))
        let tunnel = String(decoding: proxy.received(by: 1), as: UTF8.self)
        #expect(tunnel.hasPrefix("CONNECT localhost:\(nginx.good) HTTP/1.1\r\n"))
        #expect(!tunnel.contains(Self.secret))
        expectLeftBehind(response)
    }
}
