import RequestCollections

/// Names a request among all collections that are open: two of them may have the same id.
struct RequestReference: Hashable, Sendable {
    /// The collection's path.
    var collection: String
    var id: RequestID

    init(collection: String, id: RequestID) {
        self.collection = collection
        self.id = id
    }
}

extension Dictionary where Key == RequestReference {
    /// Keeps what there is under the names that requests have after a change.
    mutating func follow(from: RequestReference, to: RequestReference) {
        for (reference, value) in self {
            guard let new = reference.moved(from: from, to: to) else { continue }
            self[reference] = nil
            self[new] = value
        }
    }
}
