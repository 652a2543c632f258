import Foundation
import HTTPTypes
import Interchange
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CommandLineInterface

/// A server may tell anybody what one request was sent with.
@Suite struct KnownSecretTests {
    @Test func `a secret of one request is masked in the answers to the others`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            variables: { key: { secret: { env: SHOP_KEY } }, pin: { secret: { env: SHOP_PIN } } }
            requests:
              put: { post: http://shop/, body: { text: "{{key}} {{pin}}" } }
              get: { get: http://shop/me, expect: { status: 201, body: { .said: nothing } } }
            """)
        let transport = ScriptedTransport { _ in
            .respond(headers: [.contentType: "application/json"], body: Data(#"{"said": "hunter2hunter2", "rank": "no"}"#.utf8))
        }
        let reports = ["html", "junit", "json", "har", "tap"].map { ($0, directory.file("report.\($0)")) }
        let environment = ["SHOP_KEY": "hunter2hunter2", "SHOP_PIN": "no", "HOME": directory.path]
        let run = await CommandLineRun.run(
            ["run", path, "put", "get", "-v", "--trust"] + reports.flatMap { ["--report", "\($0)=\($1)"] },
            transport: transport, environment: environment)
        #expect(run.status == .expectationFailed)
        #expect(!(run.output + run.errors).contains("hunter2"))
        for (_, report) in reports {
            #expect(!(try String(contentsOfFile: report, encoding: .utf8)).contains("hunter2"), "\(report)")
        }
        let body = await CommandLineRun.run(["history", "body", "2"], environment: environment)
        #expect(body.output.contains("said") && !body.output.contains("hunter2"))
        // A short one stands in many words; it is hidden where it is known to be one.
        #expect(body.output.contains(#""rank": "no""#))
    }
}
