extension RequestReader {
    /// The requests and folders of one file, in its order.
    func nodes(_ node: YAMLNode, under parent: RequestID?, problems: inout [CollectionProblem]) -> [RequestCollection.Node] {
        guard let pairs = node.pairs else { return [] }
        node.checkNames(in: path, problems: &problems)
        var seen: Set<String> = []
        let distinct = pairs.indices.filter { index in pairs[index].key.text.map { seen.insert($0).inserted } ?? false }
        let read = concurrentMap(distinct.count, pieceSize: 16) { index in
            var problems: [CollectionProblem] = []
            return (node: self.node(pairs[distinct[index]], under: parent, problems: &problems), problems: problems)
        }
        problems += read.flatMap(\.problems)
        return read.compactMap(\.node)
    }

    private func node(
        _ pair: YAMLPair, under parent: RequestID?, problems: inout [CollectionProblem]
    ) -> RequestCollection.Node? {
        let name = pair.key.text ?? ""
        guard !name.isEmpty, !name.contains("/") else {
            problems.append(problem(pair.key, "`\(name)` can't name a request or folder: a `/` separates the levels of the tree"))
            return nil
        }
        let id = RequestID(rawValue: parent.map { "\($0)/\(name)" } ?? name)
        if pair.value.has("requests") { return .folder(folder(pair.value, id: id, key: pair.key, problems: &problems)) }
        let request = request(pair.value, id: id, key: pair.key)
        problems += request.problems
        return .request(request)
    }

    private func folder(
        _ node: YAMLNode, id: RequestID, key: YAMLNode, problems: inout [CollectionProblem]
    ) -> RequestCollection.Folder {
        var folder = RequestCollection.Folder(id: id, location: location(key))
        readFolder(node, FormatTable.folder, into: &folder, problems: &problems)
        if let requests = node["requests"] { folder.nodes = nodes(requests, under: id, problems: &problems) }
        return folder
    }

    /// All but what is in it.
    func readFolder(
        _ node: YAMLNode, _ table: FormatTable, into folder: inout RequestCollection.Folder, problems: inout [CollectionProblem]
    ) {
        table.check(node, in: path, problems: &problems)
        folder.name = node["name"]?.text
        folder.description = node["description"]?.text
        for pair in node.pairs ?? [] {
            switch pair.key.text {
            case "variables": folder.variables = variables(pair.value, problems: &problems)
            case "when": folder.when = when(pair, problems: &problems)
            case "for-each": folder.forEach = forEach(pair, isFolder: true, problems: &problems)
            default: break
            }
        }
        if let defaults = node["defaults"] { folder.defaults = self.defaults(defaults, problems: &problems) }
        folder.steps = steps(node)
    }

    func steps(_ node: YAMLNode) -> FolderSteps {
        FolderSteps(setUp: node["set-up"].map(needs) ?? [], tearDown: node["tear-down"].map(needs) ?? [])
    }

    func defaults(_ node: YAMLNode, problems: inout [CollectionProblem]) -> FolderDefaults {
        var defaults = FolderDefaults()
        for pair in node.pairs ?? [] {
            guard let name = pair.key.text else { continue }
            switch name {
            case "headers": defaults.headers = defaultRows(pair.value)
            case "query": defaults.query = defaultRows(pair.value)
            case "cookies": defaults.cookies = defaultRows(pair.value)
            case "auth":
                defaults.auth = auth(pair.value, problems: &problems)
                defaults.places["auth"] = location(pair.key)
            default:
                guard let setting = SettingNode.named(name) else { continue }
                var settings = defaults.settings
                read(setting, pair, into: &settings, places: &defaults.places)
                defaults.settings = settings
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
