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

extension RequestResolver {
    /// As ``resolve()``, but what can't be filled in hides nothing of the rest.
    fileprivate mutating func errors() -> [ResolutionError] {
        guard definition.problems.isEmpty else { return [] }
        var errors: [ResolutionError] = []
        func attempt(_ part: () throws(ResolutionError) -> Void) {
            do throws(ResolutionError) { try part() } catch { if !errors.contains(error) { errors.append(error) } }
        }
        var copy = self
        attempt { () throws(ResolutionError) in try copy.surveyConditions() }
        attempt { () throws(ResolutionError) in _ = try copy.url() }
        var headers = (try? copy.headers()) ?? [:]
        attempt { () throws(ResolutionError) in _ = try copy.headers() }
        attempt { () throws(ResolutionError) in _ = try copy.body(&headers) }
        attempt { () throws(ResolutionError) in try copy.addCookies(to: &headers) }
        attempt { () throws(ResolutionError) in _ = try copy.addAuth(to: &headers) }
        attempt { () throws(ResolutionError) in _ = try copy.configuration() }
        attempt { () throws(ResolutionError) in _ = try copy.hydrate() }
        attempt { () throws(ResolutionError) in _ = try copy.expectations() }
        attempt { () throws(ResolutionError) in _ = try copy.until() }
        attempt { () throws(ResolutionError) in _ = try copy.mock() }
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
