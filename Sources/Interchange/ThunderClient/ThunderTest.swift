import NetworkLayer
import RequestCollections

/// A row of Thunder Client's tests: `{ type: "json-query", custom: "json.id", action: "equal", value: "1" }`.
struct ThunderTest {
    private let type: String
    private let custom: String
    private let action: String
    private let value: String

    init(_ test: JSONValue) {
        type = test["type"]?.scalar ?? ""
        custom = test["custom"]?.scalar?.trimmingSpace ?? ""
        action = (test["action"]?.scalar ?? "equal").lowercased()
        value = test["value"]?.scalar ?? ""
    }

    /// - Parameter translate: makes templates ours.
    /// - Returns: what to say about it; `nil` when all of it is understood.
    func read(into definition: inout RequestDefinition, _ translate: (String) -> String) -> String? {
        let sentence = "the test `\([type, custom, action, value].filter { !$0.isEmpty }.joined(separator: " "))`"
        if type == "set-env-var" {
            guard let capture, !definition.captures.contains(where: { $0.name == capture.name }),
                RequestDefinition.canHold(definition.captures + [capture], [])
            else { return "\(sentence): no `capture` can say it" }
            definition.captures.append(capture)
            return nil
        }
        guard let subject, let matcher = matcher(translate),
            definition.expect(ExpectationDefinition(subject, matcher, location: .none))
        else { return "\(sentence): no `expect` can say it" }
        return nil
    }

    private var subject: ExpectationSubject? {
        switch type {
        case "res-code": .status
        case "res-body": .body
        case "res-time": .time("total")
        case "Content-Type": .header("content-type")
        case "Content-Length": .header("content-length")
        case "Content-Encoding": .header("content-encoding")
        case "header", "res-header": custom.isEmpty ? nil : .header(custom)
        case "json-query": Self.filter(custom).map(ExpectationSubject.filter)
        default: nil
        }
    }

    /// `json.items[0].id`
    private static func filter(_ path: String) -> String? {
        guard path == "json" || path.hasPrefix("json.") || path.hasPrefix("json[") else { return nil }
        return JSONPath.filter("$" + path.dropFirst(4)).flatMap {
            JSONFilter($0).steps?.contains(.each(isOptional: false)) == false ? $0 : nil
        }
    }

    /// Its values are texts, and a number looks like one.
    private func literal(_ translate: (String) -> String) -> Matcher {
        guard type == "json-query" else {
            return .equals(type == "res-code" && Self.isNumber(value) ? .number(value) : .string(translate(value)))
        }
        switch value {
        case "true", "false": return .any([.equals(.boolean(value == "true")), .equals(.string(value))])
        case "null": return .type(.null)
        case _ where Self.isNumber(value): return .any([.equals(.number(value)), .equals(.string(value))])
        default: return .equals(.string(translate(value)))
        }
    }

    private static func isNumber(_ text: String) -> Bool { text.wholeMatch(of: /-?(0|[1-9][0-9]{0,14})(\.[0-9]+)?/) != nil }

    private func matcher(_ translate: (String) -> String) -> Matcher? {
        func compared(_ comparison: Matcher.Comparison) -> Matcher? {
            guard Self.isNumber(value), type != "res-body" else { return nil }
            return .compares(comparison, .init(type == "res-time" ? "\(value)ms" : value))
        }
        switch action {
        case "equal":
            if type == "res-time" { return nil }
            return literal(translate)
        case "notequal":
            guard type == "res-code", Self.isNumber(value) else { return nil }
            return .not(.equals(.number(value)))
        case "<": return compared(.less)
        case "<=": return compared(.atMost)
        case ">": return compared(.greater)
        case ">=": return compared(.atLeast)
        case "contains": return value.isEmpty || type == "res-code" ? nil : .contains(.string(translate(value)))
        case "count", "length":
            guard type == "json-query", Self.isNumber(value) else { return nil }
            return .length(.equals(.number(value)))
        case "regex": return type == "res-code" || value.isEmpty ? nil : .matches(value, ignoringCase: false)
        case "istype":
            guard type == "json-query", let kind = Matcher.ValueType(rawValue: value.lowercased()), !kind.isAboutMore else {
                return nil
            }
            return .type(kind)
        default: return nil
        }
    }

    /// `{{token}}`, also with the scope where it is kept; older files have the name alone.
    private var capture: CaptureDefinition? {
        let inside = value.wholeMatch(of: /\{\{\s*([^,{}]+?)\s*(,\s*[a-z]+\s*)?\}\}/).map { String($0.1) } ?? value
        guard !inside.isEmpty, !inside.contains(where: { "{}|".contains($0) || $0.isWhitespace }) else { return nil }
        let source: CaptureSource
        if custom == "text" {
            source = .body
        } else if custom.hasPrefix("header."), custom.count > 7 {
            source = .header(String(custom.dropFirst(7)))
        } else if custom.hasPrefix("cookie."), custom.count > 7 {
            source = .cookie(String(custom.dropFirst(7)))
        } else if let filter = Self.filter(custom) {
            source = .filter(filter)
        } else {
            return nil
        }
        let name = VariableName.make(inside)
        return CaptureDefinition(name: name, source: source, isSecret: SecretName.matches(name), location: .none)
    }
}
