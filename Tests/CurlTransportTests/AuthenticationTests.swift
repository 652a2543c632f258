import Foundation
import HTTPTypes
import NetworkLayer
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
        let named = try await transport.get("http://127.0.0.1:\(server.port)/") { $0.options.authentication = .netrc(file: file) }
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
        let bare = CurlFeatures(version: "8.0.0", hasNTLM: false, hasNegotiate: false)
        #expect(
            throws: NetworkError.unsupported(
                "This libcurl (8.0.0) was built without NTLM. Install one that has it, or authenticate in another way.")
        ) { try bare.requireNTLM() }
        #expect(
            throws: NetworkError.unsupported(
                "This libcurl (8.0.0) was built without Negotiate (SPNEGO). Install one that has it, or authenticate in another way."
            )
        ) { try bare.requireNegotiate() }
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
