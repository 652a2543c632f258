public import Base

/// The pieces of a body as they arrive: see ``RequestOperation/body``.
///
/// Throws the error of the operation after the pieces that came before it. Cancelling the task that reads cancels the
/// operation, and so does letting go of its iterator before the end, as `break` does: nobody else could read on.
public struct BodySequence: AsyncSequence, Sendable {
    public typealias Element = Data
    public typealias Failure = NetworkError

    let operation: RequestOperation

    public func makeAsyncIterator() -> Iterator { Iterator(reader: Reader(operation)) }

    /// The reader. Without one, a transfer that was told to wait would wait for ever, and keep its connection and its slot.
    fileprivate final class Reader {
        let operation: RequestOperation

        init(_ operation: RequestOperation) {
            self.operation = operation
        }

        deinit {
            if operation.stream?.isAtEnd == false { operation.cancel("the reader of its body went away before the end") }
        }
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader
        private var operation: RequestOperation { reader.operation }

        fileprivate init(reader: Reader) {
            self.reader = reader
        }

        public mutating func next() async throws(NetworkError) -> Data? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            guard let stream = operation.stream else { return nil }
            while true {
                switch stream.next() {
                case .piece(let data, let attempt):
                    if let attempt { operation.handle(.readerIsBehind(false, attempt: attempt)) }
                    return data
                case .end(let error):
                    if let error { throw error }
                    return nil
                case .later:
                    let isCancelled = Task.isCancelled
                    if isCancelled { operation.cancel("the reader of its body was cancelled") }
                    // The end is near: it is waited for, and not asked for again.
                    await stream.wait(isCancellable: !isCancelled)
                }
            }
        }
    }
}
