import Base

extension BodySequence {
    /// Lines of text in UTF-8, without their ends: `\n`, `\r\n` or `\r`. Other bytes are replaced. A line may be as long as the body.
    public var lines: Lines { Lines(body: self) }

    /// One byte after the other; whoever can take more at a time is faster with the sequence itself.
    public var bytes: Bytes { Bytes(body: self) }

    /// See ``BodySequence/lines``.
    public struct Lines: AsyncSequence, Sendable {
        public typealias Element = String
        public typealias Failure = NetworkError

        let body: BodySequence

        public func makeAsyncIterator() -> Iterator { Iterator(pieces: body.makeAsyncIterator()) }

        /// Reads pieces of the body until a line is whole.
        public struct Iterator: AsyncIteratorProtocol {
            private var pieces: BodySequence.Iterator
            private var splitter = LineSplitter()

            init(pieces: BodySequence.Iterator) {
                self.pieces = pieces
            }

            public mutating func next() async throws(NetworkError) -> String? { try await next(isolation: nil) }

            /// - Returns: `nil` at the end of the body, after a last line that may lack its end.
            /// - Throws: what ends the body early; the unfinished line is then lost.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> String? {
                while true {
                    if let line = splitter.nextLine() { return String(decoding: line, as: UTF8.self) }
                    guard let piece = try await pieces.next(isolation: actor) else {
                        return splitter.flush().map { String(decoding: $0, as: UTF8.self) }
                    }
                    splitter.add(piece)
                }
            }
        }
    }

    /// See ``BodySequence/bytes``.
    public struct Bytes: AsyncSequence, Sendable {
        public typealias Element = UInt8
        public typealias Failure = NetworkError

        let body: BodySequence

        public func makeAsyncIterator() -> Iterator { Iterator(pieces: body.makeAsyncIterator()) }

        /// Hands out the bytes of one piece of the body after the other.
        public struct Iterator: AsyncIteratorProtocol {
            private var pieces: BodySequence.Iterator
            private var piece = Data()
            private var index = 0

            init(pieces: BodySequence.Iterator) {
                self.pieces = pieces
            }

            public mutating func next() async throws(NetworkError) -> UInt8? { try await next(isolation: nil) }

            /// - Returns: `nil` at the end of the body.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> UInt8? {
                while index == piece.endIndex {
                    guard let next = try await pieces.next(isolation: actor) else { return nil }
                    piece = next
                    index = next.startIndex
                }
                defer { index += 1 }
                return piece[index]
            }
        }
    }
}
