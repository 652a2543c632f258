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

    @Test func `a body that is no text in UTF-8 has no secret in a HAR`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            variables: { key: { secret: { env: SHOP_KEY } } }
            requests:
              wide: { get: "http://shop/wide?{{key}}" }
              binary: { get: "http://shop/binary?{{key}}" }
            """)
        let wide = try #require("you said hunter2hunter2".data(using: .utf16))
        let binary = Data([0xFF, 0xD8, 0x80]) + Data("hunter2hunter2".utf8)
        let transport = ScriptedTransport { $0.request.url.path() == "/wide" ? .respond(body: wide) : .respond(body: binary) }
        let run = await CommandLineRun.run(
            ["run", path, "--trust", "--report", "har=\(directory.file("all.har"))"], transport: transport,
            environment: ["SHOP_KEY": "hunter2hunter2", "HOME": directory.path])
        #expect(run.status == .success)
        let document = try HARDocument(json: Data(contentsOf: URL(filePath: directory.file("all.har"))))
        let bodies = document.log.entries.compactMap { $0.response.content.text.flatMap { Data(base64Encoded: $0) } }
        #expect(bodies.first.flatMap { String(data: $0, encoding: .utf16) } == "you said ••••••")
        #expect(bodies.last == Data([0xFF, 0xD8, 0x80]) + Data("••••••".utf8))
    }

    @Test func `what would be sent is shown without its secrets, whatever encoding it is in`() async throws {
        let secret = "パスワード鍵"
        let code = "%Q%9%o!<%I"
        // A byte of the first character is a quote behind its escape.
        let text = #"{"password":"あいう\#(secret)","again":"あいう\#(secret)"}"#
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              form:
                post: "http://shop/"
                headers: { content-type: application/x-www-form-urlencoded; charset=iso-2022-jp }
                body: { text: "password=\\e$B&=\(code)80\\e(B&a=1" }
            """)
        let body = try #require(text.data(using: .iso2022JP))
        #expect(body.range(of: Data(code.utf8)) != nil)
        try body.write(to: URL(filePath: directory.file("body")))
        let environment = ["HOME": directory.path]
        let words = ["send", "--offline", "http://127.0.0.1:1/", "-H", "Content-Type: application/json; charset=iso-2022-jp"]
        let offline = await CommandLineRun.run(
            words + ["--data-binary", "@\(directory.file("body"))"], environment: environment)
        #expect(offline.status == .success && offline.output.contains("******"))
        #expect(!offline.output.contains(code), "\(offline.output)")
        let shown = await CommandLineRun.run(["show", path, "form"], environment: environment)
        #expect(shown.status == .success && shown.output.contains("*****"))
        #expect(!shown.output.contains(code), "\(shown.output)")
    }

    /// The history had them as they came, and `history body` showed them.
    @Test func `no output has the secret of a body in another encoding`() async throws {
        let secrets = ["пароль-Журавль", "パスワード鍵123", "hunter2hunter2"]
        let answers: [(name: String, type: String, body: Data)] = [
            ("cyrillic", "text/plain; charset=windows-1251", try #require("ключ \(secrets[0])!".data(using: .windowsCP1251))),
            ("shift", "text/plain; charset=Shift_JIS", try #require("鍵は\(secrets[1])!".data(using: .shiftJIS))),
            ("mail", "text/plain; charset=iso-2022-jp", try #require("鍵は\(secrets[1])!".data(using: .iso2022JP))),
            ("wide", "text/plain; charset=utf-16le", try #require("ключ \(secrets[2])!".data(using: .utf16LittleEndian))),
        ]
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            variables: { a: { secret: { env: KEY_A } }, b: { secret: { env: KEY_B } }, c: { secret: { env: KEY_C } } }
            requests:
            """
                + answers.map { answer in
                    """

                      \(answer.name):
                        post: http://shop/\(answer.name)
                        body: { text: "{{a}} {{b}} {{c}}" }
                        expect: { status: 201, body: { contains: x } }
                    """
                }.joined() + "\n")
        let transport = ScriptedTransport { attempt in
            let answer = answers.first { attempt.request.url.path() == "/\($0.name)" }
            return .respond(headers: [.contentType: answer?.type ?? "text/plain"], body: answer?.body ?? Data())
        }
        let reports = ["html", "junit", "json", "har", "tap", "markdown"].map { ($0, directory.file("report.\($0)")) }
        let environment = [
            "KEY_A": secrets[0], "KEY_B": secrets[1], "KEY_C": secrets[2], "HOME": directory.path, "NO_COLOR": "1",
        ]
        let run = await CommandLineRun.run(
            ["run", path] + answers.map(\.name) + ["-v", "--trust"] + reports.flatMap { ["--report", "\($0)=\($1)"] },
            transport: transport, environment: environment)
        #expect(run.status == .expectationFailed)
        var outputs = [("run", Data((run.output + run.errors).utf8))]
        for (name, file) in reports { outputs.append((name, try Data(contentsOf: URL(filePath: file)))) }
        for (number, answer) in answers.enumerated() {
            let words = ["history", "body", "\(number + 1)"]
            let shown = await CommandLineRun.run(words, isTerminal: true, environment: environment)
            let masked = ["ключ ******!", "ключ ••••••!", "鍵は******!"]
            #expect(masked.contains { shown.output.contains($0) }, "\(answer.name): \(shown.output)")
            outputs.append((answer.name, Data(shown.output.utf8)))
            let replayed = await CommandLineRun.run(
                ["history", "replay", "\(number + 1)", "--trust"], isTerminal: true, transport: transport, environment: environment)
            outputs.append(("replay of \(answer.name)", Data((replayed.output + replayed.errors).utf8)))
        }
        let har = try HARDocument(json: Data(contentsOf: URL(filePath: directory.file("report.har"))))
        for content in har.log.entries.map(\.response.content) {
            outputs.append(("\(content.mimeType) of HAR", content.text.flatMap { Data(base64Encoded: $0) } ?? Data()))
        }
        let files = FileManager.default.enumerator(atPath: directory.path)
        while let file = files?.nextObject() as? String {
            guard let data = FileManager.default.contents(atPath: directory.file(file)) else { continue }
            outputs.append((file, data))
        }
        #expect(outputs.contains { $0.0.hasSuffix(".sqlite") })
        for (name, output) in outputs {
            for secret in secrets {
                for encoding in [
                    String.Encoding.utf8, .windowsCP1251, .shiftJIS, .iso2022JP, .utf16LittleEndian, .utf16BigEndian,
                ] {
                    guard let bytes = secret.data(using: encoding) else { continue }
                    #expect(output.range(of: bytes) == nil, "\(secret) in \(encoding): \(name)")
                }
            }
        }
    }
}
