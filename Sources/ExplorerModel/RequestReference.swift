package import RequestCollections

/// Names a request among all collections that are open: two of them may have the same id.
package struct RequestReference: Hashable, Sendable {
    /// The collection's path.
    package var collection: String
    package var id: RequestID

    package init(collection: String, id: RequestID) {
        self.collection = collection
        self.id = id
    }
}
