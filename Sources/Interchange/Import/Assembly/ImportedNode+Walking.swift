import NetworkLayer
import RequestCollections

extension ImportedCollection {
    /// Those of the collection, of its environments, of folders and of requests.
    ///
    /// - Parameter change: also gets whose they are: an environment's name, or the names down to a folder or request; empty for the
    ///   collection's own.
    mutating func forEachVariable(_ change: (inout ImportedVariable, _ owner: String) -> Void) {
        func each(_ variables: inout [ImportedVariable], of owner: String) {
            for index in variables.indices { change(&variables[index], owner) }
        }
        each(&variables, of: "")
        for index in environments.indices { each(&environments[index].variables, of: environments[index].name) }
        nodes.forEachFolder { folder, path in each(&folder.variables, of: path.place) }
        nodes.forEachRequest { request, path in each(&request.variables, of: path.place) }
    }

    /// Changes every text that may have templates.
    ///
    /// - Parameter change: also gets whose text it is, as in ``forEachVariable(_:)``.
    mutating func mapTexts(_ change: (_ text: String, _ owner: String) -> String) {
        forEachVariable { variable, owner in variable.mapTexts { change($0, owner) } }
        auth = auth?.mapTexts { change($0, "") }
        headers.mapTexts { change($0, "") }
        nodes.forEachFolder { folder, path in
            folder.auth = folder.auth?.mapTexts { change($0, path.place) }
            folder.headers.mapTexts { change($0, path.place) }
        }
        nodes.forEachRequest { request, path in request.definition.mapTexts { change($0, path.place) } }
    }
}

extension [ImportedNode] {
    /// - Parameter path: the names of the folders around.
    mutating func forEachRequest(path: [String] = [], _ change: (inout ImportedRequest, [String]) -> Void) {
        for index in indices {
            switch self[index] {
            case .request(var request):
                change(&request, path + [request.name])
                self[index] = .request(request)
            case .folder(var folder):
                folder.nodes.forEachRequest(path: path + [folder.name], change)
                self[index] = .folder(folder)
            }
        }
    }

    mutating func forEachFolder(path: [String] = [], _ change: (inout ImportedFolder, [String]) -> Void) {
        for index in indices {
            guard case .folder(var folder) = self[index] else { continue }
            let path = path + [folder.name]
            change(&folder, path)
            folder.nodes.forEachFolder(path: path, change)
            self[index] = .folder(folder)
        }
    }

    var requests: [ImportedRequest] {
        flatMap { node in
            switch node {
            case .request(let request): [request]
            case .folder(let folder): folder.nodes.requests
            }
        }
    }

    var folderCount: Int {
        reduce(0) { count, node in
            if case .folder(let folder) = node { count + 1 + folder.nodes.folderCount } else { count }
        }
    }

    /// Folders in folders.
    var depth: Int {
        reduce(0) { depth, node in
            if case .folder(let folder) = node { Swift.max(depth, 1 + folder.nodes.depth) } else { depth }
        }
    }
}

extension RequestDefinition {
    /// Changes every text that may have templates.
    mutating func mapTexts(_ change: (String) -> String) {
        url = change(url)
        path.mapTexts(change)
        query.mapTexts(change)
        headers.mapTexts(change)
        cookies.mapTexts(change)
        auth = auth?.mapTexts(change)
        body = body?.mapTexts(change)
        for index in subprotocols.indices { subprotocols[index] = change(subprotocols[index]) }
        mapMessages { part, text in
            let value = part == .json ? JSONValue.standingAsYAML(text) : nil
            text = value?.mapTexts(change).text(pretty: true) ?? change(text)
        }
        for index in expectations.indices { expectations[index].matcher = expectations[index].matcher.mapTexts(change) }
    }

    /// Changes every path of a file.
    mutating func mapFiles(_ change: (String) -> String) {
        body = body?.mapTexts { part, text in
            if part == .file { text = change(text) }
        }
        mapMessages { part, text in if part == .file { text = change(text) } }
        settings.mapPaths(change)
    }
}

extension [RequestDefinition.Row] {
    mutating func mapTexts(_ change: (String) -> String) {
        for index in indices {
            self[index].name = change(self[index].name)
            self[index].value = change(self[index].value)
        }
    }
}

extension ImportedVariable {
    mutating func mapTexts(_ change: (String) -> String) {
        switch value {
        case .text(let text): value = .text(change(text))
        case .json(let json): value = .json(json.mapTexts(change))
        case .environment, .prompt: break
        }
    }
}

extension BodyDefinition {
    func mapTexts(_ change: (String) -> String) -> BodyDefinition {
        mapTexts { part, text in
            guard part == .json, let value = JSONValue.standingAsYAML(text) else {
                text = change(text)
                return
            }
            text = value.mapTexts(change).text(pretty: true)
        }
    }
}

extension AuthDefinition {
    func mapTexts(_ change: (String) -> String) -> AuthDefinition { mapTexts { $1 = change($1) } }
}
