import NetworkLayer
import OrderedCollections
package import RequestCollections

/// Saved requests as a Locust file: Python that sends the same requests with the same expectations, from as many machines as there are
/// (locust.io).
///
/// One method a request. What the requests use stands below them, and only what they use. Environments and variables stay what they
/// are, `--env` and `--var` of the file; secrets are read on the machine that sends. What can't be said in Python is never left out
/// silently: it is a comment at its place, and one of ``notes``.
package struct LocustFile: Sendable {
    /// Python 3.9 or later.
    package private(set) var text = ""
    /// What of the collection isn't in it, in the order of the file.
    package private(set) var notes: [Note] = []
    /// How many requests are sent as tasks.
    package private(set) var taskCount = 0

    package struct Note: Hashable, Sendable, CustomStringConvertible {
        package var request: RequestID
        package var text: String

        package var description: String { "\(request): \(text)" }
    }

    private let collection: RequestCollection
    private let environment: String?
    private let files: String
    private let runsCommands: Bool
    private let weight: @Sendable (RequestDefinition) -> Int
    private var methods: [RequestID: String] = [:]
    private var secretNames: Set<String> = []
    private var holdsWholeTimeouts = true

    /// - Parameters:
    ///   - requests: those that are tasks. What they need is sent before them, and no task by itself.
    ///   - environment: the one that holds unless `--env` names another.
    ///   - files: the absolute path of the collection's directory, for the files that it names.
    ///   - runsCommands: whether the collection's commands may stand in it; otherwise variables of the environment stand for them, and
    ///     what reads files or credentials that aren't the collection's own is left out.
    ///   - weight: how often a request is chosen, against the others; at least 1.
    /// - Throws: for an environment that isn't there, and for variables that can't be written in Python.
    package init(
        _ collection: RequestCollection, requests: [RequestDefinition], environment: String? = nil, files: String,
        runsCommands: Bool = true, weight: @escaping @Sendable (RequestDefinition) -> Int = { _ in 1 }
    ) throws {
        self.collection = collection
        self.environment = environment
        self.files = files
        self.runsCommands = runsCommands
        self.weight = weight
        if let environment { _ = try collection.variables(of: environment) }
        let tasks = Set(requests.map(\.id))
        // Any answer will do that gives a variable.
        let needed = collection.withNeeds(of: requests, environment: environment, maxAge: .seconds(86_400))
        let byID = Dictionary(uniqueKeysWithValues: needed.map { ($0.id, $0) })
        let all = collection.requests.compactMap { byID[$0.id] }
        nameMethods(all)
        var written = try self.written(all, tasks: tasks)
        // What needs something that is left out is left out, too.
        while let broken = written.first(where: { entry in entry.needs.contains { need in !written.contains { $0.id == need } } }) {
            let missing = broken.needs.first { need in !written.contains { $0.id == need } }
            leaveOut(broken.id, "needs \(missing.map(\.rawValue) ?? ""), which is left out")
            written.removeAll { $0.id == broken.id }
        }
        taskCount = written.count { tasks.contains($0.id) }
        let variables = try variables()
        text = render(written, variables: variables)
    }

    /// One request, as lines of its method.
    struct Entry {
        var id: RequestID
        var lines: [String]
        var needs: [RequestID]
    }

    // MARK: What is in it

    private mutating func nameMethods(_ requests: [RequestDefinition]) {
        var taken: Set<String> = []
        for request in requests {
            methods[request.id] = freeName(PythonText.identifier(request.id.rawValue), "_") { taken.insert($0).inserted }
        }
    }

    /// What decides whether a request is sent, and how often, may also stand at a folder.
    private mutating func checkFlow(of request: RequestDefinition) throws {
        if !collection.conditions(of: request).isEmpty {
            throw Inexpressible("it is sent only when its variables are as `when` says")
        }
        if request.repeats != nil { throw Inexpressible("it is sent as often as its `repeat` says") }
        if !collection.loops(of: request).isEmpty || request.forEach != nil {
            throw Inexpressible("it is sent once for each item of its `for-each`")
        }
        if request.graphQL?.isPersisted == true {
            notes.append(Note(request: request.id, text: "the whole query is sent each time, although it is `persisted`"))
        }
        for step in request.tearDown {
            notes.append(Note(request: request.id, text: "`\(step.name)`, its tear-down, isn't sent"))
        }
        for scope in collection.stepScopes(around: request.id) {
            let name = scope.folder.map { "`\($0)`" } ?? "the collection"
            for step in scope.steps.setUp {
                let text = "`\(step.name)`, the set-up of \(name), isn't sent"
                // Once is enough.
                if !notes.contains(where: { $0.text == text }) { notes.append(Note(request: request.id, text: text)) }
            }
        }
    }

    private mutating func written(_ requests: [RequestDefinition], tasks: Set<RequestID>) throws -> [Entry] {
        var entries: [Entry] = []
        for request in requests {
            do {
                try checkFlow(of: request)
                let merged = try collection.merged(request)
                let own = OrderedDictionary(collection.variables(around: request).map { ($0.name, $0) }) { nearest, _ in nearest }
                let variables = try self.entries(Array(own.values), indent: 1)
                var writer = LocustRequest(merged, variables: variables, python: python(for: merged))
                let body = try writer.lines()
                holdsWholeTimeouts = holdsWholeTimeouts && !writer.hasWholeTimeouts
                for note in writer.notes { notes.append(Note(request: request.id, text: note)) }
                let head = method(request, isTask: tasks.contains(request.id))
                entries.append(Entry(id: request.id, lines: head + body.map { "    \($0)" }, needs: merged.needs.map(\.request)))
            } catch let error as Inexpressible {
                leaveOut(request.id, error.reason)
            } catch let error as ResolutionError {
                leaveOut(request.id, "\(error)")
            }
        }
        return entries
    }

    private mutating func leaveOut(_ id: RequestID, _ reason: String) {
        notes.append(Note(request: id, text: "not sent: \(reason)"))
    }

    private func python(for request: MergedRequest) -> PythonTemplate {
        PythonTemplate(
            collection: collection, directory: request.directory, request: request.definition.id, methods: methods,
            runsCommands: runsCommands)
    }

    private func method(_ request: RequestDefinition, isTask: Bool) -> [String] {
        var lines: [String] = []
        if isTask {
            if !request.tags.isEmpty { lines.append("@tag(\(request.tags.map(PythonText.string).joined(separator: ", ")))") }
            let weight = max(1, weight(request))
            lines.append(weight == 1 ? "@task" : "@task(\(weight))")
        }
        lines.append("def \(methods[request.id] ?? "request")(self):")
        let file = request.location.path.split(separator: "/").last.map(String.init) ?? ""
        let place = "\(file):\(request.location.line)"
        let title = [request.name, request.id.rawValue].compactMap(\.self).first ?? ""
        lines.append("    # \(PythonText.comment(title)) (\(PythonText.comment(place)))")
        return lines
    }

    // MARK: Variables

    private mutating func variables() throws -> [String] {
        var lines = ["VARIABLES = {"]
        lines += try entries(collection.variables, indent: 1)
        lines += ["}", "", "# An environment's variables are over these."]
        guard !collection.environmentNames.isEmpty else { return lines + ["ENVIRONMENTS = {}", "ENVIRONMENT = None"] }
        lines.append("ENVIRONMENTS = {")
        for name in collection.environmentNames {
            let own = try entries(try collection.variables(of: name), indent: 2)
            lines +=
                own.isEmpty ? ["    \(PythonText.string(name)): {},"] : ["    \(PythonText.string(name)): {"] + own + ["    },"]
        }
        lines += ["}", "ENVIRONMENT = \(environment.map(PythonText.string) ?? "None")  # unless --env names another"]
        return lines
    }

    private mutating func entries(_ variables: [VariableDefinition], indent: Int) throws -> [String] {
        let python = PythonTemplate(
            collection: collection, directory: collection.directory, methods: methods, runsCommands: runsCommands)
        return variables.map { variable in
            let margin = String(repeating: "    ", count: indent)
            do {
                return "\(margin)\(PythonText.string(variable.name)): \(try value(of: variable, in: python)),"
            } catch {
                let reason = (error as? Inexpressible)?.reason ?? "\(error)"
                return
                    "\(margin)\(PythonText.string(variable.name)): lambda v: missing(\(PythonText.string("the variable \(variable.name) can't be had here: \(reason)"))),"
            }
        }
    }

    private mutating func value(of variable: VariableDefinition, in python: PythonTemplate) throws -> String {
        switch variable.value {
        case .text(let text):
            return (Template.isIn(text) ? "lambda v: " : "") + (try python.value(text))
        case .json(let text):
            guard let value = JSONParser.parse(text) else {
                return "lambda v: json.loads(\(try python.json(text)))"
            }
            return (Template.isIn(text) ? "lambda v: " : "") + (try python.value(value))
        case .secret(let reference):
            if case .environment(let name) = reference { secretNames.insert(name) }
            if !runsCommands, case .command(let words) = reference { secretNames.insert(PythonTemplate.variable(for: words)) }
            return "lambda v: hidden(\(try python.secret(reference)))"
        }
    }

    // MARK: The file

    private func render(_ entries: [Entry], variables: [String]) -> String {
        let className = Self.className(collection.name)
        var body = ["class \(className)(HttpUser):"]
        body += [
            "    host = \"\"  # every URL below is a whole one",
            "    wait_time = constant(1)  # seconds between two tasks of a user", "",
        ]
        body += ["    def on_start(self):", "        self.values = Values(self)"]
        for entry in entries { body += [""] + entry.lines.map { $0.isEmpty ? "" : "    \($0)" } }
        let main = (variables + ["", ""] + body).joined(separator: "\n")
        let files = main.contains("FILES") ? ["# Where the collection lies, with the files that it names.", filesLine, ""] : []
        let runtime = LocustRuntime(usedBy: ([main] + files).joined(separator: "\n"))
        let head = [documentation, "", runtime.imports, ""] + files
        return (head + [main, "", "", "# What the requests above use.", "", "", runtime.text]).joined(separator: "\n") + "\n"
    }

    private var filesLine: String {
        "FILES = os.environ.get(\"COLLECTION_FILES\", \(PythonText.string(files)))"
    }

    private static func className(_ name: String) -> String {
        let words = PythonText.identifier(name).split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let name = words.joined()
        return name.isEmpty || name.first?.isNumber == true || ["Values", "Reply", "Maybe", "HttpUser"].contains(name)
            ? "Collection\(name)" : name
    }

    private var documentation: String {
        var lines = [
            "The requests of \(PythonText.comment(collection.name)) as load, for Locust (https://locust.io). "
                + "Made by `turnstone export locust`.", "",
            "    locust -f FILE                                                 # opens http://localhost:8089",
            "    locust -f FILE --headless --users 10 --spawn-rate 5 --run-time 1m",
            "    locust -f FILE --master                                        # and on each machine that sends:",
            "    locust -f FILE --worker --master-host ADDRESS", "",
            "--env NAME chooses an environment, --var NAME=VALUE sets a variable over all others, --tags TAG chooses requests.",
        ]
        if !secretNames.isEmpty {
            lines.append(
                "Secrets are in no file: machines that send have \(secretNames.sorted().joined(separator: ", ")) in their environment."
            )
        }
        if !runsCommands {
            lines.append(
                "The collection isn't trusted: in place of its commands there are variables of the environment, and it reads no files "
                    + "but its own.")
        }
        if !holdsWholeTimeouts {
            lines.append("Timeouts are those of connecting and of silence; `attempt` and `operation` have no equal here.")
        }
        if !notes.isEmpty {
            lines += ["", "What of the collection isn't in it:"]
            lines += notes.map { "    \(PythonText.comment($0.description))" }
        }
        return "\"\"\"\(lines.joined(separator: "\n").escaping("\\", "\""))\n\"\"\""
    }
}
