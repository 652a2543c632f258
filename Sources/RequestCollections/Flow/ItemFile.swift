import Base
import NetworkLayer

/// `for-each: { user: { file: users.csv } }`
///
/// | ending                 | an item                                                      |
/// |------------------------|--------------------------------------------------------------|
/// | `.csv`, `.tsv`         | a map: the first row has the names, and its cells are texts  |
/// | `.json`                | a member of the list                                         |
/// | `.jsonl`, `.ndjson`    | a line's value                                               |
/// | `.txt`                 | a line that isn't empty                                      |
///
/// `csv`, `json` or `lines` in place of `file` says what it is, whatever its name.
package struct ItemFile: Hashable, Sendable, Codable {
    /// Relative to the file that names it.
    package var path: String
    /// What it is; `nil`: what its name says.
    package var kind: Kind? = nil
    /// Where the list is in JSON, as a path such as `.users`; `nil`: it is the whole.
    package var place: String? = nil
    /// What the cells of some columns are; those of the others are texts.
    package var types: [ColumnType]? = nil

    package struct ColumnType: Hashable, Sendable, Codable {
        package var column: String
        package var type: CellType
    }

    package enum CellType: String, Hashable, Sendable, Codable, CaseIterable {
        case text, number, boolean, json
    }

    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable { case csv, json, lines }

    /// The keys that name a file.
    static let words = ["file"] + Kind.allCases.map(\.rawValue)

    enum Format: Hashable, Sendable { case rows, json, jsonLines, lines }

    /// `nil` when nothing says what it is.
    var format: Format? {
        switch kind {
        case .csv: return .rows
        case .json: return Self.format(of: path) == .jsonLines ? .jsonLines : .json
        case .lines: return .lines
        case nil: return Self.format(of: path)
        }
    }

    private static func format(of path: String) -> Format? {
        switch path.split(separator: ".").last?.lowercased() {
        case "csv", "tsv": .rows
        case "json": .json
        case "jsonl", "ndjson": .jsonLines
        case "txt": .lines
        default: nil
        }
    }

    /// - Throws: with the line of the file that is wrong.
    func items(in text: String) throws(DataRows.Problem) -> [JSONValue] {
        switch format {
        case .rows: try typed(DataRows(text, .csv).rows).map { .object($0.cells) }
        case .json: try list(in: text)
        case .jsonLines: try DataRows.jsonLines(text).map(\.value)
        case .lines, nil:
            DataRows.withoutMark(text).lines.filter { $0.unicodeScalars.contains { !$0.properties.isWhitespace } }.map {
                .string(String($0))
            }
        }
    }

    /// An empty cell of a type has no value.
    private func typed(_ rows: [DataRows.Row]) throws(DataRows.Problem) -> [DataRows.Row] {
        guard let types, let first = rows.first else { return rows }
        let columns = first.cells.map(\.name)
        for type in types where !columns.contains(type.column) {
            let near = suggestion(for: type.column, in: columns)
            throw DataRows.Problem(
                line: 1, message: "`types` names the column `\(type.column)`, which isn't there\(near)")
        }
        var rows = rows
        for row in rows.indices {
            for type in types {
                guard let cell = rows[row].cells.firstIndex(where: { $0.name == type.column }),
                    let text = rows[row].cells[cell].value.string
                else { continue }
                guard let value = type.type.value(of: text) else {
                    throw DataRows.Problem(
                        line: rows[row].line, message: "`\(type.column)` is `\(text.prefix(60))`, and no \(type.type.noun)")
                }
                rows[row].cells[cell].value = value
            }
        }
        return rows
    }

    private func list(in text: String) throws(DataRows.Problem) -> [JSONValue] {
        let text = DataRows.withoutMark(text)
        guard let whole = JSONParser.parse(text) else { throw DataRows.Problem(line: 1, message: "this is not JSON") }
        guard let place else {
            if case .array(let items) = whole { return items }
            throw DataRows.Problem(line: 1, message: "this is no list; `at` says where the list is, as in `at: .users`")
        }
        do throws(JSONFilterError) {
            if case .array(let items)? = try JSONFilter(place).values(in: Data(text.utf8)).first { return items }
        } catch {
            throw DataRows.Problem(line: 1, message: "`\(place)` can't be looked for: \(error)")
        }
        throw DataRows.Problem(line: 1, message: "there is no list at `\(place)`")
    }
}

extension ItemFile.CellType {
    /// - Returns: `nil` for a text that is none.
    fileprivate func value(of cell: String) -> JSONValue? {
        let text = String(cell[...].trimmed)
        if self == .text { return .string(cell) }
        if text.isEmpty { return .null }
        let value = JSONParser.parse(text)
        switch (self, value) {
        case (.number, .number?), (.boolean, .boolean?), (.json, .some): return value
        default: return nil
        }
    }

    fileprivate var noun: String {
        switch self {
        case .text: "text"
        case .number: "number"
        case .boolean: "`true` or `false`"
        case .json: "JSON"
        }
    }
}

extension RequestCollection {
    /// The same with the items that files give, as a run goes through them: those are read once, before anything is sent.
    ///
    /// What has something wrong in its file has that as a problem, and isn't sent.
    ///
    /// - Parameter requests: whose items are read; `nil`: all.
    /// - Returns: also what nobody has allowed to be read: that has no items, and no problem either.
    package func readingItems(
        by trust: Trust, for requests: Set<RequestID>? = nil
    ) -> (collection: RequestCollection, refused: [NotedWant]) {
        guard hasItemFiles else { return (self, []) }
        var reader = ItemReader(self, by: trust, for: requests)
        var copy = self
        copy.nodes = reader.reading(copy.nodes)
        return (copy, trust.open(reader.scope?.wants ?? []))
    }

    /// The first loop around a request whose file wasn't read, since nobody has allowed that, as the failure that it is.
    package func refusal(of definition: RequestDefinition) -> ResolutionError? {
        loops(of: definition).map(\.definition).first { $0.file != nil && $0.items.isEmpty }.flatMap { loop in
            var scope = try? VariableScope(self, environment: nil, given: [:], sources: TemplateEnvironment())
            scope?.itemFile(of: loop)
            return scope.flatMap { $0.wants.isEmpty ? nil : ResolutionError(refused: $0.wants, by: .nothing, in: self) }
        }
    }

    /// Whether anything in it is sent for what a file holds.
    package var hasItemFiles: Bool { hasLoop { loop in loop.all.contains { $0.file != nil } } }

    /// Whether anything in it is sent once for each of several items.
    package var hasLoops: Bool { hasLoop { _ in true } }

    private func hasLoop(where isWanted: (ForEachDefinition) -> Bool) -> Bool {
        func isThere(_ nodes: [Node]) -> Bool {
            nodes.contains { node in
                switch node {
                case .request(let request): request.forEach.map(isWanted) ?? false
                case .folder(let folder): folder.forEach.map(isWanted) ?? false || isThere(folder.nodes)
                }
            }
        }
        return isThere(nodes)
    }
}

/// A walk through all that has a `for-each`.
private struct ItemReader {
    var scope: VariableScope?
    let requests: Set<RequestID>?

    init(_ collection: RequestCollection, by trust: Trust, for requests: Set<RequestID>?) {
        scope = try? VariableScope(collection, environment: nil, given: [:], sources: TemplateEnvironment(trust: trust))
        self.requests = requests
    }

    /// - Parameter problem: of a folder around them.
    mutating func reading(_ nodes: [RequestCollection.Node], problem: CollectionProblem? = nil) -> [RequestCollection.Node] {
        var nodes = nodes
        for index in nodes.indices {
            switch nodes[index] {
            case .request(let shared):
                guard requests?.contains(shared.id) ?? true else { continue }
                var request = shared.wrappedValue
                if let problem = read(&request.forEach) ?? problem { request.problems.append(problem) }
                nodes[index] = .request(request)
            case .folder(var folder):
                guard requests?.contains(where: { $0.rawValue.hasPrefix(folder.id.rawValue + "/") }) ?? true else { continue }
                let problem = read(&folder.forEach) ?? problem
                folder.nodes = reading(folder.nodes, problem: problem)
                nodes[index] = .folder(folder)
            }
        }
        return nodes
    }

    private mutating func read(_ loop: inout ForEachDefinition?) -> CollectionProblem? {
        guard var read = loop else { return nil }
        var problem = self.read(items: &read)
        for index in read.inner.indices { problem = problem ?? self.read(items: &read.inner[index]) }
        loop = read
        return problem
    }

    private mutating func read(items loop: inout ForEachDefinition) -> CollectionProblem? {
        guard loop.file != nil else { return nil }
        do throws(ResolutionError) {
            if let items = try scope?.items(of: loop) { loop.items = items }
            return nil
        } catch {
            return CollectionProblem(location: error.location ?? loop.location, message: error.message)
        }
    }
}
