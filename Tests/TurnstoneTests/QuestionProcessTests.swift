import Foundation
import Glibc
import TerminalTesting
import Testing

/// What another process of the program is asked about bodies.
@Suite struct QuestionProcessTests {
    private func run(_ text: String, _ options: String = "--filter-timeout 6s") async throws -> String {
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
            said.contains(
                "shop.yaml:9:9: expected body last(repeat(1)) to be 1, and found nothing: jq took longer than the 6.0 s that"),
            "\(said)")
        #expect(said.contains("shop.yaml:11:9: expected body def f: [f]; f to be 1, and found nothing: jq "), "\(said)")
        #expect(!said.contains("shop.yaml:8:"), "\(said)")
        #expect(!said.contains("shop.yaml:10:"), "\(said)")
        #expect(said.contains("✓ b"), "\(said)")
        #expect(said.hasSuffix("ends with 1\n"), "\(said)")
    }

    /// A timeout each would be half a minute.
    @Test func `what never ends has one deadline for all of a response`() async throws {
        let endless = (0..<21).map { "          last(repeat(\($0))): 1" }.joined(separator: "\n")
        let start = ContinuousClock.now
        let said = try await run(
            """
            turnstone: 1
            requests:
              a:
                get: http://127.0.0.1:9/
                mock: { status: 200, body: { a: 1, b: [1, 2] } }
                expect:
                  body:
            \(endless)

            """, "--filter-timeout 1500ms")
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(said.components(separatedBy: "took longer than the 1.5 s that").count == 22, "\(said)")
    }

    /// A conversation with the process itself, past everything that looks at a program first.
    private final class Conversation {
        let process = Process()
        private let talk: Int32
        private let answers = Pipe()

        init(_ environment: [String: String] = [:]) throws {
            var ends: [Int32] = [0, 0]
            #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
            talk = ends[0]
            process.executableURL = URL(filePath: Program.path)
            process.arguments = ["__answer"]
            process.environment = environment
            process.standardInput = FileHandle(fileDescriptor: ends[1])
            process.standardOutput = answers
            process.standardError = FileHandle.nullDevice
            try process.run()
            close(ends[1])
        }

        deinit {
            hangUp()
            process.terminate()
        }

        func hangUp() { close(talk) }

        func say(_ program: String, seconds: Int = 60) {
            let fields = ["\(seconds)", "100000", "data", "{}", program].map { "\($0.utf8.count)\n\($0)" }.joined()
            let frame = Array("\(fields.utf8.count)\n\(fields)".utf8)
            #expect(send(talk, frame, frame.count, Int32(MSG_NOSIGNAL)) == frame.count)
        }

        /// The last field of the answer.
        func answer() -> String { String(decoding: answers.fileHandleForReading.availableData, as: UTF8.self) }
    }

    @Test(
        arguments: [
            ("import \"hidden\" as $x {search: \"HOME\"}; $x", "marmalade"),
            ("include \"words\" {search: \"HOME\"}; word", "marmalade"), ("env, $ENV", "marmalade"), ("env | length", "\n1\n"),
            ("\"HOME/words\" | modulemeta", "marmalade"), ("input_filename, get_search_list", "marmalade"),
        ])
    func `the process has no files and no environment, whatever it is asked`(program: String, unwanted: String) throws {
        let home = Program.Home()
        try Data(#"{"jam":"marmalade"}"#.utf8).write(to: URL(filePath: home.path("hidden.json")))
        try Data(#"def word: "marmalade";"#.utf8).write(to: URL(filePath: home.path("words.jq")))
        let conversation = try Conversation(["PRESERVE": "marmalade", "HOME": home.path])
        conversation.say(program.replacing("HOME", with: home.path))
        let answer = conversation.answer()
        #expect(!answer.isEmpty && !answer.contains(unwanted), "\(answer)")
    }

    @Test(.timeLimit(.minutes(1)))
    func `a process that is asked something endless ends with the one who asked`() async throws {
        let conversation = try Conversation()
        conversation.say("1 + 1")
        let answer = conversation.answer()
        // Otherwise it may have ended because it didn't understand.
        #expect(answer.contains("2"), "\(answer)")
        conversation.say("last(repeat(1))", seconds: 90)
        conversation.hangUp()
        while conversation.process.isRunning { await Task.yield() }
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
