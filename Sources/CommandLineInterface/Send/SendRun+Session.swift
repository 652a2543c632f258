import Base
import NetworkLayer
import WebSockets

/// `turnstone send wss://…`: lines of standard input are messages, and messages are lines of standard output.
extension SendRun {
    /// - Parameter output: `nil`: what comes is taken, and not handed on.
    /// - Returns: why there was no session, or why it didn't end as it should.
    func converse(
        over socket: WebSocket, _ operation: RequestOperation, _ output: SendOutput?
    ) async throws -> NetworkError? {
        let sending = Task { try? await sendLines(to: socket) }
        defer { sending.cancel() }
        do {
            for try await message in socket.messages {
                switch message {
                case .text(let text): try output?.write(Data("\(text)\n".utf8), of: operation)
                case .binary(let data): try output?.write(data, of: operation)
                }
            }
        } catch is NetworkError {
            // The end of the session carries it.
        }
        let error = await socket.ended()
        if let body = socket.refusal?.body, !body.isEmpty { try output?.write(body, of: operation) }
        return error
    }

    /// The end of input closes the session; a session that is over needs no more input.
    private func sendLines(to socket: WebSocket) async throws(NetworkError) {
        try await socket.opened()
        var line = Data()
        while var piece = await nextInput(), !piece.isEmpty {
            while let end = piece.firstIndex(of: UInt8(ascii: "\n")) {
                try await socket.send(Self.message(line + piece[..<end]))
                line = Data()
                piece = piece[piece.index(after: end)...]
            }
            line += piece
        }
        if !line.isEmpty { try await socket.send(Self.message(line)) }
        socket.close()
    }

    /// A line that isn't UTF-8 is a binary message.
    private static func message(_ line: Data) -> WebSocket.Message {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return String(validating: line, as: UTF8.self).map { .text($0) } ?? .binary(line)
    }

    /// Whoever types takes their time, and waits on a thread of their own. Input that can't be read is at its end.
    private func nextInput() async -> Data? {
        await withCheckedContinuation { continuation in
            SystemThread.run { [context] in continuation.resume(returning: try? context.standardInput.read(atMost: 1 << 16)) }
        }
    }
}
