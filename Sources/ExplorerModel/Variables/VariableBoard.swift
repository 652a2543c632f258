import OrderedCollections
package import RequestCollections
package import TerminalUI

/// All variables of a collection, environment by environment.
package struct VariableBoard: Hashable, Sendable {
    package var collection: String
    package internal(set) var list = ListState()
    /// What the cursor goes to as soon as it is there.
    var wanted: Place?

    package init(collection: String) { self.collection = collection }

    package enum Row: Hashable, Sendable {
        /// `nil`: of all environments.
        case scope(EnvironmentDefinition?)
        case variable(VariableDefinition, in: String?)

        /// The environment that it is or stands in.
        package var environment: String? {
            switch self {
            case .scope(let environment): environment?.name
            case .variable(_, let environment): environment
            }
        }

        var place: Place {
            switch self {
            case .scope(let environment): Place(environment: environment?.name)
            case .variable(let variable, let environment): Place(environment: environment, variable: variable.name)
            }
        }
    }

    struct Place: Hashable, Sendable {
        var environment: String?
        var variable: String?
    }
}

extension RequestCollection {
    /// First the variables of all environments, then each environment with its own.
    package var variableRows: [VariableBoard.Row] {
        [.scope(nil)] + variables.map { .variable($0, in: nil) }
            + environments.values.flatMap { environment in
                [.scope(environment)] + environment.variables.map { .variable($0, in: environment.name) }
            }
    }
}

extension VariableDefinition {
    /// Whether its value is drawn as dots: a secret, or a text of which the name says that it is one.
    package var isMasked: Bool {
        guard case .text(let text) = value else { return false }
        return VariableBoard.masks(name) && !text.contains("{{") && !text.isEmpty
    }
}
