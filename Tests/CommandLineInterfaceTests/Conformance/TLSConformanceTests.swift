import CommandLineInterface
import Foundation
import ServerTesting
import Testing

/// Words about TLS, beside the real curl: what `-w` says of the certificates, and how it ends.
@Suite(.enabled(if: Conformance.isAsked, "make conformance")) struct TLSConformanceTests {
    private let nginx: NginxServer
    private let curl: String
    private let directory: TemporaryDirectory

    init() throws {
        nginx = try NginxServer.shared()
        curl = try ChildProcess.find("curl", package: "curl")
        directory = try TemporaryDirectory()
    }

    /// - Returns: what `-w` printed, and what the status stands for.
    private func run(_ words: [String], _ port: UInt16) async throws -> (ours: String, theirs: String, isSameStatus: Bool) {
        let all =
            ["-s", "-o", "/dev/null", "-w", "%{http_code} %{ssl_verify_result}"] + words + ["https://127.0.0.1:\(port)/small"]
        let ours = await CommandLineRun.run(["send"] + all)
        let (output, status) = try ChildProcess.output(of: curl, ["-q"] + all, input: Data())
        let meaning = ConformanceOutcome.meaning(ofCurl: status)
        return (ours.output, String(decoding: output, as: UTF8.self), meaning.contains(ours.status))
    }

    @Test(arguments: ["good", "expired", "wrongHost", "selfSigned"], [[], ["-k"], ["--cacert", "CA"], ["-k", "--cacert", "CA"]])
    func `what OpenSSL objects to has its number, whoever minds it`(server: String, words: [String]) async throws {
        let ports = ["good": nginx.good, "expired": nginx.expired, "wrongHost": nginx.wrongHost, "selfSigned": nginx.selfSigned]
        let port = try #require(ports[server])
        let run = try await run(words.map { $0 == "CA" ? nginx.certificates.authority : $0 }, port)
        #expect(run.ours == run.theirs)
        #expect(run.isSameStatus)
    }

    @Test(arguments: ["X25519", "P-384:P-256", "X448", "nonsense"])
    func `the groups to offer are curl's`(curves: String) async throws {
        let run = try await run(["--curves", curves, "--cacert", nginx.certificates.authority], nginx.good)
        #expect(run.ours == run.theirs)
        #expect(run.isSameStatus)
    }

    /// A list of what the authority has revoked.
    private func revocations(of certificates: [String]) throws -> String {
        let openssl = try ChildProcess.find("openssl", package: "openssl")
        let authority = nginx.certificates.authority
        try directory.write("index.txt", "")
        try directory.write(
            "ca.cnf",
            "[ca]\ndefault_ca=d\n[d]\ndatabase=\(directory.file("index.txt"))\ndefault_md=sha256\ndefault_crl_days=1\nunique_subject=no\n"
        )
        let keys = [
            "-config", directory.file("ca.cnf"), "-keyfile", authority.replacing("ca.pem", with: "ca.key"), "-cert", authority,
        ]
        for certificate in certificates { try ChildProcess.run(openssl, ["ca"] + keys + ["-revoke", certificate]) }
        try ChildProcess.run(openssl, ["ca"] + keys + ["-gencrl", "-out", directory.file("crl.pem")])
        return directory.file("crl.pem")
    }

    @Test func `a certificate that was revoked is refused, and others aren't`() async throws {
        let certificates = nginx.certificates
        let some = try await run(
            ["--cacert", certificates.authority, "--crlfile", revocations(of: [certificates.client.certificate])], nginx.good)
        #expect(some.ours == "200 0")
        #expect(some.ours == some.theirs && some.isSameStatus)
        let ours = try await run(
            ["--cacert", certificates.authority, "--crlfile", revocations(of: [certificates.good.certificate])], nginx.good)
        #expect(ours.ours == "000 23")
        #expect(ours.ours == ours.theirs && ours.isSameStatus)
    }

    @Test func `a file without such a list is none`() async throws {
        let authority = nginx.certificates.authority
        let run = try await run(["--cacert", authority, "--crlfile", directory.file("none")], nginx.good)
        #expect(run.ours == "")
        #expect(!run.theirs.hasPrefix("200"))
    }
}
