import Base
package import NetworkLayer
import RequestCollections
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
