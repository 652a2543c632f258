/// Folders for requests that no tag sorts: by the first segment that tells their paths apart.
enum PathFolders {
    /// - Parameter requests: each with its path, `/v1/orders/{id}`.
    static func nodes(_ requests: [(path: String, request: ImportedRequest)]) -> [ImportedNode] {
        let names = folders(requests.map(\.path))
        let counts = Dictionary(names.compactMap(\.self).map { ($0, 1) }, uniquingKeysWith: +)
        let flat = requests.map { ImportedNode.request($0.request) }
        // One folder with all in it sorts nothing.
        guard counts.count > 1, counts.values.contains(where: { $0 > 1 }) else { return flat }
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

    /// `nil` for a path that begins with a parameter, or has nothing of its own.
    private static func folders(_ paths: [String]) -> [String?] {
        let segments = paths.map { $0.split(separator: "/").map(String.init) }
        guard let first = segments.first else { return [] }
        let shared = first.indices.prefix { index in segments.allSatisfy { $0.count > index + 1 && $0[index] == first[index] } }
            .count
        return segments.map { own in
            // Versions sort by age, not by what is meant.
            let name = own.dropFirst(shared).first { $0.wholeMatch(of: /v\d[\d.]*|api/) == nil }
            return name.flatMap { $0.contains("{") ? nil : $0 }
        }
    }
}
