import NetworkLayer
import OrderedCollections
package import RequestCollections

/// What an export knows of its collection: which requests are in it, and which variables hold for them.
struct ExportPlan {
    let collection: RequestCollection
    let environment: String?
    /// Those that are exported, with all that they need.
    let requests: [MergedRequest]
    /// The collection's, with the environment's over them and what was given over all: without those of folders and requests.
    let variables: OrderedDictionary<String, VariableDefinition.Value>
    /// The folders and requests that have a variable of their own, by its name.
    private let owners: [String: [RequestID]]
    /// All variables in one list, those of the whole collection first.
    private(set) var flatVariables: [FlatVariable] = []
    /// What responses give that is a number in any case.
    let capturedNumbers: Set<String>

    enum Order {
        /// As in the collection.
        case collection
        /// What is needed stands before what needs it.
        case needs
    }

    /// - Parameter variables: over all others.
    init(
        _ collection: RequestCollection, requests: [RequestDefinition], environment: String?, variables: [String: JSONValue],
        order: Order, notes: inout ExportNotes
    ) throws(ResolutionError) {
        self.collection = collection
        self.environment = environment
        let ofEnvironment = try environment.map { name throws(ResolutionError) in try collection.variables(of: name) } ?? []
        var known = OrderedDictionary(collection.variables.map { ($0.name, $0.value) }) { $1 }
        for variable in ofEnvironment { known[variable.name] = variable.value }
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) { known[name] = Self.definition(value) }
        self.variables = known
        var owners: [String: [RequestID]] = [:]
        for folder in collection.folders {
            for variable in folder.variables { owners[variable.name, default: []].append(folder.id) }
        }
        for request in collection.requests {
            for variable in request.variables { owners[variable.name, default: []].append(request.id) }
        }
        self.owners = owners
        var merged: [RequestID: MergedRequest] = [:]
        for request in collection.withNeeds(of: requests, environment: environment, variables: Set(variables.keys)) {
            do throws(ResolutionError) {
                merged[request.id] = try collection.merged(request)
            } catch {
                notes.request = request.id
                notes.add("left out: \(error)")
            }
        }
        notes.request = nil
        var ordered = collection.requests.compactMap { merged[$0.id] }
        if order == .needs { ordered = Self.needsFirst(ordered) }
        self.requests = ordered
        var numbers: Set<String> = []
        for request in ordered {
            for capture in request.definition.captures where Self.isNumber(capture) { numbers.insert(capture.name) }
        }
        capturedNumbers = numbers
        flatVariables = allVariables()
    }

    private static func isNumber(_ capture: CaptureDefinition) -> Bool {
        switch capture.steps.last {
        case .word(.number)?, .word(.count)?: true
        default: capture.source == .status
        }
    }

    private static func definition(_ value: JSONValue) -> VariableDefinition.Value {
        if case .string(let text) = value { return .text(TemplateText(text).text) }
        return .json(value.text(pretty: false))
    }

    private static func needsFirst(_ requests: [MergedRequest]) -> [MergedRequest] {
        let byID = Dictionary(requests.map { ($0.definition.id, $0) }) { first, _ in first }
        var ordered: [MergedRequest] = []
        var seen: Set<RequestID> = []
        func add(_ request: MergedRequest) {
            guard seen.insert(request.definition.id).inserted else { return }
            for need in request.needs { if let needed = byID[need.request] { add(needed) } }
            ordered.append(request)
        }
        for request in requests { add(request) }
        return ordered
    }

    // MARK: Variables

    /// Where folders and requests have no variables of their own: a name for each value.
    struct FlatVariable: Hashable {
        var name: String
        var value: VariableDefinition.Value
    }

    /// What a name means to a request, and what it is called where all variables stand in one place; `nil` when nothing gives it a value.
    func variable(_ name: String, for request: RequestDefinition?) -> FlatVariable? {
        if let request, let own = owners[name] {
            if let value = request.variables.last(where: { $0.name == name })?.value {
                return FlatVariable(name: flatName(name, of: request.id, own), value: value)
            }
            for folder in collection.folders(around: request.id).reversed() {
                if let value = folder.variables.last(where: { $0.name == name })?.value {
                    return FlatVariable(name: flatName(name, of: folder.id, own), value: value)
                }
            }
        }
        return variables[name].map { FlatVariable(name: name, value: $0) }
    }

    func isSetByEnvironment(_ name: String) -> Bool {
        collection.environments.values.contains { $0.variables.contains { $0.name == name } }
    }

    private func flatName(_ name: String, of owner: RequestID, _ owners: [RequestID]) -> String {
        let isCaptured = collection.requests.contains { $0.captures.contains { $0.name == name } }
        if owners.count == 1, variables[name] == nil, !isCaptured { return name }
        return "\(name)-\(owner.rawValue.replacing(scalars: "/", with: "-"))"
    }

    private func allVariables() -> [FlatVariable] {
        var flat = OrderedDictionary(variables.map { ($0.key, FlatVariable(name: $0.key, value: $0.value)) }) { $1 }
        for request in requests {
            let around = request.definition.variables + collection.folders(around: request.definition.id).flatMap(\.variables)
            for variable in around {
                if let own = self.variable(variable.name, for: request.definition) { flat[own.name] = own }
            }
        }
        return Array(flat.values)
    }

    // MARK: What a list of requests can't say

    /// What of a request's flow isn't in a program that sends one request after the other.
    ///
    /// - Parameters:
    ///   - saysNeeds: the other program sends what is needed.
    ///   - saysUntil: it sends a request again until its answer is as it should be.
    ///   - saysMock: it has example responses.
    ///   - saysSession: it opens WebSockets.
    func noteFlow(
        of request: MergedRequest, saysNeeds: Bool = false, saysUntil: Bool = false, saysMock: Bool = false,
        saysSession: Bool = false, in notes: inout ExportNotes
    ) {
        let definition = request.definition
        if !saysNeeds {
            for need in request.needs { notes.add("`needs`: send \(need.request) first") }
        }
        for need in request.needs where need.maxAge != nil && saysNeeds {
            notes.add("`max-age`: \(need.request) is sent once in each run")
        }
        let conditions = collection.conditions(of: definition).map(\.when.description)
        if !conditions.isEmpty {
            notes.add("`when`: it is sent although it should be only when \(conditions.joined(separator: ", "))")
        }
        for loop in collection.loops(of: definition).map(\.definition) { notes.add("`for-each`: it isn't sent for \(loop)") }
        if let loop = definition.forEach, loop.source != nil { notes.add("`for-each`: it isn't sent for \(loop)") }
        if let count = definition.repeats { notes.add("`repeat`: it is sent once and not \(count) times") }
        if let until = definition.until, !saysUntil { notes.add("`until`: it isn't sent again until \(until.description)") }
        if definition.isWebSocket, !saysSession { notes.add("`websocket`: a GET stands there, without a session and its messages") }
        if definition.hydrate != nil { notes.add("`hydrate`: no command completes it") }
        for scope in collection.stepScopes(around: definition.id) {
            for step in scope.steps.setUp { notes.addOfAll("`set-up`: `\(step.name)` isn't sent before the others") }
            for step in scope.steps.tearDown { notes.addOfAll("`tear-down`: `\(step.name)` isn't sent after the others") }
        }
        for step in definition.tearDown { notes.add("`tear-down`: `\(step.name)` isn't sent after it") }
        if definition.mock != nil, !saysMock { notes.add("`mock`: its example response") }
    }
}

/// Something in a collection that the export leaves out, or expresses differently.
package struct ExportNote: Hashable, Sendable, CustomStringConvertible {
    /// `nil`: it is about the whole.
    package var request: RequestID?
    package var text: String

    package var description: String { request.map { "\($0): \(text)" } ?? text }
}

/// A collection in another program's language.
package struct ExportedCollection: Hashable, Sendable {
    /// In one file.
    package var text: String
    /// The same, or more of it, as the files of a directory; empty: there is one file only.
    package var files: [File] = []
    /// In the order of the requests.
    package var notes: [ExportNote] = []
    package var requestCount = 0

    package struct File: Hashable, Sendable {
        /// Inside of the directory.
        package var path: String
        package var text: String
    }
}

/// Collects notes, each once.
struct ExportNotes {
    private(set) var all: [ExportNote] = []
    private var said: Set<ExportNote> = []
    /// Whom the next ones are about.
    var request: RequestID?

    mutating func add(_ text: String) { add(ExportNote(request: request, text: text)) }

    mutating func addOfAll(_ text: String) { add(ExportNote(text: text)) }

    private mutating func add(_ note: ExportNote) { if said.insert(note).inserted { all.append(note) } }
}

extension ExportNote {
    init(text: String) { self.init(request: nil, text: text) }
}

/// An export whose file has a piece of text for each request.
protocol ForeignFileExport {
    var plan: ExportPlan { get }
    var templates: ForeignTemplates { get set }
}

extension ForeignFileExport {
    /// What each request becomes, in their order. Those that can't be said in such a file are named.
    mutating func pieces<Piece>(
        _ write: (inout Self, MergedRequest) throws(Inexpressible) -> Piece
    ) -> [Piece] {
        var pieces: [Piece] = []
        for request in plan.requests {
            templates.request = request.definition
            templates.notes.request = request.definition.id
            do throws(Inexpressible) {
                pieces.append(try write(&self, request))
            } catch {
                templates.notes.add("left out: \(error.reason)")
            }
        }
        templates.request = nil
        templates.notes.request = nil
        return pieces
    }
}

// What is captured and what is expected of an answer are the same things.

extension CaptureSource {
    init(_ subject: ExpectationSubject) {
        self =
            switch subject {
            case .filter(let filter): .filter(filter)
            case .header(let name): .header(name)
            case .cookie(let name): .cookie(name)
            case .status: .status
            case .url: .url
            case .body: .body
            default: .subject(subject)
            }
    }

    var subject: ExpectationSubject {
        switch self {
        case .filter(let filter): .filter(filter)
        case .header(let name): .header(name)
        case .cookie(let name): .cookie(name)
        case .status: .status
        case .url: .url
        case .body: .body
        case .subject(let subject): subject
        }
    }
}

extension CaptureDefinition {
    /// What is noted of a secret for a program that captures none; `nil`: it isn't one.
    var exposure: String? { isSecret ? "`capture`: \(name) is a secret, and isn't masked there" : nil }
}
