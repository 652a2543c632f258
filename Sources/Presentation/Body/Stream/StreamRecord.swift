import Base
package import NetworkLayer

/// One event of a stream, or one of its lines of JSON.
package struct StreamRecord: Sendable, Hashable, Identifiable {
    /// From 1, in the order in which they came.
    package var number: Int
    /// When its last byte came; `nil`: that isn't known, of a run of a former session say.
    package var arrived: MonotonicTime?
    /// What the server calls it: `message` unless it says otherwise. `nil`: lines of JSON have no kinds.
    package var kind: String?
    /// The id that the server gave the record.
    package var id: String?
    package var data: String

    package init(_ number: Int, arrived: MonotonicTime? = nil, kind: String? = nil, id: String? = nil, data: String) {
        self.number = number
        self.arrived = arrived
        self.kind = kind
        self.id = id
        self.data = data
    }

    /// What it takes in memory, about: bytes.
    package var cost: Int { data.utf8.count + (kind?.utf8.count ?? 0) + 120 }

    /// The data laid out, a member a line.
    package var document: BodyDocument {
        let document = BodyDocument(BodyBytes(Data(data.utf8)))
        document.extendIndexToEnd()
        return document
    }

    /// Whether a text is in it; smart case, as everywhere.
    package func matches(_ pattern: BodyPattern) -> Bool {
        if let kind, pattern.isFound(in: kind) { return true }
        return pattern.isFound(in: data)
    }
}

extension BodyPattern {
    fileprivate func isFound(in text: String) -> Bool {
        var text = text
        return text.withUTF8 { $0.isEmpty ? false : first(in: 0..<$0.count, of: $0) != nil }
    }
}

extension BodyKind {
    /// Whether its parts come one after another, and each is something by itself.
    package var isStream: Bool { self == .eventStream || self == .jsonLines }

    /// The kind of stream of a declared type; `nil`: it is no stream.
    package static func stream(contentType: String?) -> BodyKind? {
        contentType.flatMap { BodyKind(mediaType: ContentType($0).essence) }.flatMap { $0.isStream ? $0 : nil }
    }
}
