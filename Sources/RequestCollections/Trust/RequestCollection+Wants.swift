import Base
import HTTPTypes
package import NetworkLayer

extension RequestCollection {
    /// What requests want of the machine, and all that is sent for them: found out without sending, running or reading anything but
    /// the collection.
    ///
    /// What an address or a path says that is known only later isn't in it: it is asked for when it is known.
    ///
    /// - Parameters:
    ///   - definitions: also ones that were edited and aren't saved.
    ///   - variables: win over everything in the file.
    ///   - usesMocks: requests that have a mock are answered by it.
    package func wants(
        of definitions: [RequestDefinition], environment: String?, variables: [String: JSONValue] = [:], usesMocks: Bool = false
    ) -> [NotedWant] {
        wants(
            of: definitions.map { Shared(wrappedValue: $0) }, environment: environment, variables: variables, usesMocks: usesMocks)
    }

    /// The same for requests that are shared with the collection.
    package func wants(
        of definitions: [Shared<RequestDefinition>], environment: String?, variables: [String: JSONValue] = [:],
        usesMocks: Bool = false
    ) -> [NotedWant] {
        var survey = Survey(collection: self, environment: environment, variables: variables, usesMocks: usesMocks)
        survey.visit(definitions)
        return survey.wants
    }

    /// The same for each request by itself: what it and those before it want. Without those that want nothing.
    package func wantsByRequest(
        _ definitions: [Shared<RequestDefinition>], environment: String?, variables: [String: JSONValue] = [:],
        usesMocks: Bool = false
    ) -> [RequestID: [NotedWant]] {
        var survey = Survey(collection: self, environment: environment, variables: variables, usesMocks: usesMocks)
        survey.visit(definitions)
        var wants: [RequestID: [NotedWant]] = [:]
        for definition in definitions {
            let all = survey.wants(with: definition.id)
            if !all.isEmpty { wants[definition.id] = all }
        }
        return wants
    }
}

/// A walk along `needs` and `response()`.
private struct Survey {
    let collection: RequestCollection
    let environment: String?
    let variables: [String: JSONValue]
    let usesMocks: Bool
    var wants: [NotedWant] = []
    private var seen: Set<Want> = []
    /// The last with each id, and those before it: there may be several, one that was edited, and the one in the file.
    private var visited: [RequestID: Shared<RequestDefinition>] = [:]
    private var earlier: [RequestID: [Shared<RequestDefinition>]] = [:]
    /// The destinations of the requests whose answers others use.
    private var destinations: [RequestID: Answerer] = [:]
    /// The wants of each request that has some, and the requests that it takes something from. Most of a hundred thousand have neither.
    private var own: [Entry: [NotedWant]] = [:]
    private var before: [Entry: [RequestID]] = [:]

    private let commandFiles = CommandFiles.Memory()

    /// One that was given may be a draft, and others still take something from the one in the file.
    private struct Entry: Hashable {
        var id: RequestID
        var isGiven: Bool
    }

    init(collection: RequestCollection, environment: String?, variables: [String: JSONValue], usesMocks: Bool) {
        self.collection = collection
        self.environment = environment
        self.variables = variables
        self.usesMocks = usesMocks
    }

    mutating func visit(_ definitions: [Shared<RequestDefinition>]) {
        // The requests are surveyed in parts, so that the findings of only one part are kept at a time.
        for first in stride(from: 0, to: definitions.count, by: Self.partSize) {
            let part = definitions[first..<min(first + Self.partSize, definitions.count)]
            // A request that takes no answer of another one looks the same at any time.
            let looks = concurrentMap(part.count, pieceSize: 64) { [self] index in survey(part[first + index].wrappedValue) }
            for (definition, look) in zip(part, looks) { visit(definition, look) }
        }
    }

    private static let partSize = 4096

    /// A request that is being visited: those that it takes something of come first.
    private struct Visit {
        let definition: RequestDefinition
        var surveyed: RequestResolver.Surveyed
        let others: [RequestID]
        let isGiven: Bool
        /// How many of them have been visited.
        var visitedCount = 0
    }

    /// Without a recursion: a chain of needs may be longer than a stack can bear.
    ///
    /// - Parameter look: what a first look at the definition found; `nil`: it hasn't been looked at.
    private mutating func visit(_ shared: Shared<RequestDefinition>, _ look: RequestResolver.Surveyed? = nil) {
        var open = [begin(shared, look)].compactMap(\.self)
        while let last = open.indices.last {
            guard open[last].visitedCount < open[last].others.count else {
                end(open.removeLast())
                continue
            }
            let other = collection.shared(open[last].others[open[last].visitedCount])
            open[last].visitedCount += 1
            if let visit = other.flatMap({ begin($0, nil) }) { open.append(visit) }
        }
    }

    /// - Returns: `nil` when it was visited before.
    private mutating func begin(_ shared: Shared<RequestDefinition>, _ look: RequestResolver.Surveyed?) -> Visit? {
        let definition = shared.wrappedValue
        if let last = visited[definition.id] {
            guard last != shared, earlier[definition.id]?.contains(shared) != true else { return nil }
            earlier[definition.id, default: []].append(last)
        }
        visited[definition.id] = shared
        let surveyed = look ?? survey(definition)
        if destinations[definition.id] != nil { destinations[definition.id] = surveyed.destination }
        let others = surveyed.answers + definition.needs.compactMap { collection.find($0.name, from: definition.id) }
        return Visit(definition: definition, surveyed: surveyed, others: others, isGiven: look != nil)
    }

    private mutating func end(_ visit: Visit) {
        let (definition, others) = (visit.definition, visit.others)
        var surveyed = visit.surveyed
        if !surveyed.answers.isEmpty {
            // Where the others go is known now.
            for id in surveyed.answers where destinations[id] == nil {
                destinations[id] = visited[id].flatMap { survey($0.wrappedValue).destination }
            }
            surveyed = survey(definition)
        }
        let entry = Entry(id: definition.id, isGiven: visit.isGiven)
        if !surveyed.wants.isEmpty { own[entry] = surveyed.wants }
        if !others.isEmpty { before[entry] = others }
        for noted in surveyed.wants where seen.insert(noted.want).inserted { wants.append(noted) }
    }

    /// The wants of a request that was visited, and of all that is sent for it, each once.
    func wants(with request: RequestID) -> [NotedWant] {
        var wants: [NotedWant] = []
        var seen: Set<Want> = []
        var reached: Set<RequestID> = [request]
        var rest = [entry(of: request, isGiven: true)]
        while let entry = rest.popLast() {
            for noted in own[entry] ?? [] where seen.insert(noted.want).inserted { wants.append(noted) }
            for other in before[entry] ?? [] where reached.insert(other).inserted {
                rest.append(self.entry(of: other, isGiven: false))
            }
        }
        return wants
    }

    /// Where the given one is that of the file, it was visited once, as either.
    private func entry(of id: RequestID, isGiven: Bool) -> Entry {
        let entry = Entry(id: id, isGiven: isGiven)
        guard earlier[id] == nil, own[entry] == nil, before[entry] == nil else { return entry }
        return Entry(id: id, isGiven: !isGiven)
    }

    private func survey(_ definition: RequestDefinition) -> RequestResolver.Surveyed {
        var sources = TemplateEnvironment.survey
        sources.usesMocks = usesMocks
        sources.commandFiles = commandFiles
        sources.destinations = destinations
        do throws(ResolutionError) {
            let scope = try VariableScope(
                collection, environment: environment, given: variables, sources: sources, for: definition)
            var resolver = RequestResolver(definition, in: collection, scope: scope)
            return resolver.survey()
        } catch {
            // Without its environment nothing can be sent.
            return RequestResolver.Surveyed()
        }
    }
}

extension RequestResolver {
    struct Surveyed {
        /// Whether all of it could be looked at: what can't be filled in may hide something.
        var isWhole = false
        var wants: [NotedWant] = []
        /// The requests whose responses it uses.
        var answers: [RequestID] = []
        var destination: Answerer?
    }

    /// As ``resolve()``, but what can't be filled in hides nothing of the rest.
    mutating func survey() -> Surveyed {
        guard definition.problems.isEmpty else { return Surveyed() }
        var isWhole = true
        func attempt<Value>(_ part: () throws(ResolutionError) -> Value) -> Value? {
            do throws(ResolutionError) { return try part() } catch {
                isWhole = false
                return nil
            }
        }
        var copy = self
        copy.noteSources()
        _ = attempt { () throws(ResolutionError) in try copy.surveyConditions() }
        let url = attempt { () throws(ResolutionError) in try copy.url() }
        var headers = attempt { () throws(ResolutionError) in try copy.headers() } ?? [:]
        _ = attempt { () throws(ResolutionError) in try copy.body(&headers) }
        _ = attempt { () throws(ResolutionError) in try copy.addCookies(to: &headers) }
        let auth = attempt { () throws(ResolutionError) in try copy.addAuth(to: &headers) }
        var configuration = attempt { () throws(ResolutionError) in try copy.configuration().complete } ?? RequestConfiguration()
        configuration.transport.authentication = auth?.transport
        _ = attempt { () throws(ResolutionError) in try copy.hydrate() }
        _ = attempt { () throws(ResolutionError) in try copy.expectations() }
        _ = attempt { () throws(ResolutionError) in try copy.until() }
        _ = attempt { () throws(ResolutionError) in try copy.mock() }
        let origin = url.flatMap { Self.origin(of: $0) }
        copy.noteJourney(to: origin, copy.secrets.uses(to: origin), configuration, auth?.oauth2)
        self = copy
        return Surveyed(
            isWhole: isWhole, wants: scope.wants, answers: scope.answers.keys.sorted(),
            destination: origin.map { Answerer($0, by: Route(configuration.transport)) })
    }
}
