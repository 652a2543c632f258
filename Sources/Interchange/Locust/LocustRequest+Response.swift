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
