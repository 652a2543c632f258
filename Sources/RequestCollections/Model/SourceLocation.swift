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

/// Where parts of a request or of a folder's defaults stand in the file, by key path: `url`, `timeouts.idle`. In JSON it is an object.
package struct KeyPlaces: Hashable, Sendable {
    /// Most requests have only this key.
    private var url: SourceLocation?
    /// The other keys, sorted. A request has few of them, for which a dictionary would take more than twice the memory.
    private var others: [Entry] = []

    private struct Entry: Hashable, Sendable {
        let key: String
        var location: SourceLocation
    }

    package init() {}

    package subscript(key: String) -> SourceLocation? {
        get { key == Self.urlKey ? url : others.first { $0.key == key }?.location }
        set { if key == Self.urlKey { url = newValue } else { setOther(key, newValue) } }
    }

    private mutating func setOther(_ key: String, _ location: SourceLocation?) {
        let index = others.firstIndex { $0.key >= key } ?? others.endIndex
        let end = index < others.endIndex && others[index].key == key ? index + 1 : index
        others.replaceSubrange(index..<end, with: location.map { [Entry(key: key, location: $0)] } ?? [])
    }

    private static let urlKey = "url"

    /// The same keys in other places; those for which there is none are left out.
    func compactMapValues(_ change: (SourceLocation) -> SourceLocation?) -> KeyPlaces {
        var places = KeyPlaces()
        places.url = url.flatMap(change)
        places.others = others.compactMap { entry in change(entry.location).map { Entry(key: entry.key, location: $0) } }
        return places
    }
}

extension KeyPlaces: Codable {
    package init(from decoder: any Decoder) throws {
        for (key, location) in try [String: SourceLocation](from: decoder) { self[key] = location }
    }

    package func encode(to encoder: any Encoder) throws {
        var all = Dictionary(uniqueKeysWithValues: others.map { ($0.key, $0.location) })
        all[Self.urlKey] = url
        try all.encode(to: encoder)
    }
}

/// The path of a request or folder in its collection: `orders/create`.
package struct RequestID: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The last component: `create`.
    package var name: Substring { rawValue.split(separator: "/").last ?? "" }

    package var description: String { rawValue }
}
