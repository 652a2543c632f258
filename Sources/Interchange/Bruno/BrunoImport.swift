import NetworkLayer
import OrderedCollections
import RequestCollections

/// Bruno's files: one, or a directory of them with `collection.bru`, `folder.bru` and `environments/`, or with OpenCollection's names for
/// these. Bruno has what Postman has in a notation of its own: a request is given to ``PostmanImport`` as an item. What can't be said is
/// named with its file and line.
struct BrunoImport {
    var postman: PostmanImport
    private var losses: [(path: String, line: Int, text: String)] = []

    /// - Parameter files: with their paths inside of the collection.
    static func read(
        _ name: String, _ files: [ImportSource], isDirectory: Bool = false
    ) throws(CollectionProblem) -> ImportedCollection {
        var reader = BrunoImport(postman: PostmanImport(collection: ImportedCollection(name: name), asksQuestions: true))
        try reader.read(files, isAlone: !isDirectory)
        return reader.postman.collection
    }

    private init(postman: PostmanImport) { self.postman = postman }

    mutating func note(_ path: String, _ line: Int, _ text: String) { losses.append((path, line, text)) }

    private struct Entry {
        var sequence: Int
        var path: String
        var node: ImportedNode
    }

    private typealias File = (path: String, rest: Substring, bru: BrunoFile)

    private mutating func read(_ sources: [ImportSource], isAlone: Bool) throws(CollectionProblem) {
        var files: [File] = []
        var environments: [File] = []
        for source in sources {
            if !isAlone, source.path == "bruno.json" {
                let value = (try? source.text()).flatMap(JSONParser.parse)
                if value == nil { note(source.path, 0, "the file: this is not JSON") }
                if let name = value?["name"]?.nonEmpty { postman.collection.name = name }
                var file = BrunoFile()
                file.noteConfiguration(
                    value.map { JSONValue.object($0.members.filter { ["proxy", "clientCertificates"].contains($0.name) }) })
                for loss in file.losses { note(source.path, 0, loss.text) }
                continue
            }
            let parts: [(path: String, bru: BrunoFile)]
            do throws(CollectionProblem) {
                parts = try BrunoFile.all(in: source)
            } catch {
                // One file that is broken leaves the others.
                guard !isAlone else { throw error }
                note(source.path, error.location.line, "the file: \(error.message)")
                continue
            }
            // A bundle has paths of its own.
            let isInTree = !isAlone || parts.first?.path == BrunoFile.collectionPath
            for (path, bru) in parts {
                if isInTree, path == "collection.bru" || path == BrunoFile.collectionPath {
                    readCollection(path, bru)
                } else if isInTree ? path.hasPrefix("environments/") : bru.isEnvironment {
                    environments.append((path, path[...], bru))
                } else {
                    files.append((path, isInTree ? path[...] : path.split(separator: "/").last ?? path[...], bru))
                }
            }
        }
        for file in environments { readEnvironment(file.path, file.bru) }
        postman.collection.nodes = nodes(files, folders: [])
        for source in sources { readMachineVariables((try? source.text()) ?? "") }
        declareQuestions()
        postman.collection.notes += losses.map { ImportNote($0.line > 0 ? "\($0.path), line \($0.line)" : $0.path, $0.text) }
    }

    // MARK: The tree

    private mutating func nodes(_ files: [File], folders: [String]) -> [ImportedNode] {
        var entries: [Entry] = []
        var inner: [(name: String, files: [File])] = []
        for file in files where !Self.folderNames.contains(file.rest) {
            guard let slash = file.rest.firstIndex(of: "/") else {
                if let entry = request(file.path, String(file.rest), file.bru, folders: folders) {
                    entries.append(entry)
                }
                continue
            }
            let name = String(file.rest[..<slash])
            let rest = (file.path, file.rest[file.rest.index(after: slash)...], file.bru)
            if let index = inner.firstIndex(where: { $0.name == name }) {
                inner[index].files.append(rest)
            } else {
                inner.append((name, [rest]))
            }
        }
        for folder in inner {
            guard folders.count < ImportSource.Limits.folders else {
                note(
                    folder.files.first?.path ?? folder.name, 1,
                    "the folder: it is in more than \(ImportSource.Limits.folders) others")
                continue
            }
            entries.append(read(folder.name, folder.files, folders: folders))
        }
        return entries.sorted { ($0.sequence, $0.path) < ($1.sequence, $1.path) }.map(\.node)
    }

    private static let folderNames: Set<Substring> = ["folder.bru", "folder.yml", "folder.yaml"]

    private mutating func read(_ name: String, _ files: [File], folders: [String]) -> Entry {
        var folder = ImportedFolder(name: name)
        var sequence = Int.max
        let wasBelowAuth = postman.isBelowAuth
        if let file = files.first(where: { Self.folderNames.contains($0.rest) }) {
            var bru = file.bru
            let meta = bru.rows("meta")
            folder.name = meta.value("name") ?? name
            sequence = meta.value("seq").flatMap { Int($0) } ?? .max
            let shared = readShared(file.path, &bru, place: (folders + [folder.name]).place)
            (folder.description, folder.auth, folder.headers) = (shared.description, shared.auth, shared.headers)
            (folder.variables, folder.scripts) = (shared.variables, shared.scripts)
            // Bruno passes over a folder without any, to those around it.
            if folder.auth == AuthDefinition.none { folder.auth = nil }
            postman.isBelowAuth = folder.auth.map { $0 != .none } ?? wasBelowAuth
        }
        folder.nodes = nodes(files, folders: folders + [folder.name])
        postman.isBelowAuth = wasBelowAuth
        return Entry(sequence: sequence, path: name, node: .folder(folder))
    }

    private mutating func readCollection(_ path: String, _ file: BrunoFile) {
        var file = file
        if let name = file.rows("meta").value("name"), path == BrunoFile.collectionPath { postman.collection.name = name }
        let shared = readShared(path, &file, place: "")
        postman.collection.description = shared.description
        postman.collection.auth = shared.auth
        postman.collection.headers = shared.headers
        postman.collection.variables += shared.variables
        postman.collection.scripts = shared.scripts
        postman.isBelowAuth = shared.auth.map { $0 != .none } ?? false
    }

    /// What a folder or the collection says for all requests in it.
    private mutating func readShared(
        _ path: String, _ file: inout BrunoFile, place: String
    ) -> ImportedFolder {
        var known: Set = ["meta", "auth", "headers", "vars:pre-request", "docs"]
        let headers = file.rows("headers").map { row in
            RequestDefinition.Row(
                name: postman.text(row.name, at: place), value: postman.text(row.value, at: place), isEnabled: row.isEnabled)
        }
        let auth = postman.auth(auth(&file, mode: file.rows("auth").value("mode"), path), at: place)
        let variables = variables(file.rows("vars:pre-request"), path)
        var scripts: [String: String] = [:]
        for (name, isTest) in [("script:pre-request", false), ("script:post-response", true), ("tests", true)] {
            known.insert(name)
            guard let text = file.block(name)?.outdented, !text.trimmingSpace.isEmpty else { continue }
            postman.note(place, scripts.keep(sharedScript: text, isTest: isTest))
        }
        noteRest(of: file, known, path)
        var shared = ImportedFolder(name: "")
        (shared.variables, shared.auth, shared.headers, shared.scripts) = (variables, auth, headers, scripts)
        shared.description = file.block("docs")?.outdented.trimmingSpace
        return shared
    }

    // MARK: Variables

    private mutating func variables(_ rows: [BrunoFile.Row], _ path: String) -> [ImportedVariable] {
        rows.compactMap { row in
            let name = VariableName.make(row.name.hasPrefix("@") ? String(row.name.dropFirst()) : row.name)
            guard row.isEnabled else {
                note(path, row.line, "the variable \(name) is off, and variables here have no switch")
                return nil
            }
            return variable(name, row.value, path)
        }
    }

    private mutating func variable(_ name: String, _ value: String, _ path: String) -> ImportedVariable {
        let text = postman.text(value, at: path)
        // A question whose answer is called like the variable, which would stand for itself.
        if text == "{{\(name)}}", let question = postman.questions[name] { return asked(name, question) }
        return ImportedVariable(name, .text(text))
    }

    /// A secret can't be a part of an address, so only what looks like one is a secret.
    private func asked(_ name: String, _ question: String, isSecret: Bool = false) -> ImportedVariable {
        if isSecret || SecretName.matches(name) { return ImportedVariable(name, .prompt(question)) }
        return ImportedVariable(name, .text("{{prompt(\"\(question.escaping("\\", "\""))\")}}"))
    }

    private mutating func readEnvironment(_ path: String, _ file: BrunoFile) {
        var file = file
        let name = TreeKey.make(BrunoFile.stem(of: path), fallback: "environment")
        var variables: [ImportedVariable] = []
        for row in file.rows("vars") {
            guard row.isEnabled else {
                note(path, row.line, "the variable \(row.name) is off, and variables here have no switch")
                continue
            }
            variables.append(variable(VariableName.make(row.name), row.value, path))
        }
        for block in file.blocks where block.name == "vars:secret" {
            for item in block.items {
                guard !item.hasPrefix("~") else {
                    note(path, block.line, "the variable \(item.dropFirst()) is off, and variables here have no switch")
                    continue
                }
                let machine = [postman.collection.name, name, item].map { EnvironmentName.make($0) }.joined(separator: "_")
                variables.append(ImportedVariable(VariableName.make(item), .environment(machine), isSecret: true))
            }
        }
        noteRest(of: file, ["meta", "vars", "vars:secret"], path)
        postman.collection.environments.append(ImportedEnvironment(titled: BrunoFile.stem(of: path), variables: variables))
    }

    /// What people are asked.
    private mutating func declareQuestions() {
        let secrets = SecretUses(postman.collection).names
        for (name, question) in postman.questions where !postman.collection.variables.contains(where: { $0.name == name }) {
            postman.collection.variables.append(asked(name, question, isSecret: secrets.contains(name)))
        }
    }

    /// `{{process.env.NAME}}`.
    private mutating func readMachineVariables(_ text: String) {
        for match in text.matches(of: /\{\{\s*(process\.env\.([A-Za-z_][A-Za-z0-9_]*))\s*\}\}/) {
            let name = VariableName.make(match.1)
            guard !postman.collection.variables.contains(where: { $0.name == name }) else { continue }
            postman.collection.variables.append(ImportedVariable(name, .environment(String(match.2))))
        }
    }

    // MARK: Requests

    static let methods = ["get", "post", "put", "delete", "patch", "options", "head", "connect", "trace", "http", "ws"]

    private mutating func request(_ path: String, _ fileName: String, _ file: BrunoFile, folders: [String]) -> Entry? {
        var file = file
        guard let method = file.blocks.first(where: { Self.methods.contains($0.name) }) else {
            note(path, 1, "the file: it has no request over HTTP")
            return nil
        }
        let meta = file.rows("meta")
        let name = meta.value("name") ?? BrunoFile.stem(of: fileName)
        var request = postman.request(item(name, method, &file, path), path: folders)
        if method.name == "ws" {
            let place = (folders + [request.name]).place
            let wait = request.definition.open(sending: messages(file.rows("body:ws"), at: place))
            if let wait { postman.note(place, wait, isLoss: false) }
        }
        readSettings(&file, into: &request.definition, path)
        readAsserts(&file, into: &request.definition, path)
        request.variables = variables(file.rows("vars:pre-request"), path)
        request.definition.tags =
            meta.value("tags")?.split(whereSeparator: { $0.isNewline || $0 == "," }).map(\.trimmingSpace) ?? []
        for row in meta where !["name", "type", "seq", "tags"].contains(row.name) { note(path, row.line, "`\(row.name)`") }
        noteRest(
            of: file,
            Set(Self.methods).union([
                "meta", "params:query", "params:path", "query", "headers", "body", "vars:pre-request", "vars:post-response",
                "assert",
                "script:pre-request", "script:post-response", "tests", "docs", "settings",
            ]), path)
        return Entry(sequence: meta.value("seq").flatMap { Int($0) } ?? .max, path: fileName, node: .request(request))
    }

    /// A name and a type stand before each content.
    private mutating func messages(_ rows: [BrunoFile.Row], at place: String) -> [SessionStep] {
        var type: String?
        var steps: [SessionStep] = []
        for row in rows {
            switch row.name {
            case "type": type = row.value
            case "content":
                steps.append(ImportedSession.message(row.value, type: type) { postman.template($0, at: place) })
                type = nil
            default: break
            }
        }
        return steps
    }

    private mutating func readSettings(_ file: inout BrunoFile, into definition: inout RequestDefinition, _ path: String) {
        for row in file.rows("settings") {
            switch (row.name, row.value) {
            case ("encodeUrl", "true"), ("followRedirects", "true"), ("timeout", "0"), ("timeout", "inherit"): break
            // What is sent as it stands is encoded already, as far as it has to be.
            case ("encodeUrl", "false"):
                definition.query = definition.query.percentDecoded(plusIsSpace: true)
            case ("followRedirects", "false"): definition.settings.followRedirects = .never
            case ("maxRedirects", _):
                guard let count = Int(row.value), count >= 0 else { fallthrough }
                definition.settings.maxRedirects = count
            case ("timeout", _):
                guard let time = Int(row.value), time > 0, time < 1 << 40 else { fallthrough }
                definition.settings.timeouts.operation = .after(.milliseconds(time))
            default: note(path, row.line, "the setting `\(row.name): \(row.value)`")
            }
        }
    }

    /// Each row is read by itself, so that one that isn't understood doesn't affect the others.
    private mutating func readAsserts(_ file: inout BrunoFile, into definition: inout RequestDefinition, _ path: String) {
        let rows =
            file.rows("assert").map { ($0, BrunoAssertion.script($0), "the assertion `\($0.name): \($0.value)`") }
            + file.rows("vars:post-response").map { ($0, BrunoAssertion.capture($0), "the variable `\($0.name): \($0.value)`") }
        for (row, text, what) in rows {
            guard row.isEnabled else {
                note(path, row.line, "\(what) is off, and there is no switch here")
                continue
            }
            guard let text else {
                note(path, row.line, what)
                continue
            }
            guard definition.adopt(assertion: text, of: row) else {
                note(path, row.line, "\(what): no `expect` or `capture` can say it")
                continue
            }
        }
    }

    // MARK: What is left over

    private mutating func noteRest(of file: BrunoFile, _ known: Set<String>, _ path: String) {
        for loss in file.losses { note(path, loss.line, loss.text) }
        for block in file.blocks where !known.contains(block.name) {
            // Those of a kind that isn't chosen are kept by Bruno, and sent by nobody.
            guard !block.name.hasPrefix("auth:") || block.name.contains(":additional_params:"), !block.name.hasPrefix("body:")
            else {
                continue
            }
            note(path, block.line, "the block `\(block.name)`")
        }
    }
}

extension RequestDefinition {
    /// - Returns: whether it is said by `expect` now.
    mutating func adopt(assertion row: BrunoFile.Row) -> Bool {
        BrunoAssertion.script(row).map { adopt(assertion: $0, of: row) } ?? false
    }

    /// - Parameter text: the script that says the same as the row.
    fileprivate mutating func adopt(assertion text: String, of row: BrunoFile.Row) -> Bool {
        let script = TestScript(text)
        var new = self
        for capture in script.captures where !new.captures.contains(where: { $0.name == capture.name }) {
            new.captures.append(capture)
        }
        let isUnderstood = script.rest.isEmpty && !(script.captures.isEmpty && script.expectations.isEmpty)
        for claim in isUnderstood ? script.expectations : [BrunoAssertion.expectation(row)].compactMap(\.self) {
            if expectations.contains(where: { $0.subject == claim.subject && $0.matcher == claim.matcher }) { return true }
            guard new.expect(claim) else { return false }
        }
        guard new != self, Self.canHold(new.captures, new.expectations) else { return false }
        self = new
        return true
    }
}

extension [BrunoFile.Row] {
    func value(_ name: String) -> String? { first { $0.name == name && !$0.value.isEmpty }?.value }
}
