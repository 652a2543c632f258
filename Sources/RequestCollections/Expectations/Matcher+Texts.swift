extension Matcher {
    /// Changes every text that may have templates. Whatever reads or changes texts of a matcher goes this way.
    ///
    /// - Parameter names: of members of JSON, too.
    package func mapTexts(names: Bool = true, _ change: (String) -> String) -> Matcher {
        switch self {
        case .equals(let value): .equals(value.mapTexts(names: names, change))
        case .contains(let value): .contains(value.mapTexts(names: names, change))
        case .matches(let pattern, let ignoringCase): .matches(change(pattern), ignoringCase: ignoringCase)
        case .startsWith(let text): .startsWith(change(text))
        case .endsWith(let text): .endsWith(change(text))
        case .compares(let comparison, let operand): .compares(comparison, Operand(change(operand.text)))
        case .range(let low, let high): .range(Operand(change(low.text)), Operand(change(high.text)))
        case .length(let matcher): .length(matcher.mapTexts(names: names, change))
        case .not(let matcher): .not(matcher.mapTexts(names: names, change))
        case .each(let matcher): .each(matcher.mapTexts(names: names, change))
        case .some(let matcher): .some(matcher.mapTexts(names: names, change))
        case .any(let matchers): .any(matchers.map { $0.mapTexts(names: names, change) })
        case .all(let matchers): .all(matchers.map { $0.mapTexts(names: names, change) })
        case .schema(let schema): .schema(schema.mapPath(change))
        case .exists, .missing, .empty, .type, .statusClass: self
        }
    }

    /// Names of members aside: they aren't filled in.
    var texts: [String] {
        var texts: [String] = []
        _ = mapTexts(names: false) {
            texts.append($0)
            return $0
        }
        return texts
    }
}
