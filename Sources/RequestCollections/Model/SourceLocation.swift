/// A place in a file: what an error names, and what `explain` shows.
package struct SourceLocation: Hashable, Sendable, Codable, CustomStringConvertible {
    package var path: String
    // A hundred thousand requests have several each, and no file has more lines than fit.
    private var shortLine: Int32
    private var shortColumn: Int32

    /// From 1.
    package var line: Int {
        get { Int(shortLine) }
        set { shortLine = Int32(clamping: newValue) }
    }

    /// From 1, in Unicode scalars.
    package var column: Int {
        get { Int(shortColumn) }
        set { shortColumn = Int32(clamping: newValue) }
    }

    private enum CodingKeys: String, CodingKey {
        case path
        case shortLine = "line"
        case shortColumn = "column"
    }

    package init(path: String, line: Int, column: Int) {
        self.path = path
        shortLine = Int32(clamping: line)
        shortColumn = Int32(clamping: column)
    }

    package var description: String { "\(path):\(line):\(column)" }
}

/// Something wrong in a collection. The rest of the tree stays usable.
package struct CollectionProblem: Hashable, Sendable, Codable, Error, CustomStringConvertible {
    package var location: SourceLocation
    /// What is wrong, on what, and the way out (the nearest known key, say).
    package var message: String

    package init(location: SourceLocation, message: String) {
        self.location = location
        self.message = message
    }

    package var description: String { "\(location): \(message)" }
}

/// A file that can't be read or written.
package struct CollectionFileError: Hashable, Sendable, Error, CustomStringConvertible {
    package var path: String
    /// What failed and why, as the end of a sentence that begins with the path.
    package var message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    package var description: String { "\(path) \(message)" }
}
