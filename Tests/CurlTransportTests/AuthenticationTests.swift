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

    @Test func `a signature is that of Amazon's own test suite`() async throws {
        // The case `get-vanilla` of the AWS Signature Version 4 test suite.
        let directory = try TemporaryDirectory()
        let server = try ScriptedServer([[.readHead, .send(Self.answer)]], at: .unix(path: directory.file("socket")))
        defer { server.stop() }
        let recording = try await transport.get(
            "http://example.amazonaws.com/", headers: [HTTPField.Name("X-Amz-Date")!: "20150830T123600Z"]
        ) {
            $0.options.unixSocket = directory.file("socket")
            $0.options.acceptsCompression = false
            $0.options.authentication = .awsSigV4(
                AWSSignature(
                    accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", region: "us-east-1",
                    service: "service"))
        }
        #expect(recording.error == nil)
        #expect(
            field("Authorization", in: recording)
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
    }

    @Test func `a temporary key sends its token along, signed`() async throws {
        let server = try ScriptedServer([[.readHead, .send(Self.answer)]])
        let recording = try await transport.get("http://127.0.0.1:\(server.port)/") {
            $0.options.authentication = .awsSigV4(
                AWSSignature(
                    accessKey: "AKIDEXAMPLE", secretKey: "secret", sessionToken: "the-token", region: "us-east-1", service: "s3"))
        }
        #expect(field("X-Amz-Security-Token", in: recording) == "the-token")
        #expect(field("Authorization", in: recording)?.contains("x-amz-security-token") == true)
    }

    @Test func `a signature with a service and no region says what is missing`() async throws {
        let recording = try await transport.get("http://127.0.0.1:1/") {
            $0.options.authentication = .awsSigV4(AWSSignature(accessKey: "a", secretKey: "b", service: "s3"))
        }
        #expect(recording.error?.message == "The signature names the service s3 but no region. Name both, or neither.")
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
