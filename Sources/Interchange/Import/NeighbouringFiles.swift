package import RequestCollections

/// The files that a source may name: an import reads none by itself.
package struct NeighbouringFiles: Sendable {
    private let contents: @Sendable (String) throws(CollectionProblem) -> ImportSource

    /// - Parameter contents: the file at a path, from the directory of the source; its error says why it isn't read, as the end of a
    ///   sentence about the path.
    package init(_ contents: @escaping @Sendable (String) throws(CollectionProblem) -> ImportSource) {
        self.contents = contents
    }

    package func read(_ path: String) throws(CollectionProblem) -> ImportSource { try contents(path) }

    /// The neighbours of a source that lies nowhere.
    package static let none = NeighbouringFiles { path throws(CollectionProblem) in
        throw ImportSource(path: path, bytes: []).problem("it is in another file; import the document by its path")
    }
}
