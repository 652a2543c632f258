import Foundation
import RequestCollections
import Synchronization
import Testing

@testable import CommandLineInterface

/// A client of a command that speaks JSON-RPC on standard input and output.
final class Conversation: ByteOutput {
    private struct State {
        var framing: MessageFraming
        var messages: [JSONValue] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let kind: MessageFraming.Kind
    private let state: Mutex<State>
    private let input = FedInput()
    private let run: Task<Int32, Never>

    var isTerminal: Bool { false }
    var columns: Int? { nil }

    init(_ words: [String], _ kind: MessageFraming.Kind, environment: [String: String]) {
        let output = Relay()
        let input = input
        self.kind = kind
        state = Mutex(State(framing: MessageFraming(kind)))
        run = Task { await CommandLineRun.run(words, input, output, environment: environment).status.rawValue }
        output.receiver.withLock { $0 = self }
    }

    /// What the command knows of this one, which it is made before.
    private final class Relay: ByteOutput {
        let receiver = Mutex<Conversation?>(nil)
        var isTerminal: Bool { false }
        var columns: Int? { nil }
        func write(_ bytes: Data) { receiver.withLock { $0 }?.write(bytes) }
    }

    func write(_ bytes: Data) {
        let waiting = state.withLock { state in
            for case .message(let bytes) in (try? state.framing.append(bytes)) ?? [] {
                if let message = JSONParser.parse(String(decoding: bytes, as: UTF8.self)) { state.messages.append(message) }
            }
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume() }
    }

    func tell(_ message: String) {
        switch kind {
        case .lines: input.feed(message + "\n")
        case .headers: input.feed("Content-Length: \(message.utf8.count)\r\n\r\n\(message)")
        }
    }

    /// Takes the first message that has a member of this value.
    func message(_ member: String, _ value: JSONValue) async -> JSONValue {
        while true {
            let found = state.withLock { state -> JSONValue? in
                guard let index = state.messages.firstIndex(where: { $0[member] == value }) else { return nil }
                return state.messages.remove(at: index)
            }
            if let found { return found }
            await withCheckedContinuation { continuation in
                let isNew = state.withLock { state in
                    if state.messages.contains(where: { $0[member] == value }) { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isNew { continuation.resume() }
            }
        }
    }

    /// The status with which the command ends when its input does.
    func end() async -> Int32 {
        input.feed("")
        return await run.value
    }
}

extension MCPSession {
    mutating func receive(line: String) -> [Effect] { receive(JSONRPC.Message(line)) }
}

extension LanguageSession {
    mutating func receive(_ text: String) -> [Effect] { receive(JSONRPC.Message(text)) }
}

@Suite struct MessageFramingTests {
    private func messages(_ bytes: String, _ kind: MessageFraming.Kind, pieceSize: Int) throws -> [String] {
        var framing = MessageFraming(kind)
        let bytes = Data(bytes.utf8)
        return try stride(from: 0, to: bytes.count, by: pieceSize).flatMap {
            try framing.append(bytes[$0..<min($0 + pieceSize, bytes.count)]).map { piece in
                switch piece {
                case .message(let bytes): String(decoding: bytes, as: UTF8.self)
                case .tooLong: "(too long)"
                }
            }
        }
    }

    @Test(arguments: [1, 2, 7, 1_000]) func `however the bytes come in, the messages are the same`(pieceSize: Int) throws {
        let framed = "Content-Length: 2\r\n\r\n{}content-type: x; y=z\r\nCONTENT-LENGTH:4\r\n\r\n\"ä\"Content-Length: 0\r\n\r\n"
        #expect(try messages(framed, .headers, pieceSize: pieceSize) == ["{}", "\"ä\"", ""])
        #expect(try messages("{}\n\n[ä]\n{", .lines, pieceSize: pieceSize) == ["{}", "", "[ä]"])
    }

    @Test(arguments: [
        ("Content-Length: -1\r\n\r\n", "A message begins with Content-Length: N."),
        ("Content-Length: 1x\r\n\r\n", "A message begins with Content-Length: N."),
        ("Content-Type: x\r\n\r\n{}", "A message begins with Content-Length: N."),
        (String(repeating: "x", count: 5_000), "A message begins with Content-Length: N."),
    ])
    func `what frames no message ends the conversation with a sentence`(bytes: String, complaint: String) {
        #expect(throws: CommandFailure(status: .usage, message: complaint)) { try messages(bytes, .headers, pieceSize: 4_096) }
    }

    @Test(arguments: [1 << 16, 1 << 20, 1 << 26])
    func `a message that is too long is skipped, and the next one is read`(pieceSize: Int) throws {
        let long = String(repeating: "x", count: MessageFraming.longestMessage + 1)
        #expect(try messages("a\n\(long)\nb\n\(long)", .lines, pieceSize: pieceSize) == ["a", "(too long)", "b", "(too long)"])
        let framed = "Content-Length: 1\r\n\r\naContent-Length: \(long.utf8.count)\r\n\r\n\(long)Content-Length: 1\r\n\r\nb"
        #expect(try messages(framed, .headers, pieceSize: pieceSize) == ["a", "(too long)", "b"])
        let longest = try messages("\(long.dropLast())\n", .lines, pieceSize: pieceSize)
        #expect(longest.map(\.utf8.count) == [MessageFraming.longestMessage])
    }
}
