import OrderedCollections

/// A request with the defaults of its folders merged in and its templates as they stand: for exports into other languages, which fill
/// them in by themselves.
package struct MergedRequest: Sendable {
    package var definition: RequestDefinition
    /// The rows that are sent, in order.
    package var query: [Row]
    package var headers: [Row]
    /// Names of headers that `null` leaves out.
    package var omittedHeaders: [String] = []
    package var cookies: [Row]
    /// Never ``AuthDefinition/inherit``.
    package var auth: AuthDefinition
    /// Where paths of ``auth`` and of ``settings`` are relative to is put before them already.
    package var settings: RequestSettings
    package var needs: [ResolvedNeed]
    /// Where paths of the body are relative to.
    package var directory: String

    package struct Row: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A path as the body or a template of the request writes it.
    package func path(_ path: String) -> String { joined(directory, path) }
}

extension RequestCollection {
    /// The request with its folders' defaults.
    ///
    /// - Throws: for one that is broken, and for a need that isn't there.
    package func merged(_ definition: RequestDefinition) throws(ResolutionError) -> MergedRequest {
        if let problem = definition.problems.first {
            throw ResolutionError(.definition, problem.message, at: problem.location)
        }
        let scope = try VariableScope(
            self, environment: nil, given: [:], sources: TemplateEnvironment(mode: .show), for: definition)
        let resolver = RequestResolver(definition, in: self, scope: scope)
        return MergedRequest(
            definition: definition, query: resolver.rows(\.query, ignoringCase: false),
            headers: resolver.rows(\.headers, ignoringCase: true)
                + (resolver.derivedAccept().map { [.init(name: "Accept", value: $0)] } ?? []),
            omittedHeaders: resolver.allOmittedHeaders,
            cookies: resolver.rows(\.cookies, ignoringCase: false),
            auth: resolver.mergedAuth, settings: resolver.mergedSettings, needs: try resolver.needs(),
            directory: RequestCollections.directory(of: definition.location.path))
    }

    /// What an environment says, with those that it extends; its own first.
    ///
    /// - Throws: for one that isn't there, and for a circle.
    package func variables(of environment: String) throws(ResolutionError) -> [VariableDefinition] {
        // It says what is wrong.
        _ = try VariableScope(self, environment: environment, given: [:], sources: TemplateEnvironment(mode: .show))
        var merged: [VariableDefinition] = []
        var next: String? = environment
        while let name = next, let definition = environments[name] {
            merged += definition.variables.filter { variable in !merged.contains { $0.name == variable.name } }
            next = definition.extends
        }
        return merged
    }
}

extension RequestResolver {
    fileprivate func rows(_ part: (Level) -> [Row], ignoringCase: Bool) -> [MergedRequest.Row] {
        merged(part, ignoringCase: ignoringCase).map { .init(name: $0.row.name, value: $0.row.value ?? "") }
    }

    fileprivate var mergedAuth: AuthDefinition {
        guard let (auth, level) = effectiveAuth else { return .none }
        return auth.mapTexts { field, text in
            if field.isPath { text = joined(level.directory, text) }
        }
    }
}
