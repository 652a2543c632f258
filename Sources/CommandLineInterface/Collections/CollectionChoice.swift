import Base
import Presentation
import RequestCollections

/// The collections that a command works on, and the names that it was given for what is in them.
///
/// The first word is the collection when it is there as a file or directory, and so are words after it that are written as paths:
/// `a.yaml b.yaml`. Without one it is what the explorer would open, `./Collections`, else the nearest one above; else the only file here
/// that says it is a collection.
struct CollectionChoice: Sendable {
    var collections: [RequestCollection]
    var names: [String]
    /// What is said of those that are a stranger's.
    var warnings: [String]
    /// Files that aren't read as collections, though they say that they are some.
    private var passedOver: [CollectionProblem] = []
    /// What stands in for files, by path: what came on standard input, or what an editor hasn't saved.
    private var given: [String: [UInt8]] = [:]

    /// Standard input, as a path.
    static let standardInput = "-"

    /// - Parameter input: what `-` means; `nil`: a name, as any other word.
    init(
        _ words: [String], environment: [String: String], directory: String = FileManager.default.currentDirectoryPath,
        input: (any ByteInput)? = nil
    ) throws {
        if let first = words.first, first != Self.standardInput, Self.isPath(first), !FilePaths.exists(first) {
            throw CommandFailure(.usage, "There is no collection at \(first).")
        }
        let owners = FileOwners(environment: environment)
        let (paths, names, refused, directories) = try Self.paths(words, directory: directory, environment, owners)
        passedOver = directories.flatMap { RequestCollection.passedOver(at: $0) }
        self.names = names
        guard !paths.isEmpty else {
            let place = names.count < words.count ? words[0] : nil
            throw CommandFailure(.usage, Self.absence(in: place, passedOver.first, refused))
        }
        warnings = paths.compactMap { owners.stranger($0)?.warning }
        let readsInput = input != nil && paths.contains(Self.standardInput)
        if readsInput, let input { given[Self.standardInput] = try Array(input.readToEnd()) }
        collections = try paths.map { [given] path in
            if let bytes = given[path] { return RequestCollection.load(path: path, bytes: bytes) }
            do throws(CollectionFileError) {
                return try RequestCollection.load(path: path)
            } catch {
                // One that nobody has named hides no others.
                guard paths.count == 1 || words.contains(path) else { return .unreadable(path, because: error) }
                throw error
            }
        }
    }

    /// One collection as it will be when what an editor holds is saved.
    ///
    /// - Parameter unsaved: by absolute path.
    init(path: String, unsaved: [String: [UInt8]]) throws(CollectionFileError) {
        collections = [try RequestCollection.load(path: path, unsaved: unsaved)]
        names = []
        warnings = []
        given = unsaved
    }

    /// - Parameters:
    ///   - place: what was named.
    ///   - near: a file that was meant as one says more than that there is none.
    private static func absence(in place: String?, _ near: CollectionProblem?, _ refused: ForeignPath?) -> String {
        if let near { return "There is no collection \(place.map { "in \($0)" } ?? "here"). \(SafeText.line("\(near)"))" }
        if let place { return "There is no collection in \(place): it has no YAML file, and no directory with a _collection.yaml." }
        if let refused { return "There is no collection of yours here. \(SafeText.line(refused.refusal(by: "turnstone run")))" }
        return "There is no collection here. Name one, a YAML file or a directory; `turnstone demo` shows one."
    }

    /// A word that can't be a request's name, so that a missing file isn't taken for one.
    static func isPath(_ word: String) -> Bool {
        word == standardInput || [".yaml", ".yml"].contains { word.hasSuffix($0) }
            || ["/", "./", "../"].contains { word.hasPrefix($0) }
    }

    /// Finds the paths without reading the files.
    private static func paths(
        _ words: [String], directory: String, _ environment: [String: String], _ owners: FileOwners
    ) throws -> (paths: [String], names: [String], refused: ForeignPath?, directories: [String]) {
        guard let first = words.first, first == standardInput || FilePaths.exists(first) else {
            let found = CollectionSearch.nearest(to: directory, home: environment["HOME"], owners: owners)
            if found.collections.isEmpty, let file = try onlyFile(in: directory, owners) { return ([file], words, nil, []) }
            let around = found.collections.first.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
            if around == nil, found.refused == nil { return ([], words, nil, ["\(directory)/Collections"]) }
            return (found.collections, words, found.refused, around.map { $0.hasSuffix("Collections") ? [$0] : [] } ?? [])
        }
        let others = words.dropFirst().prefix(while: isPath)
        if let missing = others.first(where: { $0 != standardInput && !FilePaths.exists($0) }) {
            throw CommandFailure(.usage, "There is no collection at \(missing).")
        }
        var paths: [String] = []
        for path in [first] + others { paths += try path == standardInput ? [path] : RequestCollection.collections(at: path) }
        return (paths, Array(words.dropFirst(1 + others.count)), nil, [first] + others)
    }

    /// The one collection of a single file that lies in a directory. A file of somebody else's has to be named.
    private static func onlyFile(in directory: String, _ owners: FileOwners) throws -> String? {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
        let files = names.filter { name in
            guard name.hasSuffix(".yaml") || name.hasSuffix(".yml"), !name.hasPrefix(".") else { return false }
            let path = "\(directory)/\(name)"
            guard owners.stranger(path) == nil, let data = FileManager.default.contents(atPath: path) else { return false }
            return saysItIsOne(data.prefix(1 << 16))
        }
        guard files.count <= 1 else {
            throw CommandFailure(.usage, "There are several collections here: \(files.joined(separator: ", ")). Name one.")
        }
        return files.first.map { "\(directory)/\($0)" }
    }

    /// Whether the beginning of a file says that it is a collection.
    static func saysItIsOne(_ head: Data) -> Bool {
        // A byte order mark is none of it.
        (head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head).split(separator: UInt8(ascii: "\n"))
            .contains { $0.starts(with: Array("turnstone:".utf8)) }
    }

    /// Says whose they are, where they are a stranger's.
    func warn(in context: CommandLineContext) throws {
        for warning in warnings { try context.note(warning) }
    }

    /// Says what isn't read, though it may have been meant to be.
    func warnOfFiles(in context: CommandLineContext) throws {
        for warning in fileWarnings { try context.note(warning) }
    }

    /// Each with its file.
    var fileWarnings: [CollectionProblem] { passedOver + collections.flatMap(\.warnings) }

    /// - Throws: for an environment that none of the collections has.
    func check(environment: String?) throws {
        guard let environment, !collections.contains(where: { $0.environmentNames.contains(environment) }) else { return }
        let known = Set(collections.flatMap(\.environmentNames)).sorted()
        throw CommandFailure(
            .usage,
            "There is no environment \(environment); "
                + (known.isEmpty ? "the collection has none." : "there are \(known.joined(separator: ", "))."))
    }

    /// Why there is nothing that any selection could mean, as a sentence.
    var emptiness: String? {
        guard !collections.contains(where: \.hasRequests) else { return nil }
        let places = collections.map { $0.path == Self.standardInput ? "standard input" : $0.path }
        return "There is no request in \(places.joined(separator: ", "))."
    }

    /// A sentence for each variable of the command line that no collection has, and none of their requests reads.
    func complaints(aboutVariables names: [String]) -> [String] {
        guard !names.isEmpty else { return [] }
        let known = collections.reduce(into: Set<String>()) { $0.formUnion($1.variableNames) }
        return names.filter { !known.contains($0) }.map { name in
            "Nothing uses the variable \(name)." + (nearestName(to: name, in: known.sorted()).map { " Did you mean \($0)?" } ?? "")
        }
    }

    /// Expectations of these requests that nearly every answer would meet, though something else was meant.
    func blindExpectations(of definitions: some Sequence<RequestDefinition>) -> [CollectionProblem] {
        let ids = Set(definitions.lazy.filter { !$0.expectations.isEmpty }.map(\.id))
        guard !ids.isEmpty else { return [] }
        return collections.flatMap { collection -> [CollectionProblem] in
            let blind = hints(of: collection, onlyBlind: true)
            guard !blind.isEmpty else { return [] }
            let owners = places(ofExpectationsIn: collection)
            return blind.filter { hint in
                let before = (owners[hint.location.path] ?? []).filter { !Self.isBehind($0.place, hint.location) }
                // What several requests share stands in one place.
                return before.contains { $0.place == before.last?.place && ids.contains($0.id) }
            }
        }
    }

    /// The places by file, in the order of each file.
    private func places(ofExpectationsIn collection: RequestCollection) -> [String: [(place: SourceLocation, id: RequestID)]] {
        var places: [String: [(place: SourceLocation, id: RequestID)]] = [:]
        for request in collection.requests {
            for expectation in request.expectations {
                places[expectation.location.path, default: []].append((expectation.location, request.id))
            }
        }
        return places.mapValues { $0.sorted { Self.isBehind($1.place, $0.place) } }
    }

    private static func isBehind(_ place: SourceLocation, _ other: SourceLocation) -> Bool {
        (place.line, place.column) > (other.line, other.column)
    }

    /// What may be meant otherwise in the files that a collection was read from. One that has gone since is left out.
    func hints(of collection: RequestCollection, onlyBlind: Bool = false) -> [CollectionProblem] {
        ExpectationHints.find(in: collection.files.keys.sorted(), onlyBlind: onlyBlind) { path in
            given[path] ?? FileManager.default.contents(atPath: path).map { Array($0) }
        }
    }

    /// What is wrong in the files, each with its place.
    var problems: [CollectionProblem] {
        collections.flatMap(\.problems)
    }

    /// Problems that belong to no request: without a message, nobody would miss what they keep from running.
    var problemsAroundRequests: [CollectionProblem] {
        collections.flatMap { collection in
            let ofRequests = Set(collection.requests.flatMap(\.problems))
            return collection.problems.filter { !ofRequests.contains($0) }
        }
    }
}
