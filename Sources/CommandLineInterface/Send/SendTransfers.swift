import NetworkLayer

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
                throw CommandFailure(
                    status: .usage, message: "--etag-save and --etag-compare are for one URL, and there are several.")
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
