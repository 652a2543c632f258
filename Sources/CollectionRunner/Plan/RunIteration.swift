import NetworkLayer
package import RequestCollections

/// One item of a loop: a row of `run --data`, or an item of `for-each`.
package struct RunIteration: Hashable, Sendable {
    package var scope: Scope
    /// From 0.
    package var index: Int
    /// `user=ada`: what tells it from the others, each of which has another one.
    package var name: String
    package var variables: [String: JSONValue]
    /// How many items of the loop are under way at a time, at most; `nil`: the loop doesn't say.
    var jobs: Int? = nil

    package enum Scope: Hashable, Sendable, CustomStringConvertible {
        /// All that is run.
        case data
        /// A request, or a folder, and the variable of its loop: there may be several.
        case loop(RequestID, String)

        package var description: String {
            switch self {
            case .data: "a column of --data"
            case .loop(let scope, _): "the `for-each` of `\(scope)`"
            }
        }

        /// Whether a request is sent for its items.
        func includes(_ request: RequestID) -> Bool {
            switch self {
            case .data: true
            case .loop(let scope, _): scope == request || request.rawValue.hasPrefix(scope.rawValue + "/")
            }
        }
    }
}

extension RunIteration {
    /// One for each row.
    ///
    /// A row is called by its first column that is no credential by its name; where that says too little, by its number.
    ///
    /// - Parameter secrets: the variables that the collections call secrets.
    package static func iterations(of data: DataRows, hiding secrets: Set<String> = []) -> [RunIteration] {
        named(data.rows.map { (name($0.cells, hiding: secrets), $0.values) }, in: .data, jobs: nil)
    }

    static func iterations(of loop: RequestLoop, hiding secrets: Set<String>) -> [RunIteration] {
        let definition = loop.definition
        return named(
            definition.items.enumerated().map { index, item in
                (name(of: item, at: index, in: definition, hiding: secrets), definition.variables(of: item))
            }, in: .loop(loop.scope, definition.variable), jobs: definition.jobs)
    }

    private static func name(
        of item: JSONValue, at index: Int, in loop: ForEachDefinition, hiding secrets: Set<String>
    ) -> String? {
        guard !secrets.contains(loop.variable) else { return nil }
        if let title = loop.title(of: item, at: index), !title.isEmpty { return shortened(title) }
        return name(item.scalar == nil ? item.members : [.init(name: loop.variable, value: item)], hiding: [])
    }

    /// The iterations over a list that an answer gave.
    static func iterations(of items: [JSONValue], in loop: ForEachDefinition, for job: RunJob) -> [RunIteration] {
        var loop = RequestLoop(scope: job.definition.id, definition: loop)
        loop.definition.items = items
        return iterations(of: loop, hiding: job.collection.secretNames)
    }

    /// - Parameter page: from 1.
    init(page: Int, _ value: JSONValue, in loop: ForEachDefinition, for job: RunJob) {
        let title = loop.title(of: value, at: page - 1).map(Self.shortened)
        self.init(
            scope: .loop(job.definition.id, loop.variable), index: page - 1, name: title.map { "\($0)#\(page)" } ?? "\(page)",
            variables: loop.variables(of: value))
    }

    private static func name(_ cells: [JSONValue.Member], hiding secrets: Set<String>) -> String? {
        cells.lazy.filter { !secrets.contains($0.name) }.compactMap(name).first
    }

    private static func named(
        _ items: [(name: String?, variables: [String: JSONValue])], in scope: Scope, jobs: Int?
    ) -> [RunIteration] {
        var known: Set<String> = []
        return items.enumerated().map { index, item in
            var name = item.name ?? "\(index + 1)"
            if !known.insert(name).inserted {
                name += "#\(index + 1)"
                known.insert(name)
            }
            return RunIteration(scope: scope, index: index, name: name, variables: item.variables, jobs: jobs)
        }
    }

    /// In characters.
    private static let longestValue = 60

    /// - Returns: `nil` for what must not or can't be shown in a line.
    private static func name(_ cell: JSONValue.Member) -> String? {
        guard !Redaction.standard.redacts(parameter: cell.name), let text = cell.value.scalar, !text.isEmpty else { return nil }
        return "\(cell.name)=\(shortened(text))"
    }

    private static func shortened(_ text: String) -> String {
        text.count > longestValue ? "\(text.prefix(longestValue))…" : text
    }
}

extension RunJob {
    /// The loops whose item isn't chosen yet, the outermost first. What couldn't be read has none.
    var openLoops: [RequestLoop] {
        collection.loops(of: definition).filter { loop in
            !loop.definition.items.isEmpty && !iterations.contains { $0.scope == .loop(loop.scope, loop.definition.variable) }
        }
    }

    func job(for iteration: RunIteration) -> RunJob {
        var job = self
        job.iterations.append(iteration)
        return job
    }
}
