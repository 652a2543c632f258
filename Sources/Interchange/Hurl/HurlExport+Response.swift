import NetworkLayer
import RequestCollections

extension HurlExport {
    /// The version and status, what is captured, and what is asserted.
    mutating func response(_ definition: RequestDefinition) -> [String] {
        var version = ""
        var status: String?
        var asserts: [String] = []
        let until = definition.until?.conditions ?? []
        if !until.isEmpty, !definition.expectations.isEmpty {
            templates.notes.add("`until`: Hurl also sends it again until all that it expects holds")
        }
        for expectation in until + definition.expectations where expectation.subject != .error {
            if case .equals(.number(let code)) = expectation.matcher, expectation.subject == .status, status == nil,
                expectation.steps.isEmpty, code.utf8.allSatisfy({ (48...57).contains($0) })
            {
                status = code
                continue
            }
            if case .equals(.string(let text)) = expectation.matcher, expectation.subject == .httpVersion, version.isEmpty,
                ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"].contains(text), expectation.steps.isEmpty
            {
                version = String(text.dropFirst(4))
                continue
            }
            guard let lines = lines(expectation) else {
                let steps = ([expectation.subject.description] + expectation.steps.map(\.description)).joined(separator: " → ")
                templates.notes.add("`expect`: \(steps) \(expectation.matcher), which Hurl can't say exactly")
                continue
            }
            asserts += lines
        }
        if definition.expectations.contains(where: { $0.subject == .error }) {
            templates.notes.add("`expect`: an error, and Hurl ends at one")
        }
        var captures: [String] = []
        for capture in definition.captures {
            if let line = line(capture) {
                captures.append(line)
            } else {
                templates.notes.add("`capture`: \(capture.name) from \(capture.source), which Hurl can't say exactly")
            }
        }
        guard status != nil || !version.isEmpty || !captures.isEmpty || !asserts.isEmpty else { return [] }
        return ["HTTP\(version) \(status ?? "*")"] + (captures.isEmpty ? [] : ["[Captures]"] + captures)
            + (asserts.isEmpty ? [] : ["[Asserts]"] + asserts)
    }

    private mutating func line(_ capture: CaptureDefinition) -> String? {
        guard capture.fallback == nil, capture.isFlat == nil, let query = HurlQuery(capture.source.subject, capture.steps) else {
            return nil
        }
        let line = "\(templates.renamed(capture.name)): \(query.text)" + (capture.isSecret ? " redact" : "")
        let read = Self.read("[Captures]\n\(line)")?.captures.first
        guard let read, read.source == capture.source, read.steps == capture.steps, read.isSecret == capture.isSecret else {
            return nil
        }
        return line
    }

    // MARK: Asserts

    /// Lines that must all hold; `nil` for what can't be said so.
    private mutating func lines(_ expectation: ExpectationDefinition) -> [String]? {
        if case .all(let matchers) = expectation.matcher {
            var lines: [String] = []
            for matcher in matchers {
                var part = expectation
                part.matcher = matcher
                guard let own = self.lines(part) else { return nil }
                lines += own
            }
            return lines
        }
        guard let query = HurlQuery(expectation.subject, expectation.steps) else { return nil }
        let writer = HurlPredicateWriter(subject: expectation.subject, hasSteps: !expectation.steps.isEmpty)
        guard let predicates = writer.predicates(expectation.matcher, { templates.text($0) }) else { return nil }
        let lines = predicates.map { "\(query.text) \($0)" }
        // Each line is read by itself, to find out what Hurl makes of it.
        for line in lines where Self.read("[Asserts]\n\(line)")?.expectations.count != 1 { return nil }
        if lines.count == 1, !Template.isIn(lines[0]), let read = Self.read("[Asserts]\n\(lines[0])")?.expectations.first,
            !writer.isOtherwise(expectation.matcher)
        {
            guard read.subject == expectation.subject, read.steps == expectation.steps, read.matcher == expectation.matcher else {
                return nil
            }
        }
        return lines
    }

    /// What is understood of a section below a response; `nil` when something isn't.
    private static func read(_ section: String) -> RequestDefinition? {
        let source = ImportSource(path: "probe.hurl", text: "GET http://localhost/\nHTTP *\n\(section)\n")
        guard let text = try? source.text() else { return nil }
        let collection = HurlImport.read(source, text)
        guard !collection.notes.contains(where: \.isLoss), case .request(let request)? = collection.nodes.first,
            collection.nodes.count == 1
        else {
            return nil
        }
        return request.definition
    }
}

/// What is asked of a response, and the filters behind it.
struct HurlQuery {
    private(set) var text: String

    init?(_ subject: ExpectationSubject, _ steps: [ValueStep]) {
        var steps = steps[...]
        switch subject {
        case .status: text = "status"
        case .url: text = "url"
        case .address: text = "ip"
        case .time("total"): text = "duration"
        case .redirects: text = "redirects count"
        case .locations:
            guard case .nth(let index)? = steps.popFirst() else { return nil }
            text = "redirects nth \(index) location"
        case .size: text = "bytes count"
        case .httpVersion: text = "version"
        case .header(let name): text = "header \(Self.quoted(name))"
        case .cookie(let name): text = "cookie \(Self.quoted(name))"
        case .cookieAttribute(let name, let attribute):
            let names: [CookieAttribute: String] = [.httpOnly: "HttpOnly", .sameSite: "SameSite"]
            text = "cookie \(Self.quoted("\(name)[\(names[attribute] ?? Self.capitalized(attribute.rawValue))]"))"
        case .tls(let fact):
            guard let name = Self.facts[fact] else { return nil }
            text = "certificate \"\(name)\""
        case .body:
            let isDigest = steps.first == .word(.sha256) || steps.first == .word(.md5)
            if isDigest, let step = steps.popFirst() {
                text = step.description
            } else if case .charset? = steps.first {
                text = "bytes"
            } else if steps.first == .word(.hex) {
                text = "bytes"
            } else {
                text = "body"
            }
        case .filter(let filter):
            guard let query = Self.query(filter) else { return nil }
            text = query
        case .time, .attempts, .retries, .error, .link, .polls, .contract, .close, .messageCount, .message, .step: return nil
        }
        while let step = steps.popFirst() {
            if step == .word(.json), case .path(let path)? = steps.first {
                steps.removeFirst()
                guard let path = Self.jsonPath(path) else { return nil }
                text += " jsonpath \(Self.quoted(path))"
                continue
            }
            guard let filter = Self.filter(step) else { return nil }
            text += " \(filter)"
        }
    }

    private static let facts = [
        "subject": "Subject", "issuer": "Issuer", "valid-from": "Start-Date", "valid-until": "Expire-Date",
        "serial": "Serial-Number",
    ]

    private static func capitalized(_ name: String) -> String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }

    private static func filter(_ step: ValueStep) -> String? {
        switch step {
        case .word(.base64): "base64Decode"
        case .word(.base64url): "base64UrlSafeDecode"
        case .word(.html): "htmlUnescape"
        case .word(.url): "urlDecode"
        case .word(.toBase64): "base64Encode"
        case .word(.toBase64url): "base64UrlSafeEncode"
        case .word(.toHTML): "htmlEscape"
        case .word(.toURL): "urlEncode"
        case .date(let pattern): "dateFormat \(quoted(pattern))"
        case .word(.hex): "toHex"
        case .word(.number): "toFloat"
        case .word(.text): "toString"
        case .word(.first): "first"
        case .word(.last): "last"
        case .word(.count): "count"
        case .regex(let pattern, let ignoringCase): ignoringCase ? nil : "regex /\(slashed(pattern))/"
        case .nth(let index): index < 0 ? nil : "nth \(index)"
        case .split(let text): "split \(quoted(text))"
        case .param(let name): "urlQueryParam \(quoted(name))"
        case .charset(let name): "decode \(quoted(name))"
        case .word, .path: nil
        }
    }

    static func slashed(_ pattern: String) -> String { pattern.replacing(scalars: "/", with: "\\/") }

    /// A text in double quotes, whose braces are no template's.
    static func quoted(_ text: String) -> String { "\"\(HurlText.escaped(text, "\"", "\\"))\"" }

    // MARK: Filters

    private static func query(_ filter: String) -> String? {
        if filter.hasPrefix("xpath:") { return "xpath \(quoted(String(filter.dropFirst("xpath:".count))))" }
        if filter.hasPrefix("/"), filter.hasSuffix("/"), filter.count > 2 {
            return "regex /\(slashed(String(filter.dropFirst().dropLast())))/"
        }
        return jsonPath(filter).map { "jsonpath \(quoted($0))" }
    }

    /// `.a.b[0]` as RFC 9535 has it; of what finds several values only the form that an import makes.
    static func jsonPath(_ filter: String) -> String? {
        let list = "] | if length == 0 then empty elif length == 1 then .[0] else . end"
        if filter.hasPrefix("["), filter.hasSuffix(list) {
            return path(String(filter.dropFirst().dropLast(list.count)), isList: true)
        }
        return path(filter, isList: false)
    }

    private static func path(_ filter: String, isList: Bool) -> String? {
        guard let steps = JSONFilter(filter).steps else { return nil }
        var path = "$"
        for step in steps {
            switch step {
            case .member(let name, false):
                let isPlain = name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
                path += isPlain ? ".\(name)" : "['\(name.escaping("\\", "'"))']"
            case .item(let index, false): path += "[\(index)]"
            case .slice(let from, let to, false) where isList:
                path += "[\(from.map(String.init) ?? ""):\(to.map(String.init) ?? "")]"
            // A slice is its items.
            case .each(false) where isList: if !path.hasSuffix(":]"), !path.hasSuffix("0]") || !path.contains(":") { path += "[*]" }
            default: return nil
            }
        }
        return path
    }
}

/// What a value must be, as Hurl says it.
struct HurlPredicateWriter {
    let subject: ExpectationSubject
    let hasSteps: Bool

    private var isJSON: Bool {
        if case .filter(let filter) = subject { !filter.hasPrefix("xpath:") && !filter.hasPrefix("/") } else { false }
    }

    private var isXPath: Bool { if case .filter(let filter) = subject { filter.hasPrefix("xpath:") } else { false } }

    /// Whether its words are others when they are read again, and mean the same.
    func isOtherwise(_ matcher: Matcher) -> Bool {
        switch matcher {
        case .statusClass, .range: true
        case .any: matcher != .isDefined && !Self.isCollection(matcher)
        case .compares(_, let operand): Self.number(operand.text) == nil
        case .equals(.string): Self.isMeasured(subject)
        case .not(let inner): isOtherwise(inner)
        case .length(let inner): isOtherwise(inner)
        default: false
        }
    }

    private static func isMeasured(_ subject: ExpectationSubject) -> Bool {
        switch subject {
        case .time, .size, .cookieAttribute(_, .maxAge): true
        default: false
        }
    }

    private static func isCollection(_ matcher: Matcher) -> Bool { matcher == .any([.type(.array), .type(.object)]) }

    /// Behind the query, one a line; all must hold.
    ///
    /// - Parameter fill: makes templates Hurl's.
    func predicates(_ matcher: Matcher, _ fill: (String) -> String) -> [String]? {
        switch matcher {
        case .all(let matchers):
            let all = matchers.map { predicates($0, fill) }
            return all.contains { $0 == nil } ? nil : all.flatMap { $0 ?? [] }
        case .range(let low, let high):
            guard let low = operand(low), let high = operand(high) else { return nil }
            return [">= \(low)", "<= \(high)"]
        case .statusClass(let digit): return subject == .status ? [">= \(digit)00", "< \(digit + 1)00"] : nil
        case .exists where isJSON && !hasSteps: return ["!= null"]
        case .exists: return ["exists"]
        case .missing: return isJSON || hasSteps ? nil : ["not exists"]
        case .not(let inner):
            guard let predicate = predicate(inner, fill) else { return nil }
            // In Hurl, "not" can't be said of a value that is missing.
            return predicate.hasPrefix("not ") ? nil : ["not \(predicate)"]
        default: return predicate(matcher, fill).map { [$0] }
        }
    }

    private func predicate(_ matcher: Matcher, _ fill: (String) -> String) -> String? {
        switch matcher {
        case .equals(let value): return equals(value, fill)
        case .compares(let comparison, let operand): return self.operand(operand).map { "\(comparison.rawValue) \($0)" }
        case .matches(let pattern, let ignoringCase):
            guard !Template.isIn(pattern) else { return nil }
            let isText = subject != .status || hasSteps
            return isText ? "matches /\(HurlQuery.slashed((ignoringCase ? "(?i)" : "") + pattern))/" : nil
        case .contains(let value): return literal(value, fill).map { "contains \($0)" }
        case .startsWith(let text): return "startsWith \(quoted(text, fill))"
        case .endsWith(let text): return "endsWith \(quoted(text, fill))"
        case .empty: return isXPath ? nil : "isEmpty"
        case .type(.null): return isJSON ? "== null" : nil
        case .type(let type):
            let names: [Matcher.ValueType: String] = [
                .string: "isString", .number: "isNumber", .integer: "isInteger", .boolean: "isBoolean", .array: "isList",
                .object: "isObject", .date: "isIsoDate", .uuid: "isUuid", .ipv4: "isIpv4", .ipv6: "isIpv6",
            ]
            return names[type]
        case .length(.equals(.number(let digits))): return "count == \(digits)"
        case .length(.compares(let comparison, let operand)):
            return Self.number(operand.text).map { "count \(comparison.rawValue) \($0)" }
        case .any where matcher == .isDefined: return isJSON && !hasSteps ? "exists" : nil
        case .any where Self.isCollection(matcher): return "isCollection"
        case .any(let matchers) where subject == .status && !hasSteps:
            // A number is none of several there, and its text can be.
            let codes = matchers.compactMap { matcher -> String? in
                switch matcher {
                case .equals(.number(let code)): code
                case .statusClass(let digit): "\(digit).."
                default: nil
                }
            }
            return codes.count == matchers.count ? "toString matches /^(\(codes.joined(separator: "|")))$/" : nil
        default: return nil
        }
    }

    private func equals(_ value: JSONValue, _ fill: (String) -> String) -> String? {
        if Self.isMeasured(subject), case .string(let text) = value {
            return operand(.init(text)).map { "== \($0)" }
        }
        if case .string(let text) = value, subject == .httpVersion, !hasSteps {
            return text.hasPrefix("HTTP/") ? "== \(HurlQuery.quoted(String(text.dropFirst(5))))" : nil
        }
        if case .cookieAttribute(_, let attribute) = subject, attribute == .secure || attribute == .httpOnly {
            return value == .boolean(true) ? "exists" : value == .boolean(false) ? "not exists" : nil
        }
        return literal(value, fill).map { "== \($0)" }
    }

    private func literal(_ value: JSONValue, _ fill: (String) -> String) -> String? {
        switch value {
        case .string(let text): quoted(text, fill)
        case .number(let digits): digits
        case .boolean(let flag): "\(flag)"
        case .null, .array, .object: nil
        }
    }

    private func quoted(_ text: String, _ fill: (String) -> String) -> String { HurlQuery.quoted(fill(text)) }

    private static func number(_ text: String) -> String? {
        text.wholeMatch(of: /-?(0|[1-9]\d*)(\.\d+)?/) != nil ? text : nil
    }

    private func operand(_ operand: Matcher.Operand) -> String? {
        if let number = Self.number(operand.text), !Self.isMeasured(subject) || subject == .size { return number }
        switch subject {
        case .time:
            guard let time = DurationText.parse(operand.text) else { return nil }
            return "\(Int64(time / .milliseconds(1)))"
        case .cookieAttribute(_, .maxAge):
            guard let time = DurationText.parse(operand.text), time / .seconds(1) == (time / .seconds(1)).rounded() else {
                return nil
            }
            return "\(Int64(time / .seconds(1)))"
        case .size: return ByteCountText.parse(operand.text).map { "\($0)" }
        default: return nil
        }
    }
}
