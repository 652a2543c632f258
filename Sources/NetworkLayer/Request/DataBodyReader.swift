import Base
import Synchronization

/// Hands out a body that lies in memory; pieces share its storage.
final class DataBodyReader: RequestBodyReader {
    let length: Int64?
    private let rest: Mutex<Data>

    init(_ data: Data) {
        length = Int64(data.count)
        rest = Mutex(data)
    }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) -> RequestBodyRead {
        rest.withLock { rest in
            guard !rest.isEmpty else { return .end }
            let piece = rest.prefix(limit)
            rest = rest.dropFirst(piece.count)
            return .bytes(piece)
        }
    }

    func close() {
        rest.withLock { $0 = Data() }
    }
}
