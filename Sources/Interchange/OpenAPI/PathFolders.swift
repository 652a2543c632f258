import RequestCollections

/// Folders for requests that no tag sorts: by the first segment that tells their paths apart.
enum PathFolders {
    /// - Parameter requests: each with its path, `/v1/orders/{id}`.
    static func nodes(_ requests: [(path: String, request: ImportedRequest)]) -> [ImportedNode] {
        let segments = requests.map { $0.path.split(separator: "/").map(String.init) }
        let shared = sharedCount(segments)
        let names = segments.map { folder(of: $0.dropFirst(shared)) }
        let counts = Dictionary(names.compactMap(\.self).map { ($0, 1) }, uniquingKeysWith: +)
        // A single folder with everything in it sorts nothing.
        guard counts.count > 1, counts.values.contains(where: { $0 > 1 }) else { return requests.map { .request($0.request) } }
        let flat = zip(requests, segments).map { pair, segments in
            var request = pair.request
            let method = request.definition.method.lowercased()
            // Nor does a key that is made of the path need what all paths begin with.
            if request.key == "\(method) \(pair.path)" {
                request.key = "\(method) \(segments.dropFirst(shared).joined(separator: "/"))"
            }
            return ImportedNode.request(request)
        }
        var nodes: [ImportedNode] = []
        var indices: [String: Int] = [:]
        for (node, name) in zip(flat, names) {
            guard let name, counts[name] ?? 0 > 1 else {
                nodes.append(node)
                continue
            }
            let index = indices[name] ?? nodes.count
            if indices[name] == nil {
                indices[name] = index
                nodes.append(.folder(ImportedFolder(name: name)))
            }
            if case .folder(var folder) = nodes[index] {
                folder.nodes.append(node)
                nodes[index] = .folder(folder)
            }
        }
        return nodes
    }

    /// How many segments all paths begin with, and none ends with.
    private static func sharedCount(_ paths: [[String]]) -> Int {
        guard let first = paths.first else { return 0 }
        return first.indices.prefix { index in paths.allSatisfy { $0.count > index + 1 && $0[index] == first[index] } }.count
    }

    /// `nil` for a path that begins with a parameter, or has nothing of its own.
    private static func folder(of segments: ArraySlice<String>) -> String? {
        // A version says how old a path is, not what it is about.
        let name = segments.first { $0.wholeMatch(of: /v\d[\d.]*|api/) == nil }
        return name.flatMap { $0.contains("{") ? nil : $0 }
    }
}
