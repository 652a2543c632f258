import NetworkLayer

/// When a request is sent at all: `when: { plan: [pro, team], order_id: exists }`. All of it must hold, and of
/// `any: [{ plan: pro }, { stage: test, user: exists }]` one of the maps.
package struct WhenDefinition: Hashable, Sendable, Codable {
    package var conditions: [Condition]
    /// One of these must hold, which has at least one condition; empty: nothing more is asked.
    package var alternatives: [[Condition]] = []
    package var location: SourceLocation

    package init(conditions: [Condition], alternatives: [[Condition]] = [], location: SourceLocation) {
        (self.conditions, self.alternatives, self.location) = (conditions, alternatives, location)
    }

    /// What a variable must be.
    package struct Condition: Hashable, Sendable, Codable {
        package var variable: String
        package var matcher: Matcher
        package var location: SourceLocation

        package init(variable: String, matcher: Matcher, location: SourceLocation) {
            (self.variable, self.matcher, self.location) = (variable, matcher, location)
        }
    }
}

extension WhenDefinition {
    func mappingLocations(_ change: (SourceLocation) -> SourceLocation?) -> WhenDefinition {
        var copy = self
        copy.location = change(location) ?? .none
        func map(_ conditions: [Condition]) -> [Condition] {
            conditions.map { Condition(variable: $0.variable, matcher: $0.matcher, location: change($0.location) ?? .none) }
        }
        (copy.conditions, copy.alternatives) = (map(conditions), alternatives.map(map))
        return copy
    }

    /// Every condition, wherever it stands.
    package var allConditions: [Condition] { conditions + alternatives.flatMap(\.self) }
}

extension RequestCollection {
    /// What must hold for a request to be sent: what the folders around it say, and then what it says itself.
    package func conditions(of definition: RequestDefinition) -> [(when: WhenDefinition, folder: RequestID?)] {
        let ofFolders =
            !index.places(in: nodes).hasConditions
            ? []
            : folders(around: definition.id).compactMap { folder in
                folder.when.map { (when: $0, folder: RequestID?.some(folder.id)) }
            }
        return ofFolders + (definition.when.map { [(when: $0, folder: nil)] } ?? [])
    }
}

extension RequestCollection {
    /// Which condition of a request doesn't hold, before the items of its loop are known; `nil` also where that can't be told yet.
    package func unmetCondition(
        of definition: RequestDefinition, environment: String?, variables: [String: JSONValue], with sources: TemplateEnvironment
    ) -> ResolutionError? {
        let conditions = self.conditions(of: definition).flatMap(\.when.allConditions)
        let variable = definition.forEach?.variable ?? ""
        guard !conditions.isEmpty,
            !conditions.contains(where: { $0.variable == variable || $0.variable.hasPrefix("\(variable).") }),
            let scope = try? VariableScope(self, environment: environment, given: variables, sources: sources, for: definition)
        else { return nil }
        var resolver = RequestResolver(definition, in: self, scope: scope)
        do throws(ResolutionError) {
            try resolver.checkConditions()
            return nil
        } catch {
            return error.code == .condition ? error : nil
        }
    }
}

extension WhenDefinition: CustomStringConvertible {
    /// `plan is pro or team, order_id is exists`, `either plan is pro, or stage is test and user is exists`
    package var description: String {
        let any = alternatives.map { $0.map(\.description).joined(separator: " and ") }.joined(separator: ", or ")
        return (conditions.map(\.description) + (any.isEmpty ? [] : ["either \(any)"])).joined(separator: ", ")
    }
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
        for condition in conditions.flatMap(\.when.allConditions) {
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
        for (when, _) in conditions {
            for condition in when.conditions {
                if let found = try lack(of: condition) { throw unmet(condition, found) }
            }
            try checkAlternatives(of: when)
        }
    }

    private mutating func checkAlternatives(of when: WhenDefinition) throws(ResolutionError) {
        var lacks: [String] = []
        for conditions in when.alternatives {
            var lack: String?
            // A name that nothing gives is a mistake, also behind a condition that doesn't hold.
            for condition in conditions {
                if let found = try self.lack(of: condition), lack == nil {
                    lack = "`\(condition.variable)` \(condition.matcher.demand), and it \(found)"
                }
            }
            guard let lack else { return }
            lacks.append(lack)
        }
        guard !lacks.isEmpty else { return }
        throw ResolutionError(
            .condition, "`when` wants any of these: \(lacks.joined(separator: "; or "))",
            at: when.alternatives.first?.first?.location ?? when.location)
    }

    private func unmet(_ condition: WhenDefinition.Condition, _ found: String) -> ResolutionError {
        ResolutionError(
            .condition, "`when` wants `\(condition.variable)` \(condition.matcher.demand), and it \(found)", at: condition.location)
    }

    /// - Returns: what is there in place of what is wanted, as the end of a sentence; `nil` when it holds.
    private mutating func lack(of condition: WhenDefinition.Condition) throws(ResolutionError) -> String? {
        let value = try value(of: condition)
        if value == nil { try checkName(in: condition) }
        // Whether the condition holds can't be said before the secret or the answer is known.
        if let unmet = scope.unmetError { throw unmet }
        let matcher = try filledIn(condition.matcher, of: .filter(condition.variable), at: condition.location)
        var context = MatchContext(now: scope.sources.now)
        // A text from outside, such as a cell of CSV or an environment variable, counts as the number or the `true` that it looks like.
        let kind: MatcherKind = if case .string? = value?.value { .text } else { .json }
        let holds = matcher.matches(value?.value, kind, &context)
        if let problem = context.problem { throw ResolutionError(.definition, problem, at: condition.location) }
        guard !holds else { return nil }
        return value.map { "is " + ($0.labels.isEmpty ? $0.value.text(pretty: false) : Redactor.mask) } ?? "has no value"
    }
}
