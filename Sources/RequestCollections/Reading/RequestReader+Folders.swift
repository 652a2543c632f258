extension RequestReader {
    /// The requests and folders of one file, in its order.
    func nodes(_ node: YAMLNode, under parent: RequestID?, problems: inout [CollectionProblem]) -> [RequestCollection.Node] {
        guard let pairs = node.pairs else { return [] }
        var nodes: [RequestCollection.Node] = []
        nodes.reserveCapacity(pairs.count)
        var seen: Set<String> = []
        for pair in pairs {
            guard let name = pair.key.text, seen.insert(name).inserted else { continue }
            guard !name.isEmpty, !name.contains("/") else {
                problems.append(
                    problem(pair.key, "`\(name)` can't name a request or folder: a `/` separates the levels of the tree"))
                continue
            }
            let id = RequestID(rawValue: parent.map { "\($0)/\(name)" } ?? name)
            if pair.value["requests"] != nil {
                nodes.append(.folder(folder(pair.value, id: id, key: pair.key, problems: &problems)))
            } else {
                let request = request(pair.value, id: id, key: pair.key)
                problems += request.problems
                nodes.append(.request(request))
            }
        }
        return nodes
    }

    private func folder(
        _ node: YAMLNode, id: RequestID, key: YAMLNode, problems: inout [CollectionProblem]
    ) -> RequestCollection.Folder {
        var folder = RequestCollection.Folder(id: id, location: location(key))
        readFolder(node, FormatTable.folder, into: &folder, problems: &problems)
        if let requests = node["requests"] { folder.nodes = nodes(requests, under: id, problems: &problems) }
        return folder
    }

    /// Name, description and defaults.
    func readFolder(
        _ node: YAMLNode, _ table: FormatTable, into folder: inout RequestCollection.Folder, problems: inout [CollectionProblem]
    ) {
        table.check(node, in: path, problems: &problems)
        folder.name = node["name"]?.text
        folder.description = node["description"]?.text
        if let defaults = node["defaults"] { folder.defaults = self.defaults(defaults) }
    }

    func defaults(_ node: YAMLNode) -> FolderDefaults {
        var defaults = FolderDefaults()
        for pair in node.pairs ?? [] {
            guard let name = pair.key.text else { continue }
            switch name {
            case "headers": defaults.headers = defaultRows(pair.value)
            case "query": defaults.query = defaultRows(pair.value)
            case "cookies": defaults.cookies = defaultRows(pair.value)
            case "auth":
                defaults.auth = auth(pair.value)
                defaults.places["auth"] = location(pair.key)
            default: readSetting(name, pair, into: &defaults.settings, places: &defaults.places)
            }
        }
        return defaults
    }

    private func defaultRows(_ node: YAMLNode) -> [FolderDefaults.DefaultRow] {
        var removed: Set<String> = []
        for pair in node.pairs ?? [] where pair.value.isNull { removed.insert(pair.key.text ?? "") }
        return rows(node).map { row in
            FolderDefaults.DefaultRow(
                name: row.name, value: removed.contains(row.name) ? nil : row.value, isEnabled: row.isEnabled,
                location: row.location ?? location(node))
        }
    }
}
