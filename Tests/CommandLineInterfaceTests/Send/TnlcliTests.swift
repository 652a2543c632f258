import DemoServer
import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CommandLineInterface

/// Section 1.20: every option of tnlcli by its own name and meaning, with its defects mended.
@Suite struct TnlcliTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func plan(_ words: String...) throws -> SendPlan {
        try SendPlan(SendOptionParser.parse(words + ["http://h/"]), reading: GivenInput(bytes: Data()))
    }

    private func message(_ words: String...) -> String? {
        #expect(throws: CommandFailure.self) {
            try SendPlan(SendOptionParser.parse(words + ["http://h/"]), reading: GivenInput(bytes: Data()))
        }?.message
    }

    @Test func `method, fields and body`() throws {
        let headers = try directory.write("headers.json", #"{"x-a": "1", "x-b": "2"}"#)
        let body = try directory.write("body", "content")
        let plan = try plan(
            "--request-method", "PATCH", "--request-headers-file", headers, "--request-header", "x-c: 3", "--request-body-file",
            body)
        #expect(plan.request.method == .patch)
        #expect(["x-a", "x-b", "x-c"].map { plan.request.headers[HTTPField.Name($0)!] } == ["1", "2", "3"])
        #expect(plan.request.body == .file(path: body))
    }

    @Test func `an unknown method is sent or refused, and never becomes GET`() throws {
        #expect(try plan("--request-method", "FROB").request.method.rawValue == "FROB")
        #expect(message("--request-method", "FR OB") == "FR OB is not a method: it has characters that no method can have.")
    }

    @Test func `settings by name and by number, the command line over the file`() throws {
        let file = try directory.write(
            "config.json", #"{"redirectPolicy": "2", "idleTimeout": "5", "attemptTimeout": "7.5", "operationTimeout": "0"}"#)
        let plan = try plan(
            "--request-config-file", file, "--request-config", "idleTimeout: 6", "--request-config",
            "networkServiceType:background",
            "--request-config", "discretionary:yes", "--request-config", "cookieAcceptPolicy:2", "--global-config",
            "idleTimeoutMode:includingInitialConnection",
            "--global-config", "timeoutIntervalBetweenDataTransfer: 3")
        #expect(plan.configuration.redirects.policy == .sameHost)
        #expect(plan.configuration.timeouts.idle == .seconds(6))
        #expect(plan.configuration.timeouts.attempt == .milliseconds(7500))
        #expect(plan.configuration.timeouts.operation == nil)
        #expect(plan.configuration.timeouts.idleMode == .includingInitialConnection)
        #expect(plan.configuration.transport.dataTimeout == .seconds(3))
        #expect(plan.configuration.transport.serviceType == .background)
        #expect(plan.priority == .veryLow)
        #expect(plan.configuration.cookies.acceptance == .sameSite)
        #expect(try self.plan("--request-config", "redirectPolicy:doRedirect").configuration.redirects.policy == .always)
        #expect(try self.plan("--global-config", "idleTimeoutMode:0").configuration.timeouts.idleMode == .disabled)
    }

    @Test func `what depends on the machine reaches the request`() throws {
        let plan = try plan(
            "--request-config", "connectivityOptions:wait", "--request-config", "responseComputeHashAlgorithm:SHA256",
            "--request-config",
            "cachePolicy:returnCacheElseLoad", "--request-config", "allowsCellularAccess:no")
        #expect(plan.configuration.connectivity == .wait)
        #expect(plan.configuration.hash == .sha256)
        #expect(plan.configuration.cachePolicy == .returnCacheElseLoad)
        #expect(plan.usesCache)
        #expect(!plan.configuration.transport.allowsCellularAccess)
        #expect(plan.notes == [])
        let other = try self.plan("--request-config", "responseComputeHashAlgorithm:MD4")
        #expect(other.configuration.hash == nil)
        #expect(
            other.notes == ["responseComputeHashAlgorithm: MD2 and MD4 are not computed; MD5, SHA1, SHA256 and SHA512 are"])
        #expect(try !self.plan().usesCache)
    }

    @Test func `TN-16 an answer is stored for whoever names a policy, and taken by the next process`() async throws {
        let transport = ScriptedTransport { _ in
            .respond(headers: [.contentType: "text/plain", .cacheControl: "max-age=60"], body: Data("fresh".utf8))
        }
        let environment = ["XDG_CACHE_HOME": directory.path]
        func send(_ words: String...) async -> CommandLineRun {
            await CommandLineRun.run(["send"] + words + ["http://h/"], transport: transport, environment: environment)
        }
        #expect(await send().output == "fresh")
        #expect(await send("--request-config", "cachePolicy:returnCacheDontLoad").status != .success)
        #expect(await send("--request-config", "cachePolicy:useProtocol").output == "fresh")
        #expect(transport.requests.count == 2)
        #expect(await send("--request-config", "cachePolicy:returnCacheDontLoad").output == "fresh")
        #expect(await send("--request-config", "cachePolicy:returnCacheElseLoad").output == "fresh")
        #expect(transport.requests.count == 2)
        #expect(await send().output == "fresh")
        #expect(transport.requests.count == 3, "who names none gets the server's answer")
    }

    @Test func `COM-5 nothing goes over a modem that isn't allowed to`() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        let modem = NetworkConditions(reachability: .cellular, interfaces: [.init(name: "wwan0", kind: .cellular)])
        let run = await CommandLineRun.run(
            ["send", "--request-config", "allowsCellularAccess:no", "http://h/"], transport: transport, conditions: modem)
        #expect(run.status != .success)
        #expect(run.errors.contains("wwan0"))
        #expect(transport.requests.count == 0)
        #expect(await CommandLineRun.run(["send", "http://h/"], transport: transport, conditions: modem).status == .success)
    }

    @Test func `every name is known, and what means nothing here says so`() throws {
        #expect(TnlcliSetting.requestNames.count == 21)
        let plan = try plan("--request-config", "shouldLaunchAppForBackgroundEvents:1")
        #expect(plan.notes == ["--request-config shouldLaunchAppForBackgroundEvents means nothing here, and is left out"])
    }

    @Test func `what can't be meant is named`() async throws {
        #expect(
            message("--request-config", "idleTimout:1")?.hasPrefix(
                "--request-config: there is no setting named idleTimout. Did you mean idleTimeout?") == true)
        #expect(message("--request-config", "idleTimeout") == "--request-config 'idleTimeout' has no colon. It takes NAME:VALUE.")
        #expect(
            message("--request-config", "discretionary:maybe")
                == "--request-config discretionary: \"maybe\" isn't there. It takes true or false.")
        #expect(
            message("--global-config", "idleTimeoutMode:3")
                == "--global-config idleTimeoutMode: \"3\" isn't there. It takes disabled (0), excludingInitialConnection (1), "
                + "includingInitialConnection (2).")
        let file = try directory.write("bad.json", #"{"idleTimeout": 5}"#)
        #expect(message("--request-config-file", file)?.contains("is not a JSON object of strings") == true)
        #expect(
            await CommandLineRun.run(["send", "--response-body-mode", "file", "http://h/"]).errors
                == "turnstone: --response-body-mode file needs --response-body-file FILE.\n")
    }

    @Test func `body and fields go to their own files, which are numbered and never overwritten, and to the screen`() async throws {
        let transport = ScriptedTransport { _ in
            .respond(status: .created, headers: [.contentType: "text/plain"], body: Data("body".utf8))
        }
        for _ in 0..<2 {
            let run = await CommandLineRun.run(
                [
                    "send", "--response-body-mode", "file,print", "--response-body-file", directory.file("body"),
                    "--response-headers-mode", "file", "--response-headers-file", directory.file("headers"), "http://h/x",
                ], transport: transport)
            #expect(run.output == "body")
            #expect(run.status == .success)
        }
        for name in ["body", "body.1"] { #expect(try String(contentsOfFile: directory.file(name), encoding: .utf8) == "body") }
        for name in ["headers", "headers.1"] {
            let json = try Data(contentsOf: URL(filePath: directory.file(name)))
            #expect(
                try JSONDecoder().decode([String: String].self, from: json) == [
                    "Content-Type": "text/plain", "_tnlcli_StatusCode": "201", "_tnlcli_URL": "http://h/x",
                ])
        }
    }

    @Test func `the chain is dumped as DER, also when it was refused, and never overwrites`() async throws {
        let server = try NginxServer.shared()
        let url = "https://127.0.0.1:\(server.selfSigned)/small"
        for _ in 0..<2 {
            let run = await CommandLineRun.run(
                ["send", "-s", "--dump-cert-chain-directory", directory.file("chain"), url])
            #expect(run.status == .tls)
        }
        for name in ["127.0.0.1_cert_0.DER", "127.0.0.1_cert_0.DER.1"] {
            let text = try ChildProcess.run(
                ChildProcess.find("openssl", package: "openssl"),
                ["x509", "-inform", "DER", "-noout", "-subject", "-in", directory.file("chain/\(name)")])
            #expect(text.hasPrefix("subject"))
        }
    }
}
