package import NetworkLayer

/// Where everything about a request comes from: each effective value, the place that it stands in, and what it won over.
///
/// A value to show. Secrets are masked in it, and nothing is asked for: what a command, a person or another response would give is
/// shown as a placeholder such as `‹git rev-parse HEAD›`.
package struct Explanation: Hashable, Sendable {
    package var request: RequestID
    /// In the order of ``Group``, and in a group in the order in which it is sent.
    package var rows: [Row]

    package init(request: RequestID, rows: [Row]) {
        self.request = request
        self.rows = rows
    }

    package enum Group: String, Hashable, Sendable, CaseIterable {
        case url, path, query, headers, cookies, auth, body, settings, when, needs, capture, expect, until, variables
    }

    package struct Row: Hashable, Sendable {
        package var group: Group
        /// A header's, parameter's or variable's name, a setting's key (`timeouts.idle`), what is expected; empty for the rest.
        package var name: String
        package var value: String
        package var origin: Origin
        /// What would hold without it, the nearest first.
        package var overrode: [Overridden]
        /// It takes away what a farther level gave, by `null` or `enabled: false`.
        package var isRemoved: Bool
        /// Why ``value`` is the text as it stands in the file: a template in it can't be filled in.
        package var problem: String?
        /// The text as it stands in the file, where templates in it were filled in.
        package var template: String?

        package init(
            _ group: Group, _ name: String, _ value: String, _ origin: Origin, overrode: [Overridden] = [],
            isRemoved: Bool = false, problem: String? = nil
        ) {
            self.group = group
            self.name = name
            self.value = value
            self.origin = origin
            self.overrode = overrode
            self.isRemoved = isRemoved
            self.problem = problem
        }
    }

    package struct Origin: Hashable, Sendable {
        package var source: ValueOrigin.Source
        /// `nil` for what doesn't stand in a file.
        package var location: SourceLocation?

        package init(_ source: ValueOrigin.Source, at location: SourceLocation?) {
            self.source = source
            self.location = location
        }
    }

    package struct Overridden: Hashable, Sendable {
        /// As it stands in the file, secrets masked.
        package var value: String
        package var origin: Origin

        package init(_ value: String, _ origin: Origin) {
            self.value = value
            self.origin = origin
        }
    }
}

extension RequestCollection {
    /// Where everything about a request comes from.
    ///
    /// - Throws: only for an environment that isn't there. What can't be filled in is a row with a ``Explanation/Row/problem``.
    package func explain(
        _ definition: RequestDefinition, environment: String?, variables: [String: JSONValue] = [:],
        secretVariables: [String: [OriginPattern]] = [:], captured: [String: CapturedValue] = [:]
    ) throws(ResolutionError) -> Explanation {
        let scope = try VariableScope(
            self, environment: environment, given: variables, givenSecrets: secretVariables,
            sources: TemplateEnvironment(captured: captured, showsPlaceholders: true), for: definition)
        var resolver = RequestResolver(definition, in: self, scope: scope)
        return resolver.explain()
    }
}

extension ValueOrigin.Source: CustomStringConvertible {
    /// As the end of "from".
    package var description: String {
        switch self {
        case .request: "this request"
        case .defaults(nil): "the collection's defaults"
        case .defaults(let id?): "the defaults of \(id)"
        case .environment(let name): "the environment \(name)"
        case .variables(nil): "the collection's variables"
        case .variables(let id?): "the variables of \(id)"
        case .item: "an item of `for-each`"
        case .given: "what was given by hand"
        case .captured(let id): "the response of \(id)"
        case .derived: "another part of the request"
        case .library: "the library"
        }
    }
}
