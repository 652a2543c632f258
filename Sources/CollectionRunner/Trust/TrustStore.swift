package import Base
package import NetworkLayer
package import RequestCollections
import Synchronization

/// Keeps what a person has allowed: a small file for each collection, so that two programs that keep something at a time keep both.
///
/// Nothing of it is ever read from a collection, or from a place that was found by looking upwards: what is judged must not set the judge.
package final class TrustStore: Sendable {
    /// `nil`: in memory alone.
    package let directory: String?
    private let memory = Mutex<[TrustKey: TrustGrant]>([:])

    package init(directory: String?) {
        self.directory = directory
    }

    package convenience init(environment: [String: String]) {
        self.init(directory: UserDirectories(environment).grants)
    }

    /// What was read, or why it isn't taken; neither where nobody has said anything.
    package struct Reading: Hashable, Sendable {
        package var grant: TrustGrant?
        /// A sentence.
        package var problem: String?
        var flaw: TrustGrant.Problem?
    }

    package func grant(for key: TrustKey) -> Reading {
        guard let path = path(of: key) else { return Reading(grant: memory.withLock { $0[key] }) }
        var reading = Self.read(path)
        if let grant = reading.grant, TrustKey(root: grant.root, owner: grant.owner) != key {
            reading = Reading(problem: "\(path) is of another collection, \(grant.root), and is ignored")
        }
        return reading
    }

    /// All that anybody has said, by place.
    package func all() -> (grants: [TrustGrant], problems: [String]) {
        guard let directory else { return (memory.withLock { Array($0.values) }, []) }
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter { $0.hasSuffix(".json") }
        let readings = names.sorted().map { Self.read("\(directory)/\($0)") }
        return (readings.compactMap(\.grant).sorted { $0.root < $1.root }, readings.compactMap(\.problem))
    }

    /// Makes a grant of what was there.
    ///
    /// - Throws: when it can't be kept, or when a newer program has kept what this one would lose.
    package func change(_ key: TrustKey, _ change: (TrustGrant?) -> TrustGrant) throws(NetworkError) {
        guard let directory, let path = path(of: key) else {
            return memory.withLock { $0[key] = change($0[key]) }
        }
        if case .version(let version) = Self.read(path).flaw {
            throw NetworkError(
                .fileFailed, phase: .preparation, type: "file.failed",
                message: "\(path) is of version \(version), which this Turnstone doesn't know; take it away, or use a newer one.")
        }
        try PrivateFile.makeDirectory(directory)
        // Through the same judgement as everywhere: what others may have written isn't taken over.
        try PrivateFile.change(path) { _ in change(Self.read(path).grant).data }
    }

    /// As if nobody had said anything.
    package func remove(_ key: TrustKey) throws(NetworkError) {
        memory.withLock { $0[key] = nil }
        guard let path = path(of: key) else { return }
        guard unlink(path) == 0 || errno == ENOENT else {
            throw NetworkError(
                .fileFailed, phase: .preparation, type: "file.failed",
                message: "\(path) can't be removed: \(String(cString: strerror(errno))).")
        }
    }

    private func path(of key: TrustKey) -> String? {
        guard let directory else { return nil }
        let name = DigestFunction.sha256.hash(Data("\(key.root)\n\(key.owner.map(String.init) ?? "")".utf8)).hexadecimal
        return "\(directory)/\(name).json"
    }

    /// A file that somebody else may have written says nothing.
    private static func read(_ path: String) -> Reading {
        var status = stat()
        guard lstat(path, &status) == 0 else { return Reading() }
        guard status.st_mode & S_IFMT == S_IFREG else { return Reading(problem: "\(path) isn't a file, and is ignored") }
        guard status.st_uid == geteuid() else { return Reading(problem: "\(path) belongs to another user, and is ignored") }
        guard status.st_mode & 0o022 == 0 else {
            return Reading(problem: "\(path) may be written by others, and is ignored; if it is yours: chmod 600 \(path)")
        }
        guard let data = try? PrivateFile.read(path) else { return Reading(problem: "\(path) can't be read, and is ignored") }
        do throws(TrustGrant.Problem) {
            return Reading(grant: try TrustGrant(data))
        } catch {
            let problem =
                switch error {
                case .malformed: "\(path) isn't whole, and is ignored"
                case .version(let version): "\(path) is of version \(version), which this Turnstone doesn't know, and is ignored"
                }
            return Reading(problem: problem, flaw: error)
        }
    }
}

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
        (root, owner, granted, isNever) = (contents.root, contents.owner, contents.granted, contents.never)
        // What this program doesn't know it doesn't need.
        let wants = contents.allow.compactMap(\.record).compactMap { record in record.want.map { ($0, record.purpose ?? "") } }
        allowed = Dictionary(wants) { first, _ in first }
    }

    var data: Data {
        let encoder = WantRecord.encoder
        encoder.outputFormatting.insert(.prettyPrinted)
        encoder.dateEncodingStrategy = .iso8601
        let records = WantRecord.sorted(allowed.map { WantRecord($0.key, purpose: $0.value) }).map { KeptRecord($0.record) }
        let contents = Contents(root: root, owner: owner, granted: granted, allow: records, never: isNever)
        // Texts and numbers alone: it can't fail.
        return ((try? encoder.encode(contents)) ?? Data()) + Data("\n".utf8)
    }
}

extension WantRecord {
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// With the text of each, in the order of the texts.
    static func sorted(_ records: [WantRecord]) -> [(record: WantRecord, text: String)] {
        let encoder = encoder
        // Texts alone: it can't fail.
        return records.map { ($0, String(decoding: (try? encoder.encode($0)) ?? Data(), as: UTF8.self)) }
            .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
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

/// A linked worktree of git, which shares what is allowed with the main checkout.
enum GitWorktree {
    /// The same place in the main checkout.
    ///
    /// `.git` in a linked worktree is a file that names `MAIN/.git/worktrees/NAME`. Anybody can write such a file; so what lies there must
    /// point back to it (`gitdir`), which only who may write to the main checkout can make it do.
    ///
    /// - Parameter root: without links.
    static func mainPlace(of root: String) -> String? {
        var directory = root
        while true {
            let file = directory == "/" ? "/.git" : "\(directory)/.git"
            var status = stat()
            if lstat(file, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFREG, let main = mainCheckout(of: file, in: directory) else { return nil }
                return main + root.dropFirst(directory.count)
            }
            guard let slash = directory.lastIndex(of: "/"), directory != "/" else { return nil }
            directory = slash == directory.startIndex ? "/" : String(directory[..<slash])
        }
    }

    private static func mainCheckout(of file: String, in directory: String) -> String? {
        guard let line = line(of: file), line.hasPrefix("gitdir: ") else { return nil }
        let path = String(line.dropFirst(8))
        let link = RealPath.of(path.hasPrefix("/") ? path : "\(directory)/\(path)")
        let parts = link.split(separator: "/")
        guard parts.count > 3, parts[parts.count - 2] == "worktrees", parts[parts.count - 3] == ".git",
            let back = Self.line(of: "\(link)/gitdir"),
            // Relative to the directory in which it stands (git 2.48).
            RealPath.of(back.hasPrefix("/") ? back : "\(link)/\(back)") == file
        else { return nil }
        return "/" + parts.dropLast(3).joined(separator: "/")
    }

    private static func line(of file: String) -> String? {
        guard let data = try? Data(contentsOf: URL(filePath: file)), data.count < 1 << 16 else { return nil }
        return String(decoding: data.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    }
}
