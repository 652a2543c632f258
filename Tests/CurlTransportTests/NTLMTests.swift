import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

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
        let recording = try await CurlTransport().get("http://127.0.0.1:\(server.port)/") {
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
            request: Request(
                url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")), method: .post, body: .data(Data("body".utf8))))
        request.options.authentication = .ntlm(credential)
        let recording = await CurlTransport().perform(request)
        #expect(recording.error == nil)
        #expect(recording.status == 200)
        #expect(server.received(by: 0).suffix(4) == Data("body".utf8))
    }

    @Test func `a 401 that ends the conversation is the answer`() async throws {
        let refusal = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 4\r\n\r\nno!!"
        let server = try ScriptedServer([[.readHead, .send(Self.challenge), .readHead, .send(refusal)]])
        let recording = try await CurlTransport().get("http://127.0.0.1:\(server.port)/") {
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
