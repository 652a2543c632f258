package import Base
package import RequestCollections

/// What a person has said about a collection, as it is kept.
package struct TrustGrant: Hashable, Sendable {
    /// Without links.
    package var root: String
    package var owner: UInt32?
    package var granted: Date
    /// What is allowed, each with what it was wanted for at the time.
    package var allowed: [Want: String]
    /// Nobody is to be asked any more, and nothing is allowed.
    package var isNever: Bool

    package init(_ key: TrustKey, granted: Date, allowed: [Want: String] = [:], isNever: Bool = false) {
        root = key.root
        owner = key.owner
        self.granted = granted
        self.allowed = allowed
        self.isNever = isNever
    }
}

extension TrustGrant {
    private struct Contents: Codable {
        var version = TrustGrant.version
        var root: String
        var owner: UInt32?
        var granted: Date
        var allow: [KeptRecord]
        var never: Bool
    }

    /// A record that this program can't read doesn't affect the others: permission is asked for again.
    private struct KeptRecord: Codable {
        var record: WantRecord?

        init(_ record: WantRecord) { self.record = record }

        init(from decoder: any Decoder) { record = try? WantRecord(from: decoder) }

        func encode(to encoder: any Encoder) throws { try record.encode(to: encoder) }
    }

    private struct Version: Codable {
        var version: Int
    }

    private static let version = 1

    /// Why a file's bytes aren't taken.
    enum Problem: Error, Hashable {
        case malformed
        case version(Int)
    }

    init(_ data: Data) throws(Problem) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let version = try? decoder.decode(Version.self, from: data) else { throw .malformed }
        guard version.version == Self.version else { throw .version(version.version) }
        guard let contents = try? decoder.decode(Contents.self, from: data) else { throw .malformed }
        root = contents.root
        owner = contents.owner
        granted = contents.granted
        isNever = contents.never
        // What this program doesn't know it doesn't need.
        let wants = contents.allow.compactMap(\.record).compactMap { record in record.want.map { ($0, record.purpose ?? "") } }
        allowed = Dictionary(wants) { first, _ in first }
    }

    var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let records = allowed.map { WantRecord($0.key, purpose: $0.value) }
        let lines = records.map { ($0, (try? encoder.encode($0)).map { String(decoding: $0, as: UTF8.self) } ?? "") }
        let contents = Contents(
            root: root, owner: owner, granted: granted,
            allow: lines.sorted { $0.1.utf8.lexicographicallyPrecedes($1.1.utf8) }.map { KeptRecord($0.0) }, never: isNever
        )
        // Texts and numbers alone: it can't fail.
        return ((try? encoder.encode(contents)) ?? Data()) + Data("\n".utf8)
    }
}

/// Whose grant it is: a collection at its place, without links, and of this user. One that is moved or copied is another one.
package struct TrustKey: Hashable, Sendable {
    package var root: String
    package var owner: UInt32?

    package init(_ place: CollectionPlace) {
        root = place.path
        owner = place.user
    }

    init(root: String, owner: UInt32?) {
        self.root = root
        self.owner = owner
    }
}
