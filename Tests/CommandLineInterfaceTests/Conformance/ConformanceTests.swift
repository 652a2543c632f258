import CommandLineInterface
import Foundation
import ServerTesting
import Testing

/// `turnstone send` and the real curl, with the same words, against the same answers.
@Suite(.enabled(if: Conformance.isAsked, "make conformance")) struct ConformanceTests {
    private let table: ConformanceTable

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "curl.table")
        table = try ConformanceTable(String(contentsOf: file, encoding: .utf8))
    }

    @Test func `hundreds of command lines do the same, or differ for a reason that is written down`() async throws {
        let curl = try ChildProcess.find("curl", package: "curl")
        #expect(table.rows.count > 300)
        let table = table
        // Most of a row's time is a program that starts, or a wait before another try.
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rows = Conformance.sample(table.rows)[...]
            for row in rows.prefix(8) { group.addTask { try await Self.compare(row, of: table, curl) } }
            rows = rows.dropFirst(8)
            while try await group.next() != nil {
                guard let row = rows.popFirst() else { continue }
                group.addTask { try await Self.compare(row, of: table, curl) }
            }
        }
    }

    private static func compare(_ row: ConformanceTable.Row, of table: ConformanceTable, _ curl: String) async throws {
        async let theirs = run(curl: curl, row, of: table)
        let ours = try await send(row, of: table)
        let expected = try await theirs
        let found = ours.differences(from: expected)
        for aspect in found.subtracting(row.differences) {
            Issue.record(
                """
                \(row.line)
                \(aspect.rawValue) differs. curl:
                \(expected.text(of: aspect))
                turnstone:
                \(ours.text(of: aspect))
                """)
        }
        for aspect in row.differences.subtracting(found).subtracting(row.doubtful) {
            Issue.record("\(row.line)\n\(aspect.rawValue) is the same by now: “\(row.reason)” can go.")
        }
    }

    private static func send(_ row: ConformanceTable.Row, of table: ConformanceTable) async throws -> ConformanceOutcome {
        let run = try ConformanceRun(row, of: table)
        let output = CaughtBytes()
        let status = await CommandLineRun.run(
            ["send"] + run.words, GivenInput(bytes: row.input), output, environment: ["HOME": run.directory.file("home")])
        return try run.outcome(output: output.bytes, status: [status.status])
    }

    private static func run(curl: String, _ row: ConformanceTable.Row, of table: ConformanceTable) async throws
        -> ConformanceOutcome
    {
        let run = try ConformanceRun(row, of: table)
        let home = run.directory.file("home")
        // On a thread of its own: it waits for the program.
        let (output, status) = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try ChildProcess.output(
                            of: "/usr/bin/env", ["HOME=\(home)", curl, "-q"] + run.words, input: row.input)
                    })
            }
        }
        return try run.outcome(output: output, status: ConformanceOutcome.meaning(ofCurl: status))
    }
}

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
