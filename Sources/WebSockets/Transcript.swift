public import NetworkLayer

extension WebSocket {
    /// Everything that goes through the session, in its order, pings and closes included. One reader; what it has taken is gone.
    public var transcript: Transcript { Transcript(socket: self) }

    /// The messages of the peer alone; in place of ``transcript``.
    public var messages: Messages { Messages(transcript: transcript) }

    /// See ``WebSocket/transcript``. Throws the error of a session that ended as it shouldn't, after all that came before. Cancelling the
    /// task that reads ends the sequence, and nothing else.
    public struct Transcript: AsyncSequence, Sendable {
        public typealias Element = Entry
        public typealias Failure = NetworkError

        let socket: WebSocket

        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket.claimTranscript() ? socket : nil) }

        public struct Iterator: AsyncIteratorProtocol {
            /// `nil`: it is another's to read.
            let socket: WebSocket?

            public mutating func next() async throws(NetworkError) -> Entry? { try await next(isolation: nil) }

            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Entry? {
                guard let socket else {
                    throw NetworkError(
                        .unsupported, phase: .body, type: "websocket.unreadable",
                        message: "The transcript of the session has a reader, and what that takes is gone.")
                }
                while true {
                    switch socket.next() {
                    case .entry(let entry): return entry
                    case .end(let error?): throw error
                    case .end: return nil
                    case .later:
                        if Task.isCancelled { return nil }
                        await socket.waitForEntry()
                    }
                }
            }
        }
    }

    /// See ``WebSocket/messages``.
    public struct Messages: AsyncSequence, Sendable {
        public typealias Element = Message
        public typealias Failure = NetworkError

        let transcript: Transcript

        public func makeAsyncIterator() -> Iterator { Iterator(entries: transcript.makeAsyncIterator()) }

        public struct Iterator: AsyncIteratorProtocol {
            var entries: Transcript.Iterator

            public mutating func next() async throws(NetworkError) -> Message? { try await next(isolation: nil) }

            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Message? {
                while let entry = try await entries.next(isolation: actor) {
                    if entry.direction == .received, let message = entry.message { return message }
                }
                return nil
            }
        }
    }
}
