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
