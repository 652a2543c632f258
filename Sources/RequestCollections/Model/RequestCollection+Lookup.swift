package import NetworkLayer
import OrderedCollections
import Synchronization

extension RequestCollection {
    package func request(_ id: RequestID) -> RequestDefinition? { shared(id)?.wrappedValue }

    /// A request, sharing the memory that the tree holds it in.
    package func shared(_ id: RequestID) -> Shared<RequestDefinition>? { index.places(in: nodes).requests[id] }

    package func contains(_ id: RequestID) -> Bool { index.places(in: nodes).requests[id] != nil }

    /// The folders around a request, the nearest last.
    package func folders(around id: RequestID) -> [Folder] {
        let known = index.places(in: nodes).folders
        guard !known.isEmpty else { return [] }
        var name = Substring(id.rawValue)
        while let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) {
            name = name[..<slash]
            if let folders = known[RequestID(rawValue: String(name))] { return folders }
        }
        return []
    }

    /// All folders, in the tree's order.
    package var folders: [Folder] {
        var folders: [Folder] = []
        func collect(_ nodes: [Node]) {
            for case .folder(let folder) in nodes {
                folders.append(folder)
                collect(folder.nodes)
            }
        }
        collect(nodes)
        return folders
    }

    /// The requests whose responses give a variable a value, in the tree's order.
    func captors(of variable: String) -> [NodeIndex.Captor] { index.places(in: nodes).captors[variable] ?? [] }

    /// The ids of the requests whose responses give a variable a value.
    package func requests(capturing variable: String) -> [RequestID] { captors(of: variable).map(\.request) }

    /// The names of the cookies that some request captures as a secret: `{ from: "cookie:token-x", secret: true }`.
    package var hiddenCookies: Set<String> { index.places(in: nodes).hiddenCookies }

    /// The variables of folders and requests, with whose they are.
    var entryVariables: [(owner: RequestID, variable: VariableDefinition)] {
        folders.flatMap { folder in folder.variables.map { (folder.id, $0) } }
            + requests { !$0.variables.isEmpty }.flatMap { request in request.variables.map { (request.id, $0) } }
    }

    /// The folders and requests that give a variable a value for themselves.
    func owners(of variable: String) -> [RequestID] { entryVariables.filter { $0.variable.name == variable }.map(\.owner) }

    /// What the request and its folders say, the nearest first.
    package func variables(around definition: RequestDefinition) -> [VariableDefinition] {
        definition.variables + folders(around: definition.id).reversed().flatMap(\.variables)
    }

    /// In the file's order.
    package var environmentNames: [String] { Array(environments.keys) }

    /// All requests, in the tree's order.
    package var requests: [RequestDefinition] { requests { _ in true } }

    package var hasRequests: Bool {
        func hasRequests(_ nodes: [Node]) -> Bool {
            nodes.contains { node in
                switch node {
                case .request: true
                case .folder(let folder): hasRequests(folder.nodes)
                }
            }
        }
        return hasRequests(nodes)
    }

    /// The requests for which this holds, in the tree's order.
    package func requests(where isWanted: (RequestDefinition) -> Bool) -> [RequestDefinition] {
        sharedRequests(where: isWanted).map { $0.wrappedValue }
    }

    /// The same requests, sharing the tree's memory, so that a hundred thousand cost only a reference each.
    package func sharedRequests(where isWanted: (RequestDefinition) -> Bool) -> [Shared<RequestDefinition>] {
        var requests: [Shared<RequestDefinition>] = []
        func collect(_ nodes: [Node]) {
            for node in nodes {
                switch node {
                case .request(let request): if isWanted(request.wrappedValue) { requests.append(request) }
                case .folder(let folder): collect(folder.nodes)
                }
            }
        }
        collect(nodes)
        return requests
    }
}

extension RequestCollection.Node {
    package var id: RequestID {
        switch self {
        case .request(let request): request.id
        case .folder(let folder): folder.id
        }
    }
}

extension RequestCollection {
    /// The request that another one means by a name: `login` is a neighbour, else one of an outer folder; `orders/create` likewise.
    ///
    /// - Parameter id: who asks; `nil` for the collection itself.
    package func find(_ name: String, from id: RequestID?) -> RequestID? {
        var folder = id.map { Substring($0.rawValue) } ?? ""
        repeat {
            folder = folder.lastIndex(of: "/").map { folder[..<$0] } ?? ""
            let found = RequestID(rawValue: folder.isEmpty ? name : "\(folder)/\(name)")
            if contains(found) { return found }
        } while !folder.isEmpty
        return nil
    }

    /// "`lgin`, which isn't there; did you mean `login`?"
    package func isMissing(_ name: String) -> String {
        let ids = requests.map(\.id.rawValue)
        let lastNames = requests.map { String($0.id.name) }
        let near = suggestion(for: name, in: ids)
        return "`\(name)`, which isn't there\(near.isEmpty ? suggestion(for: name, in: lastNames) : near)"
    }
}

/// Where the requests and folders of a tree are, by their ids: found once, when somebody asks, and shared by the copies of the
/// collection. Whoever asks for each of a hundred thousand requests would else look through them as many times.
final class NodeIndex: Sendable {
    private let places = Mutex<Places?>(nil)

    struct Places: Sendable {
        fileprivate(set) var requests: [RequestID: Shared<RequestDefinition>] = [:]
        /// The folders, each with those around it; the nearest comes last.
        fileprivate(set) var folders: [RequestID: [RequestCollection.Folder]] = [:]
        /// Whether a folder has a `for-each` or a `when`: most collections have none.
        fileprivate(set) var hasLoops = false
        fileprivate(set) var hasConditions = false
        /// The captures of each variable, in the tree's order.
        fileprivate(set) var captors: [String: [Captor]] = [:]
        /// The names of the cookies that some request captures as a secret.
        fileprivate(set) var hiddenCookies: Set<String> = []
    }

    typealias Captor = (request: RequestID, capture: CaptureDefinition)

    /// - Parameter nodes: those that the index is of, whenever it is asked.
    func places(in nodes: [RequestCollection.Node]) -> Places {
        places.withLock { places in
            if let places { return places }
            var found = Places()
            found.add(nodes, inside: [])
            places = found
            return found
        }
    }
}

extension NodeIndex.Places {
    /// Where two have one id, the first counts, with all that is in it.
    fileprivate mutating func add(_ nodes: [RequestCollection.Node], inside around: [RequestCollection.Folder]) {
        for node in nodes {
            switch node {
            case .request(let request):
                if requests[request.id] == nil { requests[request.id] = request }
                hiddenCookies.formUnion(request.captures.compactMap(\.hiddenCookie))
                var names: Set<String> = []
                for capture in request.allCaptures where names.insert(capture.name).inserted {
                    captors[capture.name, default: []].append((request.id, capture))
                }
            case .folder(let folder):
                guard folders[folder.id] == nil else { continue }
                folders[folder.id] = around + [folder]
                if folder.forEach != nil { hasLoops = true }
                if folder.when != nil { hasConditions = true }
                add(folder.nodes, inside: around + [folder])
            }
        }
    }
}
