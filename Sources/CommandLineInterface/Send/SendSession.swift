import Base
import Interchange
import NetworkLayer
import Synchronization

/// What the transfers of one command line have in common: connections, cookies, and the files that all of them write to.
final class SendSession: Sendable {
    let jars: CookieJars
    private let state = Mutex(State())

    private struct State {
        var queue: RequestOperationQueue?
        /// The queue whose client has a cache for answers.
        var cachingQueue: RequestOperationQueue?
        var strictHosts: [String: StrictHosts] = [:]
        var dumps: [String: any ByteOutput] = [:]
        var readCookieFiles: Set<String> = []
        var exchanges: [HARDocument.Exchange] = []
        var redactor = Redactor()
    }

    init(jars: CookieJars = CookieJars()) { self.jars = jars }

    func queue(cache: ResponseCache?, in context: CommandLineContext) throws -> RequestOperationQueue {
        try state.withLock { state in
            if let known = cache == nil ? state.queue : state.cachingQueue { return known }
            let queue = try RequestOperationQueue(
                identifier: "turnstone.send", client: context.client(cookies: jars, cache: cache))
            if cache == nil { state.queue = queue } else { state.cachingQueue = queue }
            return queue
        }
    }

    /// The file of `-D`, which each transfer adds to.
    func dump(_ path: String) throws -> any ByteOutput {
        try state.withLock { state in
            if let output = state.dumps[path] { return output }
            let output = try FileOutput(path: path)
            state.dumps[path] = output
            return output
        }
    }

    /// The list of `--hsts`, which all transfers share.
    ///
    /// - Parameter path: of a file that needn't be there yet; empty for a list in memory.
    func strictHosts(_ path: String, reading files: InputFiles) throws -> StrictHosts {
        try state.withLock { state in
            if let hosts = state.strictHosts[path] { return hosts }
            let hosts = StrictHosts(path.isEmpty || !FilePaths.exists(path) ? "" : try files.text(path))
            state.strictHosts[path] = hosts
            return hosts
        }
    }

    /// - Returns: whether it is the first time.
    func reads(cookieFile path: String) -> Bool { state.withLock { $0.readCookieFiles.insert(path).inserted } }

    /// - Returns: all exchanges so far, and a redactor for their secrets.
    func add(_ exchange: HARDocument.Exchange, hiding redactor: Redactor) -> ([HARDocument.Exchange], Redactor) {
        state.withLock { state in
            state.exchanges.append(exchange)
            state.redactor = state.redactor.union(redactor)
            return (state.exchanges, state.redactor)
        }
    }
}

/// Input that each transfer can read from its beginning, as `-d @-` of several URLs does.
final class RepeatedInput: ByteInput {
    private let input: any ByteInput
    private let whole = Mutex<Data?>(nil)
    /// The contents of pipes, by path: pipes can be read only once, too.
    private let pipes = Mutex<[String: RepeatedInput]>([:])

    init(_ input: any ByteInput) {
        self.input = input
    }

    var isTerminal: Bool { input.isTerminal }

    func read(atMost limit: Int) throws(InputFailure) -> Data { try input.read(atMost: limit) }

    /// - Parameter path: of a file that isn't a regular one.
    func pipe(_ path: String) throws(InputFailure) -> RepeatedInput {
        try pipes.withLock { pipes throws(InputFailure) in
            if let known = pipes[path] { return known }
            let input = RepeatedInput(try FileInput(path: path))
            pipes[path] = input
            return input
        }
    }

    func readToEnd() throws(InputFailure) -> Data {
        try whole.withLock { whole throws(InputFailure) in
            if let whole { return whole }
            let bytes = try input.readToEnd()
            whole = bytes
            return bytes
        }
    }
}

/// The transfers of a command line, one after another: for each URL that it names, and for each that a pattern stands for.
struct SendTransfers: Sequence {
    private var sources: [Source] = []

    fileprivate struct Source {
        var arguments: SendArguments
        var output: SendArguments.Output?
        var urls: URLGlob?
        /// Each of them goes to each URL.
        var uploads: URLGlob?

        var count: Int { (urls?.count ?? 1) * (uploads?.count ?? 1) }
    }

    /// - Parameter groups: what stands between one `--next` and another. One without a URL makes a transfer without one, for which
    ///   nothing can be sent.
    init(_ groups: [SendArguments]) throws {
        for var group in groups {
            let targets = group.targets
            group.targets = []
            let known = targets.filter { $0.url != nil }
            group.hasSurplusOutput = targets.contains { $0.url == nil && $0.output != nil }
            for target in known.isEmpty ? [SendArguments.Target(upload: targets.first?.upload)] : known {
                sources.append(
                    Source(
                        arguments: group, output: target.output ?? (group.usesRemoteNames ? .remoteName : nil),
                        urls: try target.url.map { try URLGlob($0, isLiteral: group.isLiteralURL) },
                        uploads: try target.upload.map { try URLGlob($0, isLiteral: group.isLiteralURL) }))
            }
            guard group.etagSave == nil && group.etagCompare == nil || known.count <= 1 && (sources.last?.count ?? 1) == 1 else {
                throw CommandFailure(.usage, "--etag-save and --etag-compare are for one URL, and there are several.")
            }
        }
    }

    var count: Int { sources.reduce(0) { $0 + $1.count } }

    func makeIterator() -> Iterator { Iterator(sources: sources) }

    struct Iterator: IteratorProtocol {
        fileprivate let sources: [Source]
        private var source = 0
        private var index = 0

        fileprivate init(sources: [Source]) {
            self.sources = sources
        }

        mutating func next() -> SendArguments? {
            while source < sources.count, index == sources[source].count {
                source += 1
                index = 0
            }
            guard source < sources.count else { return nil }
            defer { index += 1 }
            return sources[source].transfer(index, number: source)
        }
    }
}

extension SendTransfers.Source {
    fileprivate func transfer(_ index: Int, number: Int) -> SendArguments {
        var arguments = arguments
        let urlCount = urls?.count ?? 1
        let url = urls?.text(at: index % urlCount)
        arguments.number = number
        arguments.url = url?.text
        arguments.upload = uploads?.text(at: index / urlCount).text
        switch output {
        case .file(let name): arguments.output = Self.filled(name, url?.values ?? [])
        case .remoteName: arguments.usesRemoteName = true
        case nil: break
        }
        return arguments
    }

    /// `page_#1.html` with what stands for the first pattern of the URL.
    private static func filled(_ name: String, _ values: [String]) -> String {
        name.replacing(/#([0-9]+)/) { match in
            guard let number = Int(match.1), values.indices.contains(number - 1) else { return String(match.0) }
            return values[number - 1]
        }
    }
}
