import OrderedCollections

extension RequestCollection {
    package func request(_ id: RequestID) -> RequestDefinition? {
        var nodes = nodes[...]
        while true {
            guard let node = nodes.first(where: { $0.contains(id) }) else { return nil }
            switch node {
            case .request(let request): return request
            case .folder(let folder): nodes = folder.nodes[...]
            }
        }
    }

    /// The folders around a request, the nearest last.
    package func folders(around id: RequestID) -> [Folder] {
        var folders: [Folder] = []
        var nodes = nodes[...]
        while case .folder(let folder)? = nodes.first(where: { $0.contains(id) }) {
            folders.append(folder)
            nodes = folder.nodes[...]
        }
        return folders
    }

    /// In the file's order.
    package var environmentNames: [String] { Array(environments.keys) }

    /// All requests, in the tree's order.
    package var requests: [RequestDefinition] {
        var requests: [RequestDefinition] = []
        func collect(_ nodes: [Node]) {
            for node in nodes {
                switch node {
                case .request(let request): requests.append(request)
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

    /// A request of this id, or a folder around it.
    fileprivate func contains(_ id: RequestID) -> Bool {
        switch self {
        case .request(let request): request.id == id
        case .folder(let folder):
            id.rawValue.utf8.starts(with: folder.id.rawValue.utf8)
                && id.rawValue.utf8.dropFirst(folder.id.rawValue.utf8.count).first == UInt8(ascii: "/")
        }
    }
}
