/// A number of JSON, to the last digit where that is possible.
struct SchemaNumber {
    private let digits: String
    private let exact: ExactNumber?

    init(_ digits: String) {
        self.digits = digits
        exact = ExactNumber(digits)
    }

    func complaints(_ schema: JSONValue, _ value: JSONValue, _ path: String) -> [JSONSchema.Violation] {
        var found: [JSONSchema.Violation] = []
        func check(_ key: String, _ words: String, _ holds: (SchemaNumber) -> Bool) {
            guard case .number(let limit)? = schema[key], !holds(SchemaNumber(limit)) else { return }
            found.append(.init(path: path, found: value, demand: "\(words) \(limit) must be", key: key))
        }
        // In draft 4 these are true or false, and say how the limit is meant.
        let (noMinimum, noMaximum) = (schema["exclusiveMinimum"] == .boolean(true), schema["exclusiveMaximum"] == .boolean(true))
        check("minimum", noMinimum ? "more than" : "at least") { noMinimum ? $0.isLess(than: self) : !isLess(than: $0) }
        check("maximum", noMaximum ? "less than" : "at most") { noMaximum ? isLess(than: $0) : !$0.isLess(than: self) }
        check("exclusiveMinimum", "more than") { $0.isLess(than: self) }
        check("exclusiveMaximum", "less than") { isLess(than: $0) }
        check("multipleOf", "a multiple of", isMultiple(of:))
        return found
    }

    private func isLess(than other: SchemaNumber) -> Bool {
        if let exact, let limit = other.exact { return exact < limit }
        return (Double(digits) ?? 0) < (Double(other.digits) ?? 0)
    }

    /// In decimals, as both are written: 0.3 is a multiple of 0.1.
    private func isMultiple(of other: SchemaNumber) -> Bool {
        if let exact, let step = other.exact, let known = exact.isMultiple(of: step) { return known }
        guard let one = Double(digits), let step = Double(other.digits), step != 0 else { return false }
        return one.truncatingRemainder(dividingBy: step) == 0
    }
}
