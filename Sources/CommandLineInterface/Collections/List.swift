import ArgumentParser
import Base
import NetworkLayer
import Presentation
import RequestCollections

/// `turnstone list`.
struct List: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the requests of a collection.",
        discussion: """
            Without a collection it takes ./Collections, otherwise the nearest Collections above. A name is that of a request or a folder,
            or a pattern with * and ?.

            Examples:
              turnstone list                            everything here
              turnstone list shop.yaml                  one collection
              turnstone list shop.yaml 'orders/*'       a part of it
              turnstone list --tag smoke --names        names only, one a line
              turnstone list --json | jq '.[].requests[].url'
            """)

    @Argument(help: ArgumentHelp("A collection, then names, folders or patterns.", valueName: "COLLECTION|NAME"))
    var words: [String] = []

    @Option(name: .long, help: ArgumentHelp("Only requests with this tag. Repeatable.", valueName: "TAG"))
    var tag: [String] = []

    @Flag(help: "Print names only, one a line.")
    var names = false

    @Flag(help: "Print JSON.")
    var json = false

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let choice = try CollectionChoice(words, environment: context.environment, input: context.standardInput)
        try choice.warn(in: context)
        try choice.warnOfFiles(in: context)
        let selection = RequestSelection(names: choice.names, tags: tag)
        if let complaint = selection.complaint(about: choice.collections) {
            throw CommandFailure(.usage, complaint)
        }
        if json {
            try context.standardOutput.print(json: choice.collections.map { ListedCollection($0, selection) })
        } else if names {
            for collection in choice.collections {
                try print(selection.requests(of: collection).map { SafeText.line($0.id.rawValue) }, in: context)
            }
        } else {
            for (index, collection) in choice.collections.enumerated() {
                if index > 0 { try context.standardOutput.print("") }
                try print(RequestListing(collection, selection).lines, in: context)
            }
        }
        for problem in choice.problems { try context.note(problem) }
        return choice.problems.isEmpty ? .success : .usage
    }
}

extension List {
    /// Prints all lines in one piece, since there may be 100,000.
    private func print(_ lines: [String], in context: CommandLineContext) throws {
        if !lines.isEmpty { try context.standardOutput.print(lines.joined(separator: "\n")) }
    }
}

/// The tree of a collection, as lines.
struct RequestListing {
    private(set) var lines: [String] = []
    private var rows: [Row] = []

    private struct Row {
        var name: String
        var method: String?
        var rest: String
    }

    init(_ collection: RequestCollection, _ selection: RequestSelection) {
        add(collection.nodes, depth: 0, selection)
        let environments = collection.environmentNames
        let suffix = environments.isEmpty ? "" : "  [\(environments.joined(separator: ", "))]"
        lines = [SafeText.line("\(collection.name)  \(collection.path)\(suffix)")]
        let width = min(40, rows.filter { $0.method != nil }.map(\.name.count).max() ?? 0)
        let methods = rows.compactMap { $0.method?.count }.max() ?? 0
        for row in rows {
            guard let method = row.method else {
                lines.append(SafeText.line(row.name))
                continue
            }
            lines.append(SafeText.line("\(Self.padded(row.name, width))  \(Self.padded(method, methods))  \(row.rest)"))
        }
    }

    /// Folders without anything selected are left out.
    private mutating func add(_ nodes: [RequestCollection.Node], depth: Int, _ selection: RequestSelection) {
        let indent = String(repeating: "  ", count: depth + 1)
        for node in nodes {
            switch node {
            case .request(let request):
                guard selection.includes(request.wrappedValue) else { continue }
                let tags = request.tags.map { " #\($0)" }.joined()
                let mark = request.problems.isEmpty ? "" : "  (broken)"
                rows.append(Row(name: indent + request.id.name, method: request.method, rest: request.shownURL + tags + mark))
            case .folder(let folder):
                let before = rows.count
                rows.append(Row(name: "\(indent)\(folder.id.name)/", rest: ""))
                add(folder.nodes, depth: depth + 1, selection)
                if rows.count == before + 1 { rows.removeLast() }
            }
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

/// What `list --json` prints of a collection.
struct ListedCollection: Encodable, Hashable {
    var name: String
    var path: String
    var environments: [String]
    var requests: [Request]

    struct Request: Encodable, Hashable {
        var id: String
        var name: String?
        var description: String?
        var method: String
        var url: String
        var tags: [String]
        var path: String
        var line: Int
    }

    init(_ collection: RequestCollection, _ selection: RequestSelection) {
        name = collection.name
        path = collection.path
        environments = collection.environmentNames
        requests = selection.requests(of: collection).map { request in
            Request(
                id: request.id.rawValue, name: request.name, description: request.description, method: request.method,
                url: request.shownURL, tags: request.tags, path: request.location.path, line: request.location.line)
        }
    }
}
