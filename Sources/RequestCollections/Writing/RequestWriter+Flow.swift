extension RequestWriter {
    static func when(_ when: WhenDefinition) -> DesiredValue {
        func entries(_ conditions: [WhenDefinition.Condition]) -> [DesiredEntry] {
            conditions.map { DesiredEntry(source: nil, key: $0.variable, value: ExpectationWriter.value($0.matcher)) }
        }
        let any = when.alternatives.map { DesiredEntry(source: nil, key: "", value: .map(entries($0), .automatic)) }
        return .map(
            entries(when.conditions) + (any.isEmpty ? [] : [DesiredEntry(source: nil, key: "any", value: .list(any, .automatic))]),
            .automatic)
    }

    /// A duration alone where that says all.
    static func until(_ until: UntilDefinition) -> DesiredValue {
        if until.conditions.isEmpty, until.giveUp.isEmpty, until.every == nil, until.tries == nil, let within = until.within {
            return .scalar(DurationText.format(within), .text)
        }
        var entries: [DesiredEntry] = []
        if case .map(let conditions, _) = ExpectationWriter.value(until.conditions) { entries += conditions }
        func add(_ key: String, _ value: DesiredValue) { entries.append(DesiredEntry(source: nil, key: key, value: value)) }
        for (key, value) in UntilDefinition.fields.written(until) { add(key, value) }
        if !until.giveUp.isEmpty { add("give-up", ExpectationWriter.value(until.giveUp)) }
        return .map(entries, .automatic)
    }
}
