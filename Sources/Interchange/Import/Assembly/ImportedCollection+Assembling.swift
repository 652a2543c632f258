import NetworkLayer
import OrderedCollections
package import RequestCollections

/// An import that is ready to be written.
package struct AssembledImport: Sendable {
    package var collection: RequestCollection
    package var requestCount: Int
    package var folderCount: Int
    /// Environment variables to set.
    package var secrets: [ImportedSecret]
    /// What was in the source and isn't in the collection, by the names of the variables that stand for it.
    package var secretValues: [String: String]
    package var notes: [ImportNote]
    /// Variables to give a value in the collection, those that requests use first.
    package var unset: [UnsetVariable]
    /// What the sources know requests and folders by.
    package var identities: [RequestID: String] = [:]
}

/// How an import is put together.
package struct ImportOptions: Hashable, Sendable {
    /// The path of the collection, once it is written.
    package var path: String
    package var form = RequestCollection.Form.file
    /// Literal secrets are copied.
    package var keepsSecrets = false
    /// From where the collection will be to where the source is: what the paths of files in it begin with. Empty: the same place.
    package var filesDirectory = ""
    /// Texts for which variables stand already, where the import goes, and all names that mean something there.
    package var knownSecrets: [String: String] = [:]
    package var takenNames: Set<String> = []
    /// Where requests are in the collection that is updated, if not where the import has them: texts name them so.
    package var places: [RequestID: RequestID] = [:]
    /// What has no value in the source has one where the import goes, or is asked for there.
    package var leavesUnset = false

    package init(path: String) {
        self.path = path
    }
}

extension ImportedCollection {
    /// The collection that Turnstone reads.
    ///
    /// - Throws: ``CollectionProblem`` for a tree beyond the limits.
    package func assembled(_ options: ImportOptions) throws(CollectionProblem) -> AssembledImport {
        var tree = self
        let requests = tree.nodes.requests.count
        try tree.checkLimits(requests, options)
        tree.nameWithoutCredentials()
        var notes = tree.notes
        tree.nodes.forEachRequest { request, path in request.normalize(at: path.place, notes: &notes) }
        var extractor = SecretExtractor(tree, known: options.knownSecrets, taken: options.takenNames)
        if !options.keepsSecrets {
            extractor.extract(&tree)
            notes = notes.map(extractor.untold)
        }
        tree.completeHosts()
        tree.shareHost()
        tree.shareDefaults()
        tree.keepTemplatesValid(notes: &notes)
        tree.needCaptors()
        let unset = options.leavesUnset ? [] : tree.declareUnset(&extractor)
        tree.placeFiles(options)
        let builder = TreeBuilder(tree, options)
        return AssembledImport(
            collection: builder.collection, requestCount: requests, folderCount: tree.nodes.folderCount, secrets: extractor.secrets,
            secretValues: extractor.values, notes: notes.distinct, unset: unset, identities: builder.identities)
    }

    private func checkLimits(_ requests: Int, _ options: ImportOptions) throws(CollectionProblem) {
        func problem(_ message: String) -> CollectionProblem {
            CollectionProblem(location: SourceLocation(path: options.path, line: 1, column: 1), message: message)
        }
        guard requests <= ImportSource.Limits.requests else {
            throw problem("would have \(requests) requests; an import makes at most \(ImportSource.Limits.requests)")
        }
        guard nodes.depth <= ImportSource.Limits.folders else {
            throw problem("would have folders that are nested more than \(ImportSource.Limits.folders) deep")
        }
    }

    /// What has no name of its own is called by its URL, or by what else is known of it.
    private mutating func nameWithoutCredentials() {
        func untold(_ text: String) -> String {
            SecretScanner.replace(in: URLUserinfo.removed(from: text), KnownSecrets()) { _, _ in MockDefinition.hidden }
        }
        name = untold(name)
        nodes.forEachFolder { folder, _ in folder.name = untold(folder.name) }
        nodes.forEachRequest { request, _ in
            request.name = untold(request.name)
            request.key = request.key.map(untold)
        }
        for index in notes.indices { notes[index].place = untold(notes[index].place) }
    }

    /// A text whose braces aren't a template's is kept as it is: braces are braces.
    private mutating func keepTemplatesValid(notes: inout [ImportNote]) {
        func valid(_ text: String, _ place: String) -> String {
            guard Template.isIn(text) else { return text }
            do {
                _ = try Template(text)
                return text
            } catch {
                notes.append(ImportNote(place, "braces that are no template of ours stand there as text: \(error.message)"))
                return TemplateText(text).text
            }
        }
        mapTexts(valid)
    }

    /// Paths of files are meant from where the source lies.
    private mutating func placeFiles(_ options: ImportOptions) {
        nodes.forEachRequest { request, path in
            let up = options.form == .directory ? String(repeating: "../", count: path.count - 1) : ""
            request.placeFiles(in: up + options.filesDirectory)
        }
    }

    /// - Parameter directory: where the source lies, from the directory that all paths of files are meant from.
    mutating func placeFiles(in directory: String) {
        nodes.forEachRequest { request, _ in request.placeFiles(in: directory) }
    }
}

extension ImportedRequest {
    fileprivate mutating func placeFiles(in directory: String) {
        guard !directory.isEmpty else { return }
        definition.mapFiles { file in
            if file.hasPrefix("/") || file.hasPrefix("{{") || file.isEmpty { return file }
            let rest = file.hasPrefix("./") ? String(file.dropFirst(2)) : file
            return directory.hasSuffix("/") ? directory + rest : "\(directory)/\(rest)"
        }
    }
}

extension [ImportNote] {
    /// Each once, in the order of the first.
    fileprivate var distinct: [ImportNote] { Array(OrderedSet(self)) }
}

/// Gives every node its key, and puts them together.
private struct TreeBuilder {
    private(set) var collection: RequestCollection
    private(set) var identities: [RequestID: String] = [:]
    private var ids: [String: RequestID] = [:]
    private let places: [RequestID: RequestID]
    private static let place = SourceLocation(path: "", line: 0, column: 0)

    init(_ tree: ImportedCollection, _ options: ImportOptions) {
        collection = RequestCollection(path: options.path, name: tree.name)
        places = options.places
        collection.description = tree.description
        findIDs(tree.nodes, under: nil)
        collection.variables = variables(tree.variables)
        comment(on: nil, tree.comments)
        collection.comments[nil, default: [:]].merge(tree.scripts) { $1 }
        for variable in tree.variables { collection.comments[nil, default: [:]]["variables.\(variable.name)"] = variable.comment }
        for environment in tree.environments {
            let name = freeName(environment.name, " ") { collection.environments[$0] == nil }
            collection.environments[name] = EnvironmentDefinition(
                name: name, variables: variables(environment.variables), location: Self.place)
        }
        collection.defaults = defaults(tree.auth, tree.headers)
        collection.defaults.settings = tree.settings
        collection.nodes = nodes(tree.nodes, under: nil)
    }

    private func variables(_ variables: [ImportedVariable]) -> [VariableDefinition] {
        // The last of a name is the one that counts, where the first stands.
        let last = OrderedDictionary(variables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        return last.values.map { variable in
            var variable = variable
            variable.mapTexts(resolved)
            let value: VariableDefinition.Value =
                switch variable.value {
                case .text(let text): .text(text)
                case .json(let value): .json(value.text(pretty: true))
                case .environment(let name): .secret(.environment(name))
                case .prompt(let message): .secret(.prompt(message))
                }
            return VariableDefinition(name: variable.name, value: value, location: Self.place)
        }
    }

    private func defaults(_ auth: AuthDefinition?, _ headers: [RequestDefinition.Row]) -> FolderDefaults {
        var defaults = FolderDefaults()
        defaults.auth = auth?.mapTexts(resolved)
        defaults.headers = headers.map {
            .init(
                name: $0.name, value: !$0.isEnabled && $0.value.isEmpty ? nil : resolved($0.value), isEnabled: $0.isEnabled,
                location: Self.place)
        }
        return defaults
    }

    // MARK: Keys

    /// - Parameter parent: the folder around, which the keys don't repeat.
    private static func keys(_ nodes: [ImportedNode], under parent: RequestID?) -> [String] {
        let folder = parent.flatMap { $0.rawValue.split(separator: "/").last.map(String.init) }
        var taken: Set<String> = []
        var numbers: [String: Int] = [:]
        return nodes.map { node in
            let slug =
                switch node {
                case .request(let request):
                    TreeKey.make(
                        request.key.map(TreeKey.words) ?? request.name, fallback: "request",
                        leavingOut: folder, anywhere: request.key != nil)
                case .folder(let own): TreeKey.make(own.name, fallback: "folder", leavingOut: folder)
                }
            var key = slug
            while !taken.insert(key).inserted {
                numbers[slug, default: 1] += 1
                key = "\(slug)-\(numbers[slug] ?? 2)"
            }
            return key
        }
    }

    private static func id(_ key: String, under parent: RequestID?) -> RequestID {
        RequestID(rawValue: parent.map { "\($0)/\(key)" } ?? key)
    }

    /// - Parameter headers: comments by name.
    private mutating func comment(on id: RequestID?, _ headers: [String: String]) {
        for (name, comment) in headers { collection.comments[id, default: [:]]["headers.\(name)"] = comment }
    }

    private mutating func findIDs(_ nodes: [ImportedNode], under parent: RequestID?) {
        for (node, key) in zip(nodes, Self.keys(nodes, under: parent)) {
            let id = Self.id(key, under: parent)
            switch node {
            case .request(let request):
                for reference in request.reference.map(RequestReference.names) ?? [] where ids[reference] == nil {
                    ids[reference] = places[id] ?? id
                }
                identities[id] = request.identity
                if !request.comments.isEmpty { collection.comments[id] = request.comments }
            case .folder(let folder):
                comment(on: id, folder.comments)
                identities[id] = folder.identity
                if !folder.scripts.isEmpty { collection.comments[id, default: [:]].merge(folder.scripts) { $1 } }
                findIDs(folder.nodes, under: id)
            }
        }
    }

    // MARK: Nodes

    private func nodes(_ nodes: [ImportedNode], under parent: RequestID?) -> [RequestCollection.Node] {
        zip(nodes, Self.keys(nodes, under: parent)).map { node, key in
            let id = Self.id(key, under: parent)
            switch node {
            case .request(let imported):
                var request = imported.definition
                request.id = id
                request.name = imported.name == key || imported.name.isEmpty ? nil : imported.name
                request.mapTexts(resolved)
                request.variables = variables(imported.variables)
                for index in request.needs.indices { request.needs[index].name = resolved(request.needs[index].name) }
                return .request(request)
            case .folder(let imported):
                var folder = RequestCollection.Folder(
                    id: id, defaults: defaults(imported.auth, imported.headers),
                    nodes: self.nodes(imported.nodes, under: id), location: Self.place)
                // A folder with nothing in it is only there by its name.
                folder.name = imported.name == key && !imported.nodes.isEmpty ? nil : imported.name
                folder.description = imported.description
                folder.variables = variables(imported.variables)
                return .folder(folder)
            }
        }
    }

    /// With the ids of requests where references to them stand.
    private func resolved(_ text: String) -> String {
        RequestReference.replacing(in: text) { names in
            names.lazy.compactMap { ids[$0]?.rawValue }.first ?? TreeKey.make(names.last ?? "", fallback: "request")
        }
    }
}

/// Keys of the tree: `create-order` for "Create order".
enum TreeKey {
    /// Characters; longer names are cut between words.
    private static let length = 60

    /// `get Order` for `getOrder`.
    static func words(_ identifier: String) -> String {
        identifier.replacing(/([a-z0-9])([A-Z])/) { "\($0.1) \($0.2)" }
    }

    /// - Parameters:
    ///   - folder: the key of the folder around, whose words a name may begin with and the key needn't.
    ///   - anywhere: they may stand anywhere in it, as in an identifier: `listUsersByAge`, in `users`.
    static func make(_ name: String, fallback: String, leavingOut folder: String?, anywhere: Bool = false) -> String {
        let words = unlimited(name).split(separator: "-")
        let others = folder?.split(separator: "-") ?? []
        let starts = (0...max(0, words.count - others.count)).prefix(anywhere ? .max : 1)
        if !others.isEmpty, let start = starts.first(where: { words[$0...].starts(with: others) }) {
            let rest = words[..<start] + words[(start + others.count)...]
            if !rest.isEmpty { return limited(rest.joined(separator: "-")) }
        }
        return make(name, fallback: fallback)
    }

    static func make(_ name: String, fallback: String) -> String {
        let key = limited(unlimited(name))
        return key.isEmpty ? fallback : key
    }

    private static func unlimited(_ name: String) -> String {
        var key = ""
        var isGap = false
        for scalar in name.lowercased().unicodeScalars {
            guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
                isGap = true
                continue
            }
            if isGap, !key.isEmpty { key += "-" }
            isGap = false
            key.unicodeScalars.append(scalar)
        }
        return key
    }

    private static func limited(_ key: String) -> String {
        var key = key
        if key.count > length {
            let cut = key.prefix(length + 1)
            key = String(cut.lastIndex(of: "-").map { cut[..<$0] } ?? cut.dropLast())
        }
        while key.last == "-" { key.removeLast() }
        return key
    }
}
