import NetworkLayer
import RequestCollections

/// What a value must be, as an expression of Python about a name.
struct PythonMatcher {
    let template: PythonTemplate
    let kind: Kind

    enum Kind: Hashable {
        /// Values out of JSON have types: there `"5"` isn't 5.
        case json
        /// Texts and numbers are compared by how they look.
        case text
        /// Durations and numbers of bytes, by their size.
        case measured
    }

    /// The last argument of what depends on the kind.
    private var compared: String {
        switch kind {
        case .json: ", typed=True"
        case .text: ""
        case .measured: ", measured=True"
        }
    }

    /// The same of what only asks whether a value must be a text.
    private var typed: String { kind == .json ? ", typed=True" : "" }

    func expression(_ matcher: Matcher, on name: String = "it") throws -> String {
        switch matcher {
        case .equals(let value): "same(\(try template.value(value)), \(name)\(compared))"
        case .compares(let comparison, let operand):
            "compare(\(name), \(PythonText.string(comparison.rawValue)), \(try template.text(operand.text))\(compared))"
        case .range(let low, let high):
            "(compare(\(name), \">=\", \(try template.text(low.text))\(compared)) and "
                + "compare(\(name), \"<=\", \(try template.text(high.text))\(compared)))"
        case .matches(let pattern, let ignoringCase):
            "matches(\(name), \(try self.pattern(pattern))\(ignoringCase ? ", re.IGNORECASE" : "")\(typed))"
        case .contains(let value): "contains(\(name), \(try template.value(value))\(typed))"
        case .startsWith(let text): "begins(\(name), \(try template.text(text))\(typed))"
        case .endsWith(let text): "ends(\(name), \(try template.text(text))\(typed))"
        case .exists: "exists(\(name))"
        case .missing: "not exists(\(name))"
        case .empty: "length(\(name)) == 0"
        case .type(let type) where type.isAboutMore: throw Inexpressible("an export to Locust can't say `is \(type.rawValue)`")
        case .type(let type): "is_type(\(name), \(PythonText.string(type.rawValue)))"
        case .length(let inner): try PythonMatcher(template: template, kind: .text).expression(inner, on: "length(\(name))")
        case .statusClass(let digit): "compare(\(name), \">=\", \"\(digit)00\") and compare(\(name), \"<=\", \"\(digit)99\")"
        case .not(let inner):
            (try judgeable(inner, on: name).map { "\($0) and " } ?? "")
                + "not (\(try expression(inner, on: name)))"
        case .any(let matchers): try joined(matchers, "or", name, empty: "False")
        case .all(let matchers): try joined(matchers, "and", name, empty: "True")
        case .schema: throw Inexpressible("Python has no JSON Schema of its own")
        case .some: throw Inexpressible("an export to Locust can't say `any`")
        case .each(let inner):
            "each(\(name), lambda \(Self.item(in: name)): \(try expression(inner, on: Self.item(in: name))))"
        }
    }

    /// When "not" means something of a value, as in ``Matcher``; `nil`: always.
    private func judgeable(_ matcher: Matcher, on name: String) throws -> String? {
        switch matcher {
        case .exists, .missing: return nil
        case .empty, .length: return "length(\(name)) is not MISSING"
        case .not(let inner): return try judgeable(inner, on: name)
        case .any(let matchers), .all(let matchers):
            let parts = try matchers.map { try judgeable($0, on: name) }
            return parts.contains(nil) ? nil : "(\(parts.compactMap(\.self).joined(separator: " or ")))"
        default: break
        }
        guard kind == .json else { return nil }
        switch matcher {
        case .type, .equals(.null): return "\(name) is not MISSING"
        case .equals(let value): return "same_type(\(try template.value(value)), \(name))"
        case .compares(_, let operand), .range(let operand, _):
            return "magnitudes(\(name), \(try template.text(operand.text))\(compared)) is not None"
        case .matches, .startsWith, .endsWith: return "is_type(\(name), \"string\")"
        case .contains(let value): return "can_contain(\(name), \(try template.value(value)))"
        case .each(let inner):
            let item = Self.item(in: name)
            return "each(\(name), lambda \(item): \(try judgeable(inner, on: item) ?? "True"))"
        default: return "exists(\(name))"
        }
    }

    private func joined(_ matchers: [Matcher], _ word: String, _ name: String, empty: String) throws -> String {
        guard !matchers.isEmpty else { return empty }
        return try matchers.map { "(\(try expression($0, on: name)))" }.joined(separator: " \(word) ")
    }

    private static func item(in name: String) -> String { name == "it" ? "item" : name + "_" }

    /// Python's expressions lack some of Swift's.
    private func pattern(_ pattern: String) throws -> String {
        for unknown in ["\\p{", "\\P{", "\\h", "\\R", "\\X", "\\K", "[[:", "(?|", "(?<=|"] where pattern.contains(unknown) {
            throw Inexpressible("Python's regular expressions have no `\(unknown)`")
        }
        // A group's name.
        return try template.text(
            pattern.replacing(scalars: "(?<", with: "(?P<").replacing(scalars: "(?P<=", with: "(?<=").replacing(
                scalars: "(?P<!", with: "(?<!"))
    }
}
