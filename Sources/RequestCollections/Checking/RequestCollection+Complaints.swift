import Base
import HTTPTypes
import NetworkLayer

extension RequestCollection {
    /// The same about several requests, in their order.
    package func complaints(
        about definitions: [RequestDefinition], environment: String?, variables: [String: JSONValue] = [:]
    ) -> [CollectionProblem] {
        concurrentMap(definitions.count, pieceSize: 64) { index in
            complaints(about: definitions[index], environment: environment, variables: variables)
        }
        .flatMap(\.self)
    }

    /// Everything about a request that can be known to be wrong without sending it, running a command or reading another file.
    package func complaints(
        about definition: RequestDefinition, environment: String?, variables: [String: JSONValue] = [:]
    ) -> [CollectionProblem] {
        let errors: [ResolutionError]
        do throws(ResolutionError) {
            let scope = try VariableScope(
                self, environment: environment, given: variables, sources: .survey, for: definition)
            var resolver = RequestResolver(definition, in: self, scope: scope)
            errors = resolver.errors()
        } catch {
            errors = [error]
        }
        return errors.filter(\.isKnown).map { CollectionProblem(location: $0.location ?? definition.location, message: $0.message) }
    }
}

extension RequestCollection {
    /// The methods that change nothing, so that a request may be repeated.
    private static let safeMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .trace, HTTPRequest.Method("QUERY") ?? .get]

    /// What may be meant otherwise, or couldn't be looked at: it is no error, and yet nobody knows that it is right.
    package func remarks(
        about definitions: [RequestDefinition], environment: String?, variables: [String: JSONValue] = [:]
    ) -> [CollectionProblem] {
        // Many may name the same document.
        var known: Set<Want> = []
        var knownKeywords: Set<JSONSchema.UnknownKeyword> = []
        return definitions.flatMap { definition -> [CollectionProblem] in
            let again = definition.until.flatMap { until in
                definition.isWebSocket || HTTPRequest.Method(definition.method).map(Self.safeMethods.contains) == true
                    ? nil : CollectionProblem(location: until.location, message: "each poll sends the \(definition.method) again")
            }
            let polls = (again.map { [$0] } ?? []) + (definition.problems.isEmpty ? definition.vainExpectations() : [])
            let hasDocuments = definition.allExpectations.contains(where: \.matcher.hasSchema)
            let conditions = self.conditions(of: definition).flatMap(\.when.allConditions).filter(\.asksForPresence)
            guard hasDocuments || !conditions.isEmpty || definition.body?.kind == .graphql, definition.problems.isEmpty,
                var scope = try? VariableScope(
                    self, environment: environment, given: variables, sources: .survey, for: definition)
            else { return definition.problems.isEmpty ? polls : [] }
            let lost = conditions.filter { condition in
                (try? scope.value(of: condition.variable, at: condition.location)) == nil
                    && !scope.isGivenSomewhere(condition.variable)
            }
            var resolver = RequestResolver(definition, in: self, scope: scope)
            _ = try? resolver.schema()
            let until = try? resolver.until()
            let expectations = ((try? resolver.expectations()) ?? []) + (until?.conditions ?? []) + (until?.giveUp ?? [])
            let unread = resolver.scope.wants.filter { noted in
                guard case .read(let path, _) = noted.want, ["schema", "contract", "graphql-schema"].contains(noted.purpose) else {
                    return false
                }
                return FileContents.exists(path) && known.insert(noted.want).inserted
            }
            let nameless = lost.map { condition in
                CollectionProblem(
                    location: condition.location,
                    message: "nothing here gives `\(condition.variable)` a value: only --var or a row of --data could")
            }
            let documents = unread.map { noted in
                CollectionProblem(
                    location: noted.location ?? definition.location,
                    message: "\(noted.want.subject) wasn't read: it isn't the collection's own; "
                        + (noted.purpose == "graphql-schema" ? "those of a directory are" : "a run asks for it"))
            }
            let keywords = expectations.flatMap { expectation in
                expectation.matcher.schemas.flatMap { $0.schema?.unknownKeywords ?? [] }
                    .filter { knownKeywords.insert($0).inserted }
                    .map { CollectionProblem(location: expectation.location, message: $0.message) }
            }
            return polls + nameless + documents + keywords
        }
    }
}

extension RequestResolver {
    /// As ``resolve()``, but what can't be filled in hides nothing of the rest.
    fileprivate mutating func errors() -> [ResolutionError] {
        guard definition.problems.isEmpty else { return [] }
        var errors: [ResolutionError] = []
        func attempt(_ part: () throws(ResolutionError) -> Void) {
            do throws(ResolutionError) { try part() } catch { if !errors.contains(error) { errors.append(error) } }
        }
        var copy = self
        var url: URL?
        var expectations: [ExpectationDefinition] = []
        attempt { () throws(ResolutionError) in try copy.surveyConditions() }
        attempt { () throws(ResolutionError) in url = try copy.url() }
        var headers = (try? copy.headers()) ?? [:]
        attempt { () throws(ResolutionError) in _ = try copy.headers() }
        attempt { () throws(ResolutionError) in _ = try copy.body(&headers) }
        attempt { () throws(ResolutionError) in errors += try copy.queryFaults() }
        attempt { () throws(ResolutionError) in _ = try copy.session() }
        attempt { () throws(ResolutionError) in try copy.addCookies(to: &headers) }
        attempt { () throws(ResolutionError) in _ = try copy.addAuth(to: &headers) }
        attempt { () throws(ResolutionError) in _ = try copy.configuration() }
        attempt { () throws(ResolutionError) in _ = try copy.hydrate() }
        attempt { () throws(ResolutionError) in expectations = try copy.expectations() }
        attempt { () throws(ResolutionError) in
            let until = try copy.until()
            expectations += (until?.conditions ?? []) + (until?.giveUp ?? [])
        }
        attempt { () throws(ResolutionError) in _ = try copy.mock() }
        attempt { () throws(ResolutionError) in if let url { try copy.checkOperations(of: expectations, for: url) } }
        return errors + copy.missingFiles
    }

    /// Files are looked for, not read: that one can't be read for another reason shows when it is sent.
    private var missingFiles: [ResolutionError] {
        scope.files.filter { !FileContents.exists($0.path) }.map { path, location in
            let location = location ?? definition.location
            let directory = joined(RequestCollections.directory(of: location.path), "")
            let name = path.hasPrefix(directory) ? String(path.dropFirst(directory.count)) : path
            return ResolutionError(.definition, "there is no file `\(name)`", at: location)
        }
    }
}

extension ResolutionError {
    /// Whether it is wrong whatever secrets, answers and files turn out to be. With a placeholder in it a URL, a number or a name may be
    /// none.
    fileprivate var isKnown: Bool {
        switch code {
        case .unmet, .notAllowed, .file, .authentication: false
        default: !message.contains("‹") && !message.contains(Redactor.mask)
        }
    }
}
