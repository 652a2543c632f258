import Base
import NetworkLayer
import Synchronization

/// Reads the directory form: one file a request, directories as folders.
///
/// The directories are listed first, then the files are read on all cores, then the tree is put together, so that the order of
/// everything, the problems included, is that of the names.
struct DirectoryReader {
    private enum Entry {
        case request(path: String, id: RequestID)
        case folder(path: String, id: RequestID, entries: [Entry])
    }

    private var files: [(path: String, id: RequestID)] = []
    private var passedOver: [(path: String, name: String)] = []
    private var results: [ReadRequest] = []
    private var next = 0
    private var collection: RequestCollection
    private let source: CollectionFiles
    private let place: CollectionPlace
    /// Directories below links: with two in each that lead to the next one, thirty make a tree of a thousand million.
    private var linked = 0
    private static let linkedLimit = 1_000

    private struct ReadRequest: Sendable {
        /// A request.
        var node: RequestCollection.Node
        var problems: [CollectionProblem]
        var fingerprint: FileFingerprint?

        init(_ request: RequestDefinition, _ fingerprint: FileFingerprint?) {
            node = .request(request)
            problems = request.problems
            self.fingerprint = fingerprint
        }
    }

    static func load(_ path: String, from source: CollectionFiles = .onDisk) throws(CollectionFileError) -> RequestCollection {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var reader = DirectoryReader(collection: RequestCollection(path: path, name: name), source: source)
        let entries = try reader.list((path, reader.place.path), parent: nil, inside: [])
        let order = reader.readCollectionFile()
        let files = reader.files
        reader.results = concurrentMap(files.count, pieceSize: 64) { Self.read(files[$0].path, files[$0].id, source) }
        reader.collection.nodes = reader.nodes(entries).ordered(order)
        reader.warn()
        return reader.collection
    }

    private init(collection: RequestCollection, source: CollectionFiles) {
        self.collection = collection
        self.source = source
        place = CollectionPlace(collection.path)
    }

    /// Whether an entry is read: a link only where it leads to what came with the collection.
    private mutating func isOwn(_ path: String, _ entry: FileContents.Entry) -> Bool {
        guard entry.mayBeLink, let target = FileContents.realPath(path), !place.travels(target) else { return true }
        // Any other file may lie beside the requests.
        if entry.isDirectory || RequestCollection.requestName(of: entry.name) != nil {
            problem(path, "leads to \(target), outside of the collection and its repository, and isn't read; put a copy there")
        }
        return false
    }

    /// - Parameters:
    ///   - directory: its path, and the same without links.
    ///   - outer: the directories around it, the collection's first.
    private mutating func list(
        _ directory: (path: String, real: String), parent: RequestID?, inside outer: [(path: String, real: String)],
        isLinked: Bool = false
    ) throws(CollectionFileError) -> [Entry] {
        let path = directory.path
        var entries: [Entry] = []
        for entry in try source.list(path) {
            let inside = joined(path, entry.name)
            // Those with a line below in front are looked at when they are read.
            guard !entry.isDirectory && entry.name.hasPrefix("_") || isOwn(inside, entry) else { continue }
            if entry.isDirectory {
                let isLink = entry.mayBeLink && FileContents.isLink(inside)
                let isLinked = isLinked || isLink
                if isLinked {
                    linked += 1
                    if linked == Self.linkedLimit {
                        problem(inside, "links lead to more than \(linked) directories; take some away")
                    }
                    if linked >= Self.linkedLimit { continue }
                }
                let chain = outer + [directory]
                let own = joined(directory.real, entry.name)
                let real = isLink ? FileContents.realPath(inside) ?? own : own
                if isLink, let origin = chain.first(where: { $0.real == real })?.path {
                    problem(inside, "leads back to \(origin), which it is in; take the link away")
                    continue
                }
                guard outer.count < YAMLDocument.Limits.depth else {
                    problem(inside, "directories are nested more than \(YAMLDocument.Limits.depth) deep")
                    continue
                }
                let id = RequestID(rawValue: parent.map { "\($0)/\(entry.name)" } ?? entry.name)
                do throws(CollectionFileError) {
                    let inner = try list((inside, real), parent: id, inside: chain, isLinked: isLinked)
                    // A directory of bodies only is no folder.
                    if inner.isEmpty, !source.exists(joined(inside, "_folder.yaml")) { continue }
                    entries.append(.folder(path: inside, id: id, entries: inner))
                } catch {
                    problem(error.path, error.message)
                }
            } else if !entry.name.hasPrefix("_"), let name = RequestCollection.requestName(of: entry.name) {
                let id = RequestID(rawValue: parent.map { "\($0)/\(name)" } ?? name)
                // The list is sorted, so `login.yml` comes right after `login.yaml`.
                if let last = files.last, last.id == id {
                    problem(inside, "and \(last.path) are both the request `\(id)`; keep one of them")
                    continue
                }
                files.append((inside, id))
                entries.append(.request(path: inside, id: id))
            } else {
                passedOver.append((inside, entry.name))
            }
        }
        return entries
    }

    /// Tells of files that look like requests, and aren't read.
    private mutating func warn() {
        collection.warnings = passedOver.compactMap { path, name in
            PassedOverFile.warning(path, name: name, as: "a request", reads: { RequestCollection.isRequest(path, in: source) }) {
                source.exists(joined(directory(of: path), $0))
            }
        }
    }

    /// - Returns: what comes first.
    private mutating func readCollectionFile() -> [String] {
        let path = joined(collection.path, "_collection.yaml")
        guard source.exists(path), isOwn(path), let root = readRoot(path) else { return [] }
        RequestReader(path: path).readCollection(root, FormatTable.collectionFile, into: &collection)
        return Self.order(root)
    }

    private mutating func isOwn(_ path: String) -> Bool {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return isOwn(path, FileContents.Entry(name: name, isDirectory: false, mayBeLink: FileContents.isLink(path)))
    }

    private static func order(_ root: YAMLNode) -> [String] { root["order"]?.items?.compactMap(\.text) ?? [] }

    /// The value in a file that isn't a request; what is wrong becomes a problem.
    private mutating func readRoot(_ path: String) -> YAMLNode? {
        do {
            let bytes = try source.read(path)
            collection.files[path] = FileFingerprint(bytes)
            return try YAMLDocument(path: path, bytes: bytes).root
        } catch let error as CollectionProblem {
            collection.problems.append(error)
        } catch let error as CollectionFileError {
            problem(error.path, error.message)
        } catch {
            problem(path, "can't be read: \(error)")
        }
        return nil
    }

    private mutating func problem(_ path: String, _ message: String) {
        collection.problems.append(
            CollectionProblem(location: SourceLocation(path: path, line: 1, column: 1), message: message))
    }

    private mutating func nodes(_ entries: [Entry]) -> [RequestCollection.Node] {
        entries.map { entry in
            switch entry {
            case .request(let path, _):
                let read = results[next]
                next += 1
                collection.files[path] = read.fingerprint
                collection.problems += read.problems
                return read.node
            case .folder(let path, let id, let inner):
                var folder = RequestCollection.Folder(id: id, location: SourceLocation(path: path, line: 1, column: 1))
                let file = joined(path, "_folder.yaml")
                var order: [String] = []
                if source.exists(file), isOwn(file), let root = readRoot(file) {
                    folder.location.path = file
                    RequestReader(path: file).readFolder(
                        root, FormatTable.folderFile, into: &folder, problems: &collection.problems)
                    order = Self.order(root)
                }
                folder.nodes = nodes(inner).ordered(order)
                return .folder(folder)
            }
        }
    }

    private static func read(_ path: String, _ id: RequestID, _ source: CollectionFiles) -> ReadRequest {
        do {
            let bytes = try source.read(path)
            return ReadRequest(request(path, id, bytes), FileFingerprint(bytes))
        } catch {
            return ReadRequest(
                broken(
                    id, CollectionProblem(location: SourceLocation(path: path, line: 1, column: 1), message: error.message)),
                nil)
        }
    }

    /// A request that has a file of its own.
    static func request(_ path: String, _ id: RequestID, _ bytes: [UInt8]) -> RequestDefinition {
        do {
            guard let root = try YAMLDocument(path: path, bytes: bytes).root, !root.isNull else {
                return broken(
                    id,
                    CollectionProblem(
                        location: SourceLocation(path: path, line: 1, column: 1),
                        message: "the file is empty; a request begins with its method and URL, such as `get: https://example.com/`")
                )
            }
            if root["turnstone"] != nil, let requests = root.pairs?.first(where: { $0.key.text == "turnstone" }) {
                return broken(
                    id,
                    CollectionProblem(
                        location: requests.key.location(in: path),
                        message: "this is a collection of its own, not a request of the one around it; open it by its path"))
            }
            return RequestReader(path: path).request(root, id: id)
        } catch {
            return broken(id, error)
        }
    }

    /// A request that is shown though its file can't be read.
    private static func broken(_ id: RequestID, _ problem: CollectionProblem) -> RequestDefinition {
        var request = RequestDefinition(
            id: id, method: "GET", url: "", location: SourceLocation(path: problem.location.path, line: 1, column: 1))
        request.problems = [problem]
        return request
    }
}

extension [RequestCollection.Node] {
    /// Those of some names first, in their order. A name that isn't there means nothing: files come and go.
    fileprivate func ordered(_ names: [String]) -> [RequestCollection.Node] {
        guard !names.isEmpty else { return self }
        let ranks = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        return enumerated().sorted { left, right in
            let (a, b) = (ranks[String(left.element.id.name)] ?? .max, ranks[String(right.element.id.name)] ?? .max)
            return a == b ? left.offset < right.offset : a < b
        }
        .map(\.element)
    }
}

/// The results for `0..<count`, in order, made on all cores.
///
/// - Parameter pieceSize: how many are made in one go; so many or fewer are made here.
func concurrentMap<Result: Sendable>(_ count: Int, pieceSize: Int, _ make: @escaping @Sendable (Int) -> Result) -> [Result] {
    guard count > pieceSize else { return (0..<count).map(make) }
    let pieceCount = (count + pieceSize - 1) / pieceSize
    let pieces = Mutex([[Result]](repeating: [], count: pieceCount))
    let next = Atomic(0)
    // Who helps is not waited for, only what was begun: a helper may come when all is done, or never.
    let finished = Atomic(0)
    let allFinished = MonotonicCondition()
    @Sendable func work() {
        while case let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue, piece < pieceCount {
            let results = (piece * pieceSize..<min(count, (piece + 1) * pieceSize)).map(make)
            pieces.withLock { $0[piece] = results }
            guard finished.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == pieceCount else { continue }
            allFinished.lock()
            allFinished.broadcast()
            allFinished.unlock()
        }
    }
    let most = ProcessInfo.processInfo.activeProcessorCount - 1 - helperCount.load(ordering: .relaxed)
    for _ in 0..<max(0, min(pieceCount - 1, most)) {
        helperCount.wrappingAdd(1, ordering: .relaxed)
        let status = SystemThread.start {
            work()
            helperCount.wrappingSubtract(1, ordering: .relaxed)
        }
        guard status != 0 else { continue }
        // There are no more threads to be had: this one does it all.
        helperCount.wrappingSubtract(1, ordering: .relaxed)
        break
    }
    work()
    allFinished.lock()
    while finished.load(ordering: .acquiring) < pieceCount { allFinished.wait() }
    allFinished.unlock()
    return pieces.withLock { $0.flatMap { $0 } }
}

/// The helpers of all maps: what is mapped inside of another map finds the cores in use.
private let helperCount = Atomic(0)
