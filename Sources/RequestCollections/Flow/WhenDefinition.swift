import NetworkLayer

/// When a request is sent at all: `when: { plan: [pro, team], order_id: exists }`. All of it must hold.
package struct WhenDefinition: Hashable, Sendable, Codable {
    package var conditions: [Condition]
    package var location: SourceLocation

    /// What a variable must be.
    package struct Condition: Hashable, Sendable, Codable {
        package var variable: String
        package var matcher: Matcher
        package var location: SourceLocation
    }
}

extension WhenDefinition {
    var withoutLocations: WhenDefinition { mappingLocations { _ in nil } }

    func mappingLocations(_ change: (SourceLocation) -> SourceLocation?) -> WhenDefinition {
        var copy = self
        copy.location = change(location) ?? .none
        for index in conditions.indices { copy.conditions[index].location = change(conditions[index].location) ?? .none }
        return copy
    }
}

extension RequestCollection {
    /// What must hold for a request to be sent: what the folders around it say, and then what it says itself.
    package func conditions(of definition: RequestDefinition) -> [(condition: WhenDefinition.Condition, folder: RequestID?)] {
        let ofFolders = folders(around: definition.id).flatMap { folder in
            (folder.when?.conditions ?? []).map { (condition: $0, folder: RequestID?.some(folder.id)) }
        }
        return ofFolders + (definition.when?.conditions ?? []).map { (condition: $0, folder: nil) }
    }
}

extension WhenDefinition: CustomStringConvertible {
    /// `plan is pro or team, order_id is exists`
    package var description: String { conditions.map(\.description).joined(separator: ", ") }
}

extension WhenDefinition.Condition: CustomStringConvertible {
    /// `when plan is pro`
    package var description: String { "\(variable) is \(matcher.description)" }

    /// Only the person who runs it decides whether a value may do that.
    var asksForPresence: Bool {
        switch matcher {
        case .exists, .missing, .not(.exists), .not(.missing): true
        default: false
        }
    }
}

extension RequestResolver {
    /// - Returns: `nil` for what has no value.
    private mutating func value(of condition: WhenDefinition.Condition) throws(ResolutionError) -> LabelledValue? {
        do throws(ResolutionError) {
            return try scope.value(of: condition.variable, at: condition.location)
        } catch {
            guard error.code == .variable, error.variable == condition.variable else { throw error }
            return nil
        }
    }

    /// What the conditions need to be known, without knowing it.
    ///
    /// - Throws: also for a variable that nothing can give a value: then what looks like a condition is a mistake.
    mutating func surveyConditions() throws(ResolutionError) {
        for (condition, _) in conditions {
            _ = try filledIn(condition.matcher, of: .filter(condition.variable), at: condition.location)
            if try value(of: condition) == nil { try checkName(in: condition) }
        }
    }

    /// - Throws: for a variable without a value that nothing can give one: its request would be skipped for ever.
    private mutating func checkName(in condition: WhenDefinition.Condition) throws(ResolutionError) {
        guard !condition.asksForPresence, !scope.isGivenSomewhere(condition.variable) else { return }
        _ = try scope.value(of: condition.variable, at: condition.location)
    }

    /// - Throws: with the code `condition` when one doesn't hold; what has no value is none that exists.
    mutating func checkConditions() throws(ResolutionError) {
        for (condition, _) in conditions {
            let value = try value(of: condition)
            if value == nil { try checkName(in: condition) }
            // Until it is known what a secret or an answer is, nobody can say whether it holds.
            if let unmet = scope.unmetError { throw unmet }
            let matcher = try filledIn(condition.matcher, of: .filter(condition.variable), at: condition.location)
            var context = MatchContext(now: scope.sources.now, asks: true)
            // A text from outside, such as a cell of CSV or an environment variable, counts as the number or the `true` that it looks like.
            let kind: MatcherKind = if case .string? = value?.value { .text } else { .json }
            let holds = matcher.matches(value?.value, kind, &context)
            guard context.open.isEmpty else {
                throw ResolutionError(
                    .definition,
                    "the regular expression of `when` could take very long; write one without a repetition in a repetition",
                    at: condition.location)
            }
            guard !holds else { continue }
            let found = value.map { "is " + ($0.labels.isEmpty ? $0.value.text(pretty: false) : Redactor.mask) } ?? "has no value"
            throw ResolutionError(
                .condition, "`when` wants `\(condition.variable)` \(matcher.demand), and it \(found)", at: condition.location)
        }
    }
}
