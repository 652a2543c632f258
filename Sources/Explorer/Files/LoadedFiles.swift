import RequestCollections
import Synchronization

/// Each collection as the explorer last read or wrote it: what it has written itself is no news, and the next change is worked out on it.
final class LoadedFiles: Sendable {
    private let known = Mutex<[String: RequestCollection]>([:])

    subscript(path: String) -> RequestCollection? { known.withLock { $0[path] } }

    /// - Returns: whether the collection has other files than the one before.
    @discardableResult
    func update(_ collection: RequestCollection) -> Bool {
        known.withLock { $0.updateValue(collection, forKey: collection.path)?.files != collection.files }
    }
}
