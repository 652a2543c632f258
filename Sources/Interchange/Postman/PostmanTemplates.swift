/// Postman's dynamic variables (https://learning.postman.com/docs/tests-and-scripts/write-scripts/variables-list/).
enum PostmanTemplates {
    /// What stands between the braces here.
    ///
    /// - Parameter unknown: is told the name of a dynamic variable that has no equivalent; it becomes a variable of its name.
    static func translate(_ inside: String, unknown: (String) -> Void) -> String? {
        // What has these in it is some other language's: Handlebars, JSON.
        guard let first = inside.first, !"#/^>!&".contains(first),
            !inside.contains(where: { $0.isNewline || "\"'{}()<>=;".contains($0) })
        else { return nil }
        guard inside.hasPrefix("$") else { return VariableName.make(inside) }
        if let expression = known[inside] { return expression }
        unknown(inside)
        return VariableName.make(inside.dropFirst())
    }

    private static let known = [
        "$guid": "uuid()", "$randomUUID": "uuid()", "$timestamp": "timestamp()", "$isoTimestamp": "now(\"iso8601-ms\")",
        "$randomInt": "random(0..1000)", "$randomAlphaNumeric": "random(length: 1)", "$randomPassword": "random(length: 15)",
        "$randomDigit": "random(0..9)",
    ]
}
