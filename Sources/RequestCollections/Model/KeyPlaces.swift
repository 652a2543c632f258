/// Where parts of a request or of a folder's defaults stand in the file, by key path: `url`, `timeouts.idle`. In JSON it is an object.
package struct KeyPlaces: Hashable, Sendable {
    /// Most requests have only this key, for which a dictionary would take 200 bytes.
    private var url: SourceLocation?
    private var others: [String: SourceLocation] = [:]

    package init() {}

    package subscript(key: String) -> SourceLocation? {
        get { key == Self.urlKey ? url : others[key] }
        set { if key == Self.urlKey { url = newValue } else { others[key] = newValue } }
    }

    private static let urlKey = "url"

    /// The same keys in other places; those for which there is none are left out.
    func compactMapValues(_ change: (SourceLocation) -> SourceLocation?) -> KeyPlaces {
        var places = KeyPlaces()
        places.url = url.flatMap(change)
        places.others = others.compactMapValues(change)
        return places
    }
}

extension KeyPlaces: Codable {
    package init(from decoder: any Decoder) throws {
        others = try [String: SourceLocation](from: decoder)
        url = others.removeValue(forKey: Self.urlKey)
    }

    package func encode(to encoder: any Encoder) throws {
        var all = others
        all[Self.urlKey] = url
        try all.encode(to: encoder)
    }
}
