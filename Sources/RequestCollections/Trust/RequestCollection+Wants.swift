import Base
import HTTPTypes
package import NetworkLayer

extension RequestCollection {
    /// What requests want of the machine, and all that is sent for them: found out without sending, running or reading anything but
    /// the collection. Each want is there once, those of needed requests first.
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
        var survey = Survey(self, environment, variables, usesMocks)
        let looks = survey.looks(at: definitions)
        var reached: Set<RequestID> = []
        var seen: Set<Want> = []
        return looks.flatMap { survey.wants(with: $0, &reached) }.filter { seen.insert($0.want).inserted }
    }

    /// The same for each request by itself: what it and those before it want. Without those that want nothing.
    package func wantsByRequest(
        _ definitions: [Shared<RequestDefinition>], environment: String?, variables: [String: JSONValue] = [:],
        usesMocks: Bool = false
    ) -> [RequestID: [NotedWant]] {
        var survey = Survey(self, environment, variables, usesMocks)
        return zip(definitions, survey.looks(at: definitions)).reduce(into: [:]) { wants, pair in
            var reached: Set<RequestID> = [pair.0.id]
            var seen: Set<Want> = []
            let all = survey.wants(with: pair.1, &reached).filter { seen.insert($0.want).inserted }
            if !all.isEmpty { wants[pair.0.id] = all }
        }
    }
}

/// A walk along `needs` and `response()`.
private struct Survey {
    private let collection: RequestCollection
    private let environment: String?
    private let variables: [String: JSONValue]
    private var sources = TemplateEnvironment.survey
    /// The requests of the file that others take something from.
    private var needed: [RequestID: Look] = [:]

    struct Look {
        var surveyed = RequestResolver.Surveyed()
        /// The requests that it takes something from.
        var others: [RequestID] = []
    }

    init(_ collection: RequestCollection, _ environment: String?, _ variables: [String: JSONValue], _ usesMocks: Bool) {
        self.collection = collection
        self.environment = environment
        self.variables = variables
        sources.usesMocks = usesMocks
        sources.commandFiles = CommandFiles.Memory()
    }

    mutating func looks(at definitions: [Shared<RequestDefinition>]) -> [Look] {
        var looks = looks(definitions)
        var rest = looks
        while !rest.isEmpty {
            let new = Set(rest.flatMap(\.others)).subtracting(needed.keys).sorted().compactMap(collection.shared)
            rest = self.looks(new)
            for (definition, look) in zip(new, rest) { needed[definition.id] = look }
        }
        // Where an answer comes from is known now, so that what is taken from it may go back there.
        sources.destinations = needed.compactMapValues(\.surveyed.destination)
        for (definition, look) in zip(definitions, looks) { sources.destinations[definition.id] = look.surveyed.destination }
        for (index, definition) in definitions.enumerated() where !looks[index].surveyed.answers.isEmpty {
            looks[index] = self.look(definition.wrappedValue)
        }
        for (id, look) in needed where !look.surveyed.answers.isEmpty {
            needed[id] = collection.request(id).map(self.look)
        }
        return looks
    }

    private func looks(_ definitions: [Shared<RequestDefinition>]) -> [Look] {
        concurrentMap(definitions.count, pieceSize: 64) { [self] in look(definitions[$0].wrappedValue) }
    }

    private func look(_ definition: RequestDefinition) -> Look {
        // Without its environment nothing can be sent.
        guard
            let scope = try? VariableScope(
                collection, environment: environment, given: variables, sources: sources, for: definition)
        else { return Look() }
        var resolver = RequestResolver(definition, in: collection, scope: scope)
        let surveyed = resolver.survey()
        let needs = definition.needs.compactMap { collection.find($0.name, from: definition.id) }
        return Look(surveyed: surveyed, others: surveyed.answers + needs)
    }

    /// The wants of a request, and before them those of all that is sent for it.
    ///
    /// - Parameter reached: the requests whose wants aren't repeated.
    func wants(with look: Look, _ reached: inout Set<RequestID>) -> [NotedWant] {
        var groups = [look.surveyed.wants]
        var rest = look.others
        // Without a recursion: a chain of needs may be longer than a stack can bear.
        while let id = rest.popLast() {
            guard reached.insert(id).inserted, let look = needed[id] else { continue }
            groups.append(look.surveyed.wants)
            rest += look.others
        }
        return groups.reversed().flatMap(\.self)
    }
}

extension RequestResolver {
    struct Surveyed: Sendable {
        var wants: [NotedWant] = []
        /// The requests whose responses it uses.
        var answers: [RequestID] = []
        var destination: Origin?
    }

    /// As ``resolve()``, but what can't be filled in hides nothing of the rest.
    mutating func survey() -> Surveyed {
        guard definition.problems.isEmpty else { return Surveyed() }
        noteSources()
        try? surveyConditions()
        let url = try? url()
        var headers = (try? headers()) ?? [:]
        _ = try? body(&headers)
        _ = try? session()
        try? addCookies(to: &headers)
        let auth = try? addAuth(to: &headers)
        var configuration = (try? configuration())?.complete ?? RequestConfiguration()
        configuration.transport.authentication = auth?.transport
        _ = try? hydrate()
        _ = try? expectations()
        _ = try? until()
        _ = try? mock()
        let origin = url.flatMap(Self.origin)
        noteJourney(to: origin, secrets.uses(to: origin), configuration, auth?.oauth2)
        return Surveyed(wants: scope.wants, answers: scope.answers.keys.sorted(), destination: origin)
    }
}
