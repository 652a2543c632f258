import NetworkLayer
import OrderedCollections

/// A text that a person has just typed into a request, and what it wants of the machine.
///
/// Whoever types a command into a collection that is allowed what it wants need not be asked for it. That holds for what stands in the
/// typed text alone: what it only calls up, a variable of the file or another row, somebody else may have written.
package struct TypedText: Hashable, Sendable {
    package var before: RequestDefinition
    package var after: RequestDefinition
    /// The text of the field that was edited, as it was and as it is.
    package var old: String
    package var new: String
    package var place: Place

    package enum Place: Hashable, Sendable {
        case url
        /// A path of a file that is sent.
        case bodyFile
        case other
    }

    package init(_ new: String, insteadOf old: String, in place: Place, from before: RequestDefinition, to after: RequestDefinition)
    {
        self.new = new
        self.old = old
        self.place = place
        self.before = before
        self.after = after
    }
}

extension RequestCollection {
    /// What a person who typed this wants.
    package func wants(
        of typed: TypedText, environment: String?, variables: [String: JSONValue] = [:]
    ) -> [NotedWant] {
        let before = survey(typed.before, environment, variables)
        // What was hidden before may show now, and nobody has typed it.
        guard before.isWhole else { return [] }
        let fresh = survey(typed.after, environment, variables).wants.filter { noted in
            !before.wants.contains { $0.want == noted.want }
        }
        let old = survey(typed.old, for: typed.before, environment, variables)
        let new = survey(typed.new, for: typed.after, environment, variables)
        let others = old.wants.union(wantsOfVariables(around: typed.before, environment, variables))
        return fresh.filter { noted in
            switch noted.want {
            case .run, .env: new.wants.contains(noted.want) && !others.contains(noted.want)
            case .read: (typed.place == .bodyFile || new.wants.contains(noted.want)) && !others.contains(noted.want)
            case .send(let secret, _, _): typed.place == .url || new.secrets.contains(secret)
            case .write, .ambient, .route, .carry, .open: false
            }
        }
    }

    private func survey(
        _ definition: RequestDefinition, _ environment: String?, _ variables: [String: JSONValue]
    ) -> RequestResolver.Surveyed {
        guard let scope = scope(for: definition, environment, variables) else { return RequestResolver.Surveyed() }
        var resolver = RequestResolver(definition, in: self, scope: scope)
        return resolver.survey()
    }

    private func scope(
        for request: RequestDefinition, _ environment: String?, _ variables: [String: JSONValue]
    ) -> VariableScope? {
        do throws(ResolutionError) {
            return try VariableScope(self, environment: environment, given: variables, sources: .survey, for: request)
        } catch {
            return nil
        }
    }

    /// What a text wants by itself, and the secrets in it.
    private func survey(
        _ text: String, for request: RequestDefinition, _ environment: String?, _ variables: [String: JSONValue]
    ) -> (wants: Set<Want>, secrets: Set<String>) {
        guard var scope = scope(for: request, environment, variables) else { return ([], []) }
        do throws(ResolutionError) {
            let filled = try scope.text(text, at: nil)
            return (Set(scope.wants.map(\.want)), Set(filled.labels.map(\.name)))
        } catch {
            return ([], [])
        }
    }

    /// Used or not.
    private func wantsOfVariables(
        around request: RequestDefinition, _ environment: String?, _ variables: [String: JSONValue]
    ) -> Set<Want> {
        let all = self.variables + environments.values.flatMap(\.variables) + self.variables(around: request)
        return Set(all.map(\.name)).reduce(into: []) { wants, name in
            wants.formUnion(survey("{{\(name)}}", for: request, environment, variables).wants)
        }
    }
}
