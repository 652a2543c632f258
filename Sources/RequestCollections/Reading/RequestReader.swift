import NetworkLayer

/// Makes definitions out of the nodes of one file. What is wrong in them is collected, and never stops the rest.
struct RequestReader {
    let path: String

    func location(_ node: YAMLNode) -> SourceLocation { node.location(in: path) }

    func problem(_ node: YAMLNode, _ message: String) -> CollectionProblem {
        CollectionProblem(location: location(node), message: message)
    }

    /// - Parameters:
    ///   - key: the request's name in a file with several; its place is then the request's.
    func request(_ node: YAMLNode, id: RequestID, key: YAMLNode? = nil) -> RequestDefinition {
        var request = RequestDefinition(id: id, method: "GET", url: "", location: location(key ?? node))
        guard let pairs = node.pairs else {
            request.problems = [
                problem(key ?? node, "the request `\(id)` takes a map such as `get: https://example.com/`, not \(node.kind)")
            ]
            return request
        }
        FormatTable.request.check(node, in: path, problems: &request.problems)
        for pair in pairs {
            guard let name = pair.key.text else { continue }
            read(name, pair, into: &request)
        }
        readTarget(node, pairs, into: &request)
        checkFlow(of: &request)
        checkSession(of: &request)
        checkQuery(of: &request)
        return request
    }

    private func read(_ name: String, _ pair: YAMLPair, into request: inout RequestDefinition) {
        if let key = RequestKey[name] {
            key.read(self, pair, &request)
        } else if let setting = SettingNode.named(name) {
            var settings = request.settings
            read(setting, pair, into: &settings, places: &request.places)
            request.settings = settings
        }
    }

    /// The method and the URL: `get: URL`, or `method:` and `url:`.
    private func readTarget(_ node: YAMLNode, _ pairs: [YAMLPair], into request: inout RequestDefinition) {
        // `query` is parameters when it is a map, and a method when it is a URL.
        let short = pairs.indices.filter { index in
            pairs[index].key.text.map(FormatTable.methods.contains) == true && pairs[index].value.pairs == nil
        }.map { pairs[$0] }
        let method = node.has("method") ? pairs.first { $0.key.text == "method" } : nil
        let url = node.has("url") ? pairs.first { $0.key.text == "url" } : nil
        if let first = short.first {
            request.method = (first.key.text ?? "get").uppercased()
            request.url = first.value.text ?? ""
            request.places["url"] = location(first.value)
            if short.count > 1, short[1].key.text != first.key.text {
                request.problems.append(
                    problem(
                        short[1].key,
                        "both `\(first.key.text ?? "")` and `\(short[1].key.text ?? "")` are there; a request has one method"))
            } else if let other = method ?? url {
                request.problems.append(
                    problem(
                        other.key,
                        "`\(other.key.text ?? "")` can't stand beside `\(first.key.text ?? "")`, which says method and URL"))
            }
            return
        }
        guard let url, let method else {
            let message =
                if url != nil {
                    "`url` is there without `method`"
                } else if method != nil {
                    "`method` is there without `url`"
                } else {
                    "the request has no URL; give it one with its method, such as `get: https://example.com/`"
                }
            request.problems.append(CollectionProblem(location: request.location, message: message))
            return
        }
        request.method = method.value.text ?? "GET"
        request.url = url.value.text ?? ""
        request.places["url"] = location(url.value)
        if !isToken(request.method) {
            request.problems.append(
                problem(method.value, "`\(request.method)` can't be a method; it takes letters, digits and !#$%&'*+-.^_`|~"))
        }
    }

    /// Named values in the file's order; a list is several rows of one name.
    func rows(_ node: YAMLNode) -> [RequestDefinition.Row] {
        node.pairs?.flatMap { pair -> [RequestDefinition.Row] in
            guard let name = pair.key.text else { return [] }
            guard let items = pair.value.items else { return [row(name, pair.value, location(pair.key))] }
            return items.map { row(name, $0, location($0)) }
        } ?? []
    }

    private func row(_ name: String, _ node: YAMLNode, _ location: SourceLocation) -> RequestDefinition.Row {
        if node.pairs != nil {
            let value = node["value"]
            return RequestDefinition.Row(
                name: name, value: value?.isNull == false ? value?.text ?? "" : "", isEnabled: node["enabled"]?.boolean ?? true,
                location: location)
        }
        return RequestDefinition.Row(
            name: name, value: node.isNull ? "" : node.text ?? "", isEnabled: !node.isNull, location: location)
    }
}

/// Whether a text can be a method or a header's name: RFC 9110, section 5.6.2.
func isToken(_ text: String) -> Bool {
    !text.isEmpty
        && text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
            default: false
            }
        }
}

extension RequestReader {
    /// One key of ``SettingNode/all``. What has the wrong form was reported by the table's check, and is skipped here.
    func read(
        _ node: SettingNode, _ pair: YAMLPair, into settings: inout RequestSettings, places: inout KeyPlaces
    ) {
        if let field = node.field {
            field.read(pair.value, into: &settings)
            places[field.key] = location(pair.key)
        }
        guard !node.children.isEmpty else { return }
        for pair in pair.value.pairs ?? [] {
            guard let child = node.children.first(where: { $0.name == pair.key.text }) else { continue }
            read(child, pair, into: &settings, places: &places)
        }
    }
}

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
