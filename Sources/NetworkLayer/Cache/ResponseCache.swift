public import Base
import Synchronization

/// Answers kept in files, for one user (RFC 9111: a private cache). Give it to a ``NetworkClient``.
///
/// In its directory, for every URL, `HASH.json` holds the heads of its answers and `HASH-ID.body` their bodies; there is no index that
/// could be damaged as a whole: a file that can't be read costs the answers of one URL, which are loaded again. All files are 0600.
/// Several programs may share a directory.
public final class ResponseCache: Sendable {
    package let directory: String
    /// The most bytes of all files, and the most URLs; beyond them those go that were not used for longest.
    package let byteLimit: Int
    package let countLimit: Int
    private let state = Mutex(State())

    private struct State {
        /// `nil` until the directory was looked at.
        var index: Index?
        var problem: NetworkError?
    }

    /// The files of each URL by the hash that their names begin with.
    private struct Index {
        private(set) var entries: [String: Files] = [:]
        private(set) var bytes = 0
        private var uses = 0

        /// The last use, as a number that grows: the entry with the lowest goes first (LRU-1).
        mutating func use(_ hash: String) -> Bool {
            uses += 1
            entries[hash]?.used = uses
            return entries[hash] != nil
        }

        mutating func add(_ files: Files, for hash: String) {
            forget(hash)
            entries[hash] = files
            bytes += files.bytes
            _ = use(hash)
        }

        mutating func forget(_ hash: String) {
            if let files = entries.removeValue(forKey: hash) { bytes -= files.bytes }
        }
    }

    private struct Files {
        var names: Set<String> = []
        var bytes = 0
        var used = 0
    }

    /// - Parameter directory: made when it is needed.
    public init(directory: String, byteLimit: Int = 256 << 20, countLimit: Int = 10_000) {
        self.directory = directory
        self.byteLimit = byteLimit
        self.countLimit = countLimit
    }

    /// The longest body that is kept: a quarter of the whole.
    var bodyLimit: Int64 { Int64(byteLimit / 4) }

    /// URLs, and the bytes of all files.
    public var count: Int { withIndex { index, _ in index.entries.count } }
    package var byteCount: Int { withIndex { index, _ in index.bytes } }

    /// Why the last answer could not be stored; `nil` when it could. No request fails for it.
    package var problem: NetworkError? { state.withLock { $0.problem } }

    /// Forgets everything.
    public func removeAll() {
        withIndex { index, _ in
            for hash in index.entries.keys { remove(hash, &index) }
        }
    }

    /// Forgets the answers of a URL.
    public func remove(_ url: URL) { remove([StoredResponse.key(url)]) }

    func remove(_ keys: some Sequence<String>) {
        let hashes = keys.map(Self.hash)
        withIndex { index, _ in
            for hash in hashes { remove(hash, &index) }
        }
    }

    // MARK: Finding

    func stored(for url: URL) -> [StoredResponse] {
        let hash = Self.hash(StoredResponse.key(url))
        return withIndex { index, _ in
            guard index.use(hash) else { return [] }
            return read(hash, &index)
        }
    }

    /// The body, mapped: it stays readable when its file goes.
    ///
    /// - Returns: `nil` when it isn't there, or not as long as it was; then the answer is forgotten.
    func body(of stored: StoredResponse) -> Data? {
        let hash = Self.hash(stored.url)
        let path = path(hash, body: stored.id)
        if let data = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped), data.count == Int(stored.bodyCount) {
            // The age of the file is what survives of the order of use.
            _ = utimes(self.path(hash), nil)
            return data
        }
        withIndex { index, _ in remove(hash, &index) }
        return nil
    }

    // MARK: Storing

    /// Takes bytes of a body; what is given up leaves nothing. `nil`: there is no place for them, see ``problem``.
    func makeSink() -> BodySink? {
        attempt { () throws(NetworkError) in
            try PrivateFile.makeDirectory(directory)
            return BodySink(.file(directory: directory))
        }
    }

    /// A part of storing an answer. When it fails, ``problem`` says why.
    func attempt<Value>(_ part: () throws(NetworkError) -> Value) -> Value? {
        do throws(NetworkError) {
            return try part()
        } catch {
            state.withLock { $0.problem = error }
            return nil
        }
    }

    /// Puts an answer in place of those of its URL that would answer the same request.
    func store(_ response: StoredResponse, body: TemporaryFile, for request: TransferRequest) {
        let hash = Self.hash(response.url)
        withIndex { index, problem in
            problem = nil
            do throws(NetworkError) {
                var all = index.entries[hash] == nil ? [] : read(hash, &index)
                all.removeAll { $0.answers(request) }
                try body.move(to: path(hash, body: response.id))
                try write(all + [response], hash, &index)
            } catch {
                _ = unlink(path(hash, body: response.id))
                problem = error
            }
        }
    }

    /// Brings the head of a stored answer up to date.
    func update(_ response: StoredResponse) {
        let hash = Self.hash(response.url)
        withIndex { index, problem in
            var all = index.entries[hash] == nil ? [] : read(hash, &index)
            guard let place = all.firstIndex(where: { $0.id == response.id }) else { return }
            all[place] = response
            do throws(NetworkError) {
                try write(all, hash, &index)
            } catch {
                problem = error
            }
        }
    }

    // MARK: Files

    private func path(_ hash: String) -> String { "\(directory)/\(hash).json" }

    private func path(_ hash: String, body id: UUID) -> String { "\(directory)/\(Self.bodyName(hash, id))" }

    private static func bodyName(_ hash: String, _ id: UUID) -> String { "\(hash)-\(id.uuidString.lowercased()).body" }

    private static func hash(_ key: String) -> String {
        var digest = BodyDigest(.sha256)
        digest.update(Data(key.utf8))
        return String(digest.hash.hexadecimal.prefix(hashCount))
    }

    private static let hashCount = 32

    private func withIndex<Result>(_ body: (inout Index, inout NetworkError?) -> Result) -> Result {
        state.withLock { state in
            var index = state.index.take() ?? makeIndex()
            defer { state.index = index }
            return body(&index, &state.problem)
        }
    }

    /// The heads of a URL; what can't be read is forgotten.
    private func read(_ hash: String, _ index: inout Index) -> [StoredResponse] {
        if let data = try? PrivateFile.read(path(hash)), let all = try? JSONDecoder().decode([StoredResponse].self, from: data) {
            return all
        }
        remove(hash, &index)
        return []
    }

    private func write(_ all: [StoredResponse], _ hash: String, _ index: inout Index) throws(NetworkError) {
        guard let data = try? JSONEncoder().encode(all) else { return }
        try PrivateFile.replace(path(hash), with: data, isSynced: false)
        let bodies = Set(all.map { Self.bodyName(hash, $0.id) })
        for name in index.entries[hash]?.names ?? [] where name.hasSuffix(".body") && !bodies.contains(name) {
            _ = unlink("\(directory)/\(name)")
        }
        let bytes = data.count + all.reduce(0) { $0 + Int($1.bodyCount) }
        index.add(Files(names: bodies.union(["\(hash).json"]), bytes: bytes), for: hash)
        trim(&index)
    }

    private func remove(_ hash: String, _ index: inout Index) {
        for name in index.entries[hash]?.names ?? [] { _ = unlink("\(directory)/\(name)") }
        index.forget(hash)
    }

    private func trim(_ index: inout Index) {
        while index.entries.count > countLimit || index.bytes > byteLimit,
            let oldest = index.entries.min(by: { $0.value.used < $1.value.used })
        {
            remove(oldest.key, &index)
        }
    }

    /// Looks at the files there are, those that were used last first.
    private func makeIndex() -> Index {
        var index = Index()
        var groups: [String: Files] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
            var status = stat()
            guard stat("\(directory)/\(name)", &status) == 0 else { continue }
            guard name.hasSuffix(".json") || name.hasSuffix(".body"), name.utf8.count > Self.hashCount else {
                // What a program left that ended while it wrote.
                if name.contains("turnstone-") || name.contains(".json."), status.st_mtim.tv_sec < time(nil) - 86_400 {
                    _ = unlink("\(directory)/\(name)")
                }
                continue
            }
            let hash = String(name.prefix(Self.hashCount))
            groups[hash, default: Files()].names.insert(name)
            groups[hash]?.bytes += Int(status.st_size)
            if name.hasSuffix(".json") { groups[hash]?.used = Int(status.st_mtim.tv_sec) }
        }
        for (hash, files) in groups.sorted(by: { ($0.value.used, $0.key) < ($1.value.used, $1.key) }) {
            index.add(files, for: hash)
        }
        trim(&index)
        return index
    }
}
