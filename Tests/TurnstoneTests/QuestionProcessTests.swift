import Foundation
import TerminalTesting
import Testing

/// What another process of the program is asked about bodies.
@Suite struct QuestionProcessTests {
    private func run(_ text: String, _ options: String = "--filter-timeout 1s") async throws -> String {
        let home = Program.Home()
        try Data(text.utf8).write(to: URL(filePath: home.path("shop.yaml")))
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "$T run shop.yaml --mocks \(options); echo ends with $?"],
            environment: ["HOME": home.path, "XDG_STATE_HOME": "", "T": Program.path, "NO_COLOR": "1"], directory: home.path)
        defer { terminal.stop() }
        _ = try await terminal.waitForExit()
        return String(decoding: terminal.written, as: UTF8.self).replacing("\r\n", with: "\n")
    }

    @Test func `what never ends, and what takes all memory, fails alone`() async throws {
        let said = try await run(
            """
            turnstone: 1
            requests:
              a:
                get: http://127.0.0.1:9/
                mock: { status: 200, body: { a: 1, b: [1, 2] } }
                expect:
                  body:
                    .b | add: 3
                    last(repeat(1)): 1
                    .b | length: 2
                    'def f: [f]; f': 1
                    /(\\d)/: "1"
              b:
                get: http://127.0.0.1:9/
                mock: { status: 200, body: { a: 1 } }
                expect: { body: { ".a + 1": 2 } }

            """)
        #expect(
            said.contains("shop.yaml:9:9: expected body last(repeat(1)) to be 1, and found nothing: jq took longer than 1.0 s"),
            "\(said)")
        #expect(said.contains("shop.yaml:11:9: expected body def f: [f]; f to be 1, and found nothing: jq "), "\(said)")
        #expect(!said.contains("shop.yaml:8:"), "\(said)")
        #expect(!said.contains("shop.yaml:10:"), "\(said)")
        #expect(said.contains("✓ b"), "\(said)")
        #expect(said.hasSuffix("ends with 1\n"), "\(said)")
    }

    @Test func `a program that can't be compiled is an error before anything is sent`() async throws {
        let said = try await run(
            """
            turnstone: 1
            requests:
              a: { get: "http://127.0.0.1:9/", mock: { status: 200, body: { a: 1 } } }
              b: { get: "http://127.0.0.1:9/", mock: { status: 200 }, expect: { body: { ".a |": 1 } } }
              c: { get: "http://127.0.0.1:9/", mock: { status: 200 }, capture: { x: "xpath://a[" } }

            """)
        #expect(said.contains("shop.yaml:4:77: `.a |`: syntax error, unexpected $end at <top-level>, line 1:"), "\(said)")
        #expect(said.contains("shop.yaml:5:70: `xpath://a[`: it isn't an expression of XPath 1.0"), "\(said)")
        #expect(said.contains("1 passed, 2 broken"), "\(said)")
        #expect(said.hasSuffix("ends with 2\n"), "\(said)")
    }
}
