import NetworkLayer
import RequestCollections

extension LocustRequest {
    /// A call, or a line as it is.
    struct Statement {
        var function: String
        var words: [String]?

        /// One line, unless it would be too long.
        var lines: [String] {
            guard let words else { return [function] }
            let line = "\(function)(\(words.joined(separator: ", ")))"
            return line.count <= 100 ? [line] : ["\(function)("] + words.map { "    \($0)," } + [")"]
        }
    }

    /// What is expected and what is captured, as calls of `Reply`.
    mutating func statements() throws -> [Statement] {
        var lines: [Statement] = []
        let expectsError = definition.expectations.contains { $0.subject == .error }
        if expectsError { lines.append(Statement(function: "reply.expects_error = True")) }
        for expectation in definition.expectations {
            do {
                lines.append(try check(expectation))
            } catch let error as Inexpressible {
                let text =
                    "not checked: \(expectation.subject) \(expectation.matcher) (\(Self.place(expectation.location))): \(error.reason)"
                notes.append(text)
                lines.append(Statement(function: "# \(PythonText.comment(text))"))
            }
        }
        for capture in definition.captures {
            guard capture.steps.isEmpty, let found = try? values(of: capture.source) else {
                let text =
                    "not captured: \(capture.name) (\(Self.place(capture.location))): only paths, header fields and cookies are"
                notes.append(text)
                lines.append(Statement(function: "# \(PythonText.comment(text))"))
                continue
            }
            var words = [PythonText.string(capture.name), found]
            if let fallback = capture.fallback { words.append("default=\(try python.value(fallback))") }
            if capture.isSecret { words.append("secret=True") }
            if capture.isFlat != nil { notes.append("`flat` doesn't hold: \(capture.name) is what the last answer gives") }
            lines.append(Statement(function: "reply.capture", words: words))
        }
        return lines
    }

    private func check(_ expectation: ExpectationDefinition) throws -> Statement {
        if !expectation.steps.isEmpty { throw Inexpressible("nothing of ours for Locust knows `then`") }
        let kind: PythonMatcher.Kind =
            switch expectation.subject {
            case .filter: .json
            case .time, .size: .measured
            default: .text
            }
        var matcher = expectation.matcher
        var found = try values(of: expectation.subject)
        switch (expectation.subject, matcher) {
        case (.header, .length(let count)), (.cookie, .length(let count)):
            // Their number.
            matcher = count
            found = "[len(\(found))]"
        case (.header, _), (.cookie, _):
            if matcher.hasLength { throw Inexpressible("fields are counted by themselves only") }
        default: break
        }
        let holds = try PythonMatcher(template: python, kind: kind).expression(matcher)
        let what = "\(expectation.subject) to be \(expectation.matcher) (\(Self.place(expectation.location)))"
        var words = [PythonText.string(what), found, "lambda it: \(holds)"]
        switch expectation.subject {
        case .header, .cookie, .error: if !Self.isNegative(expectation.matcher) { words.append("one=True") }
        default: break
        }
        return Statement(function: "reply.expect", words: words)
    }

    private static func isNegative(_ matcher: Matcher) -> Bool {
        switch matcher {
        case .not, .missing, .compares(.notEqual, _): true
        default: false
        }
    }

    private static func place(_ location: SourceLocation) -> String {
        "\(location.path.split(separator: "/").last.map(String.init) ?? ""):\(location.line)"
    }

    private func values(of subject: ExpectationSubject) throws -> String {
        switch subject {
        case .status: "reply.status"
        case .header(let name): "reply.header(\(PythonText.string(name)))"
        case .cookie(let name): "reply.cookie(\(PythonText.string(name)))"
        case .body: "reply.text"
        case .cookieAttribute(_, let attribute): throw Inexpressible("Locust doesn't say `\(attribute.rawValue)` of a cookie")
        case .link: throw Inexpressible("nothing of ours for Locust takes the field `link` apart")
        case .polls: "[1]"
        case .locations: throw Inexpressible("Locust doesn't say where each redirect led")
        case .address: throw Inexpressible("Locust doesn't say which address answered")
        case .filter(let filter): try find(filter)
        case .time("total"): "reply.time"
        case .time(let name): throw Inexpressible("Locust doesn't measure `\(name)` by itself")
        case .size: "reply.size"
        case .attempts: "reply.attempts"
        case .redirects: "reply.redirects"
        case .retries: "[0]"
        case .tls(let name): throw Inexpressible("Locust doesn't say `\(name)` of TLS")
        case .httpVersion: "reply.http"
        case .url: "reply.url"
        case .contract: throw Inexpressible("nothing of ours for Locust reads a document of OpenAPI")
        case .close, .messageCount, .message, .step: throw Inexpressible("Locust opens no WebSocket")
        case .error: "reply.error"
        }
    }

    private func find(_ filter: String) throws -> String {
        switch JSONFilter(filter).language {
        case .path, .jq, .command: "reply.find(\(PythonPath.arguments(filter).joined(separator: ", ")))"
        case .xpath: throw Inexpressible("nothing of ours for Locust knows XPath")
        case .regex: throw Inexpressible("nothing of ours for Locust gives what a regular expression finds")
        }
    }

    private func values(of source: CaptureSource) throws -> String {
        switch source {
        case .filter(let filter): try find(filter)
        case .subject(let subject): try values(of: subject)
        case .header(let name): "reply.header(\(PythonText.string(name)))"
        case .cookie(let name): "reply.cookie(\(PythonText.string(name)))"
        case .status: "reply.status"
        case .url: "reply.url"
        case .body: "reply.text"
        }
    }
}

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
