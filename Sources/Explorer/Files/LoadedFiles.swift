import RequestCollections
import Synchronization

/// The bytes, by their fingerprints, that the explorer knows of each collection: what it has written itself is no news.
final class LoadedFiles: Sendable {
    private let known = Mutex<[String: [String: FileFingerprint]]>([:])

    /// - Returns: whether the collection has other files than the one before.
    @discardableResult
    func take(_ collection: RequestCollection) -> Bool {
        known.withLock { $0.updateValue(collection.files, forKey: collection.path) != collection.files }
    }
}
