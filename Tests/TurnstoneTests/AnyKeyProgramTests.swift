import DemoServer
import Foundation
import Glibc
import NetworkLayerTesting
import TerminalTesting
import TerminalUI
import Testing

/// Any keys, pastes, clicks and sizes, by a seed, in the program as it is. `KEYS=100000 SEED=7` in the environment sends so many.
@Suite(.serialized) struct `The program under any keys` {
    private static let keys = Int(ProcessInfo.processInfo.environment["KEYS"] ?? "") ?? 1000
    private static let seed = UInt64(ProcessInfo.processInfo.environment["SEED"] ?? "") ?? 14

    private static let special = [
        "\r", "\u{1B}", "\t", "\u{1B}[Z", "\u{7F}", "\u{1B}[3~", "\u{1B}OA", "\u{1B}OB", "\u{1B}OC", "\u{1B}OD", "\u{1B}[1~",
        "\u{1B}[4~",
        "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[15~", "\u{1B}OP", "\u{1B}[1;2A", "\u{1B}[1;5C", "é", "日本", "👩‍👩‍👧", "\u{301}", "{{", "}}",
        "\u{2}",
        "\u{6}", "\u{C}", "\u{E}", "\u{10}", "\u{12}", "\u{15}", "\u{1B}x",
        "\u{1B}[200~curl -H 'authorization: Bearer abcdef123456' http://127.0.0.1:1/a\u{1B}[201~",
        "\u{1B}[200~http://127.0.0.1:1/?x=1#y\u{1B}[201~", "\u{1B}[200~a\tb\r\nc\u{0}\u{202E}\u{1B}[201~",
        "\u{1B}[200~\(String(repeating: "x", count: 2000))\u{1B}[201~",
    ]
    /// Without `q`: the program would end with the first of them.
    private static let letters = Array(
        "sssjjjkkhlabcdefghijklmnoprtuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~ ")

    private static func key(_ size: Size, _ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7: return special.randomElement(using: &random) ?? ""
        case 7:
            let place = "\(Int.random(in: 1...size.columns, using: &random));\(Int.random(in: 1...size.rows, using: &random))"
            let button = [0, 2, 32, 64, 65].randomElement(using: &random) ?? 0
            return "\u{1B}[<\(button);\(place)M" + (button < 3 ? "\u{1B}[<\(button);\(place)m" : "")
        default: return String(letters.randomElement(using: &random) ?? "j")
        }
    }

    @Test(arguments: [(160, 50), (120, 40), (80, 24), (40, 10), (20, 5)])
    func `goes on, and gives the terminal back when it is asked to end`(columns: Int, rows: Int) async throws {
        let server = try await DemoServer()
        let home = Program.Home()
        let collection = """
            turnstone: 1
            name: Any
            variables: { host: "\(server.baseURL)", token: abcdefghijkl }
            environments: { dev: { page: 2 }, stage: { page: 3 } }
            requests:
              first: { get: "{{host}}/json?flag&a=1", headers: { authorization: "Bearer {{token}}" }, expect: { status: 200 } }
              folder: { requests: { second: { post: "{{host}}/anything", json: { a: [1, 2] } }, third: { get: "{{host}}/delay/1s" } } }
              fourth: { get: "{{host}}/redirect/2", needs: first, mock: { status: 204 } }

            """
        try Data(collection.utf8).write(to: URL(filePath: home.path("any.yaml")))
        let size = Size(columns: columns, rows: rows)
        let program = try Program(
            [home.path("any.yaml")], size: size, home: home,
            environment: ["EDITOR": "true", "PAGER": "true", "XDG_CURRENT_DESKTOP": ""])
        defer { program.terminal.stop() }
        try await program.terminal.wait(for: "the first frame") { $0.isAlternate }
        var random = SeededGenerator(seed: Self.seed &+ UInt64(columns))
        for number in 0..<Self.keys {
            program.terminal.send(Array(Self.key(size, &random).utf8))
            guard number % 60 == 59 else { continue }
            let other = Size(
                columns: Int.random(in: 1...columns + 20, using: &random), rows: Int.random(in: 1...rows + 10, using: &random))
            program.terminal.resize(number % 120 == 59 ? other : size)
        }
        program.terminal.signal(SIGTERM)
        let exit = try await program.terminal.waitForExit()
        // A click on the row of Quit, say, has ended it before.
        #expect([.status(128 + SIGTERM), .status(0)].contains(exit), "SEED=\(Self.seed) KEYS=\(Self.keys)")
        #expect(program.isGivenBack)
    }
}
