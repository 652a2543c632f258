import NetworkLayer
import RequestCollections

/// Why a line can't be said here: the end of a sentence about it.
struct HurlProblem: Error, Hashable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// What a query and its filters find in a response.
struct HurlValue {
    var subject: ExpectationSubject
    var steps: [ValueStep] = []
    /// The number of what is found is meant.
    var isCount = false
    /// Bytes, compared in hexadecimal.
    var isBytes = false
    /// It must be a whole number, or the line fails.
    var isInteger = false
    /// Whole days from now on, or back.
    var days: Days?

    enum Days {
        case after, before
    }

    /// Whether values have the types of JSON.
    var hasTypes: Bool {
        if !steps.isEmpty { return true }
        if case .filter = subject { return true }
        return false
    }

    /// - Parameters:
    ///   - tokens: of a line; what it takes is removed.
    ///   - captured: what variables of the same response are taken from.
    init(_ tokens: inout ArraySlice<HurlToken>, captured: [String: HurlValue]) throws(HurlProblem) {
        self = try Self.query(&tokens, captured)
        while case .word(let name)? = tokens.first, Self.filters.contains(name) {
            tokens.removeFirst()
            try apply(name, &tokens)
        }
    }

    // MARK: Queries

    private static func query(
        _ tokens: inout ArraySlice<HurlToken>, _ captured: [String: HurlValue]
    ) throws(HurlProblem) -> HurlValue {
        guard case .word(let name)? = tokens.popFirst() else { throw HurlProblem("it has no query") }
        switch name {
        case "status": return HurlValue(.status)
        case "version": return HurlValue(.httpVersion, [.regex("HTTP/(.*)", ignoringCase: false)])
        case "url": return HurlValue(.url)
        case "ip": return HurlValue(.address)
        case "duration": return HurlValue(.time("total"))
        case "body": return HurlValue(.body)
        case "bytes", "rawbytes":
            var value = HurlValue(.body)
            value.isBytes = true
            return value
        case "sha256", "md5":
            var value = HurlValue(.body, [.word(name == "md5" ? .md5 : .sha256)])
            value.isBytes = true
            return value
        case "redirects": return HurlValue(.redirects)
        case "header": return HurlValue(.header(try text(&tokens)))
        case "cookie": return try cookie(try text(&tokens))
        case "certificate": return try certificate(try text(&tokens))
        case "xpath": return HurlValue(.filter("xpath:\(try text(&tokens))"))
        case "regex": return HurlValue(.filter("/\(try pattern(&tokens))/"))
        case "jsonpath":
            let path = try text(&tokens)
            guard let program = JSONPath.program(path) else { throw HurlProblem("the path `\(path)` isn't understood") }
            return HurlValue(.filter(program.filter))
        case "variable":
            guard let value = captured[VariableName.make(try text(&tokens))] else {
                throw HurlProblem("`expect` is about responses, not about variables")
            }
            return value
        default: throw HurlProblem("there is no query `\(name)`")
        }
    }

    private init(_ subject: ExpectationSubject, _ steps: [ValueStep] = []) {
        self.subject = subject
        self.steps = steps
    }

    /// In a filter no template is filled in.
    static func text(_ tokens: inout ArraySlice<HurlToken>) throws(HurlProblem) -> String {
        guard case .text(let text)? = tokens.popFirst() else { throw HurlProblem("a text in quotes is missing in it") }
        guard text.firstRange(of: "{{") == nil else { throw HurlProblem("a template in what is asked isn't filled in here") }
        return text
    }

    static func pattern(_ tokens: inout ArraySlice<HurlToken>) throws(HurlProblem) -> String {
        if case .regex(let pattern)? = tokens.first {
            tokens.removeFirst()
            return pattern
        }
        return try text(&tokens)
    }

    private static func cookie(_ name: String) throws(HurlProblem) -> HurlValue {
        guard let match = name.wholeMatch(of: /(.*)\[(.*)\]/) else { return HurlValue(.cookie(name)) }
        let cookie = String(match.1)
        switch match.2.lowercased() {
        case "value": return HurlValue(.cookie(cookie))
        case "httponly": return HurlValue(.cookieAttribute(cookie, .httpOnly))
        case "samesite": return HurlValue(.cookieAttribute(cookie, .sameSite))
        case let attribute:
            guard let attribute = CookieAttribute(rawValue: attribute) else {
                throw HurlProblem("a cookie has no attribute `\(match.2)`")
            }
            return HurlValue(.cookieAttribute(cookie, attribute))
        }
    }

    private static func certificate(_ name: String) throws(HurlProblem) -> HurlValue {
        let facts = [
            "Subject": "subject", "Issuer": "issuer", "Start-Date": "valid-from", "Expire-Date": "valid-until",
            "Serial-Number": "serial", "Subject-Alt-Name": "names",
        ]
        guard let fact = facts[name] else { throw HurlProblem("`\(name)` of a certificate isn't known") }
        return HurlValue(.tls(fact))
    }

    // MARK: Filters

    private static let filters: Set<String> = [
        "count", "nth", "first", "last", "regex", "replace", "replaceRegex", "split", "toInt", "toFloat", "toString", "toDate",
        "format",
        "dateFormat", "daysAfterNow", "daysBeforeNow", "decode", "base64Decode", "base64UrlSafeDecode", "base64Encode",
        "base64UrlSafeEncode", "toHex", "utf8Decode", "utf8Encode", "charsetDecode", "htmlEscape", "htmlUnescape", "urlDecode",
        "urlEncode", "urlQueryParam", "jsonpath", "xpath", "location",
    ]

    private mutating func apply(_ name: String, _ tokens: inout ArraySlice<HurlToken>) throws(HurlProblem) {
        guard !isCount, days == nil else { throw HurlProblem("nothing can be done to a number of things") }
        switch name {
        case "count": isCount = true
        case "nth":
            guard case .number(let digits)? = tokens.popFirst(), let index = Int(digits) else {
                throw HurlProblem("`nth` has no number")
            }
            if subject == .redirects { subject = .locations }
            if !selectElement(index) { steps.append(.nth(index)) }
        case "first", "last":
            if subject == .redirects { subject = .locations }
            if !selectElement(name == "first" ? 0 : -1) { steps.append(.word(name == "first" ? .first : .last)) }
        case "location": guard subject == .locations else { throw HurlProblem("only a redirect has a location") }
        case "regex": steps.append(.regex(try Self.pattern(&tokens), ignoringCase: false))
        case "split": steps.append(.split(try Self.text(&tokens)))
        // A text with a fraction is no integer, and a number loses it.
        case "toInt":
            isInteger = true
            let isStage = stage(#"select(type == "number" or test("^[+-]?[0-9]+$")) | tonumber | trunc"#)
            if !isStage { steps.append(.word(.number)) }
        case "toFloat": steps.append(.word(.number))
        case "toString": steps.append(.word(.text))
        case "base64Decode": (steps, isBytes) = (steps + [.word(.base64)], true)
        case "base64UrlSafeDecode": (steps, isBytes) = (steps + [.word(.base64url)], true)
        case "htmlUnescape": steps.append(.word(.html))
        case "urlDecode": steps.append(.word(.url))
        case "urlQueryParam": steps.append(.param(try Self.text(&tokens)))
        // A digest is in hexadecimal anyway.
        case "toHex": (steps, isBytes) = (isDigest ? steps : steps + [.word(.hex)], false)
        case "base64Encode" where isBytes: (steps, isBytes) = (steps + [.word(.toBase64)], false)
        case "base64UrlSafeEncode": (steps, isBytes) = (steps + [.word(.toBase64url)], false)
        case "htmlEscape": steps.append(.word(.toHTML))
        case "urlEncode": steps.append(.word(.toURL))
        case "format", "dateFormat": steps.append(.date(try Self.text(&tokens)))
        case "utf8Decode": (steps, isBytes) = (steps + [.charset("utf-8")], false)
        case "decode", "charsetDecode": (steps, isBytes) = (steps + [.charset(try Self.text(&tokens))], false)
        // Its bytes are those of the text.
        case "utf8Encode": isBytes = true
        case "daysAfterNow": days = .after
        case "daysBeforeNow": days = .before
        case "toDate":
            let format = try Self.text(&tokens)
            guard Self.knownDates.contains(format) else { throw HurlProblem("dates of the form `\(format)` aren't known") }
        case "jsonpath", "xpath": try find(name, try Self.text(&tokens))
        default: try transform(name, &tokens)
        }
    }

    /// What ``ValueStep`` reads as dates anyway.
    private static let knownDates: Set<String> = [
        "%+", "%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S%:z", "%Y-%m-%dT%H:%M:%S.%fZ",
        "%Y-%m-%dT%H:%M:%S%.fZ", "%Y-%m-%dT%H:%M:%S%.3fZ", "%Y-%m-%dT%H:%M:%S%.f%:z", "%a, %d %b %Y %H:%M:%S GMT",
        "%a, %d %b %Y %T GMT",
    ]

    private mutating func find(_ name: String, _ path: String) throws(HurlProblem) {
        if name == "xpath" {
            guard subject == .body, steps.isEmpty else { throw HurlProblem("XPath is evaluated on the body alone") }
            subject = .filter("xpath:\(path)")
            return
        }
        guard let program = JSONPath.program(path) else { throw HurlProblem("the path `\(path)` isn't understood") }
        if subject == .body, steps.isEmpty {
            subject = .filter(program.filter)
            return
        }
        guard !program.isList, JSONFilter(program.filter).steps != nil else {
            throw HurlProblem("a step takes no path that finds several values")
        }
        // It is asked of JSON in a text.
        steps += [.word(.json), .path(program.filter)]
    }

    /// Takes an element of a list in JSON by the path itself.
    private mutating func selectElement(_ index: Int) -> Bool {
        guard case .filter(let filter) = subject, !filter.hasPrefix("/"), !filter.hasPrefix("xpath:"), steps.isEmpty else {
            return false
        }
        let isPath = filter.wholeMatch(of: /(\.[A-Za-z_][A-Za-z0-9_]*|\[-?\d+\])+/) != nil
        subject = .filter(filter == "." ? ".[\(index)]" : isPath ? "\(filter)[\(index)]" : "\(filter) | .[\(index)]")
        return true
    }

    /// Into what only jq can make.
    private mutating func transform(_ name: String, _ tokens: inout ArraySlice<HurlToken>) throws(HurlProblem) {
        let stage: String
        switch name {
        case "replace":
            let (pattern, isRegex): (String, Bool) =
                if case .regex(let pattern)? = tokens.first { (pattern, true) } else { ("", false) }
            if isRegex { tokens.removeFirst() }
            let old = isRegex ? pattern : try Self.text(&tokens)
            let new = JSONText.quoted(try Self.text(&tokens))
            stage = isRegex ? "gsub(\(JSONText.quoted(old)); \(new))" : "split(\(JSONText.quoted(old))) | join(\(new))"
        case "replaceRegex":
            let pattern = JSONText.quoted(try Self.pattern(&tokens))
            stage = "gsub(\(pattern); \(JSONText.quoted(try Self.text(&tokens))))"
        case "base64Encode": stage = "@base64"
        default: throw HurlProblem("no step does what `\(name)` does")
        }
        guard self.stage(stage) else { throw HurlProblem("`\(name)` can only be done to a value in JSON") }
    }

    /// Adds to a program for jq.
    ///
    /// - Returns: `false` where there is none.
    private mutating func stage(_ stage: String) -> Bool {
        guard case .filter(let filter) = subject, !filter.hasPrefix("/"), !filter.hasPrefix("xpath:"), steps.isEmpty else {
            return false
        }
        subject = .filter("\(filter) | \(stage)")
        return true
    }

    /// Whether it is a digest, which has the form of hexadecimal digits here.
    var isDigest: Bool { steps.last == .word(.sha256) || steps.last == .word(.md5) }

    /// Compares texts by their order, which only jq does. Of anything else neither that nor its opposite holds.
    mutating func compareText(_ sign: String, _ text: String, isNegated: Bool) -> Bool {
        let comparison = ". \(sign) \(JSONText.quoted(text))"
        return stage("type == \"string\" and \(isNegated ? "(\(comparison) | not)" : comparison)")
    }
}
