import Base
import HTTPTypes
package import NetworkLayer

extension [ExpectationDefinition] {
    /// What became of each, in order. They are those of a ``ResolvedRequest``: their templates are filled in.
    ///
    /// - Parameter redactor: takes secrets out of what was found, before that is shortened: a part of one is no longer known for one.
    package func check(_ facts: ResponseFacts, hiding redactor: Redactor = Redactor()) -> [ExpectationResult] {
        let facts = facts.nearing(self)
        return map { $0.check(facts, hiding: redactor) }
    }
}

extension ExpectationDefinition {
    package func check(_ facts: ResponseFacts, hiding redactor: Redactor = Redactor()) -> ExpectationResult {
        var context = MatchContext(now: facts.now)
        var result = check(facts, redactor, &context)
        // The value could be neither found nor ruled out: whatever was expected, that is no success.
        if let problem = context.problem {
            result.isMet = false
            result.found += ": \(problem)"
        }
        return result.redacted(by: redactor)
    }

    fileprivate func check(_ facts: ResponseFacts, _ redactor: Redactor, _ context: inout MatchContext) -> ExpectationResult {
        if case .message(let place, _) = subject, let message = facts.message(place), let plain = ofMessage(at: place) {
            var result = plain.check(message, redactor, &context)
            result.subject = subject
            if place == .any, !result.isMet, facts.messages.count > 1 {
                result.found += " in the nearest of \(facts.messages.count) messages"
            }
            let unseen = facts.messageCount - facts.messages.count
            if place == .any, !result.isMet, unseen > 0 { result.found += "; \(unseen) more weren't kept to look at" }
            return result
        }
        let matcher = subject == .httpVersion ? self.matcher.ofVersions : self.matcher
        let kind = steps.isEmpty ? subject.kind : .json
        var result = ExpectationResult(
            subject: subject, then: steps, expected: self.matcher.description, demand: matcher.demand(kind), found: "",
            isMet: false, location: location)
        if subject == .contract, case .schema(let reference) = matcher {
            judge(facts, by: reference, redactor, &context, &result)
            return result
        }
        let values: [JSONValue?]
        var seen: [StepValue] = []
        do throws(ValueStepError) {
            switch try facts.values(of: subject, then: steps, &context, &seen) {
            case .found(let found): values = found
            case .none(let reason):
                result.found = reason
                // A filter that can't be evaluated isn't a value that is missing.
                return result
            }
        } catch {
            result.found = "nothing: \(seen.haveSecret(redactor) ? error.hidden : error.message)"
            return result
        }
        // What a step makes of a secret may be a secret, which its text does not show.
        let isHidden = seen.haveSecret(redactor)
        let wording = ExpectationWording(subject: subject, kind: kind, matcher: matcher, redactor: redactor)
        func text(_ values: [JSONValue?]) -> String {
            isHidden && values.contains { $0 != nil } ? Redactor.mask : wording.text(values, facts)
        }
        result.found = text(values)
        if subject.oneIsEnough, steps.isEmpty {
            let values = values.compactMap(\.self)
            result.isMet = matcher.holds(ofSome: values, kind, counts: subject.isRepeated, &context)
            if subject.isRepeated, matcher.hasLength {
                if !values.isEmpty { result.found = "\(values.count): \(text(values))" }
            } else if !result.isMet, case .not(let unwanted) = matcher,
                let wrong = values.first(where: { unwanted.matches($0, kind, &context) })
            {
                result.found = text([wrong])
            }
        } else if let wrong = values.first(where: { !matcher.matches($0, kind, &context) }) {
            result.found = text([wrong])
            if !isHidden, let (demand, found) = wording.types(wrong) { (result.demand, result.found) = (demand, found) }
        } else {
            result.isMet = !values.isEmpty || matcher.matches(nil, kind, &context)
        }
        if !result.isMet, !isHidden { addEvidence(matcher, values, kind, facts, redactor, &context, to: &result) }
        return result
    }

    private func addEvidence(
        _ matcher: Matcher, _ values: [JSONValue?], _ kind: MatcherKind, _ facts: ResponseFacts, _ redactor: Redactor,
        _ context: inout MatchContext, to result: inout ExpectationResult
    ) {
        let evidence = ExpectationEvidence(matcher: matcher, redactor: redactor)
        guard case .filter(let source) = subject else {
            result.evidence = kind == .json ? evidence.lines(about: values, &context) : self.evidence(matcher, values, kind, facts)
            return
        }
        let filter = JSONFilter(source)
        if values.allSatisfy({ $0 == nil }), steps.isEmpty, let path = filter.steps {
            guard let end = evidence.end(of: path, finding: { path in (try? facts.found(by: path))?.first ?? nil }) else { return }
            result.found += ": \(end.reason)"
            result.evidence = end.lines
            return
        }
        if values.isEmpty, case .xpath(let program) = filter.language {
            result.evidence = evidence.lines(aboutXPath: program, in: facts.bodyText)
            return
        }
        if let (found, index) = evidence.items(values, &context) {
            result.found = found
            let item = steps.isEmpty ? filter.item(index, of: matcher, count: values.count) : nil
            if let item, let value = (try? facts.found(by: item))?.first ?? nil, let line = evidence.line(about: value, at: item) {
                result.evidence = [line]
            }
            return
        }
        result.evidence = evidence.lines(about: values, &context)
        if steps.isEmpty, let hint = evidence.hint(about: values, at: source) { result.evidence.append(hint) }
    }

    /// The place in a header, or in the whole text.
    private func evidence(_ matcher: Matcher, _ values: [JSONValue?], _ kind: MatcherKind, _ facts: ResponseFacts) -> [String] {
        if case .header(let name) = subject, name.lowercased() == "content-type",
            let start = ExpectationEvidence.start(of: facts.bodyText)
        {
            return ["hint: the body begins with \(start)"]
        }
        guard kind == .text, case .equals(.string(let wanted)) = matcher, values.count == 1, case .string(let found)? = values[0]
        else { return [] }
        return ExpectationEvidence.difference(wanted, found).map { [$0] } ?? []
    }

    /// Checks the answer against everything that an OpenAPI document says about it.
    private func judge(
        _ facts: ResponseFacts, by reference: SchemaReference, _ redactor: Redactor, _ context: inout MatchContext,
        _ result: inout ExpectationResult
    ) {
        result.expected = reference.path
        result.demand = "of \(reference.path)"
        guard facts.response.info != nil else {
            result.found = facts.noResponse
            return
        }
        guard let contract = reference.contract else {
            result.found = "nothing: it wasn't read"
            return
        }
        let verdict = contract.verdict(on: facts, &context)
        result.isMet = verdict.isKept
        if let name = verdict.name { result.demand = "\(name) of \(reference.path)" }
        result.found = redactor.text(verdict.found)
        result.evidence = ExpectationEvidence(matcher: matcher, redactor: redactor).lines(about: verdict.violations, of: contract)
    }
}

extension JSONValue {
    /// With masks in place of members that are credentials by their names.
    var hidingCredentials: JSONValue { hidingCredentials(as: Redactor.mask) }

    /// With another text in place of them.
    func hidingCredentials(as mask: String) -> JSONValue {
        switch self {
        case .array(let items): .array(items.map { $0.hidingCredentials(as: mask) })
        case .object(let members):
            .object(
                members.map { member in
                    let isHidden = Redaction.standard.redacts(parameter: member.name) && member.value.scalar?.isEmpty == false
                    return .init(name: member.name, value: isHidden ? .string(mask) : member.value.hidingCredentials(as: mask))
                })
        default: self
        }
    }
}

extension [StepValue] {
    /// Whether one of them has a text in it that nobody may see.
    func haveSecret(_ redactor: Redactor) -> Bool { contains { $0.leafTexts.contains(where: redactor.finds) } }
}

extension ExpectationSubject {
    /// Whether a response may have several of it: then a length is their number.
    var isRepeated: Bool {
        switch self {
        case .header, .cookie, .locations, .tls("names"): true
        default: false
        }
    }

    fileprivate var oneIsEnough: Bool {
        switch self {
        case .header, .cookie, .error, .locations, .tls("names"): true
        default: false
        }
    }
}

extension Matcher {
    /// `1.1` and `2`, as the key `http` of a request says it, for `HTTP/1.1` and `HTTP/2`.
    fileprivate var ofVersions: Matcher {
        switch self {
        case .equals(let value) where ["1.0", "1.1", "2", "3"].contains(value.plainText):
            .equals(.string("HTTP/\(value.plainText)"))
        case .not(let matcher): .not(matcher.ofVersions)
        case .any(let matchers): .any(matchers.map(\.ofVersions))
        case .all(let matchers): .all(matchers.map(\.ofVersions))
        default: self
        }
    }

    /// One of several header fields is enough. "Not", "missing" and a number of them are about all.
    fileprivate func holds(
        ofSome values: [JSONValue], _ kind: MatcherKind, counts: Bool, _ context: inout MatchContext
    ) -> Bool {
        switch self {
        case .length(let count) where counts: return count.matches(.number("\(values.count)"), .number, &context)
        case .not(.empty) where values.isEmpty: return false
        case .not(let matcher): return !matcher.holds(ofSome: values, kind, counts: counts, &context)
        case .any(let matchers): return matchers.contains { $0.holds(ofSome: values, kind, counts: counts, &context) }
        case .all(let matchers):
            let ofAll = matchers.filter { $0.isAboutAll(counts) }
            let ofOne = matchers.filter { !$0.isAboutAll(counts) }
            return ofAll.allSatisfy { $0.holds(ofSome: values, kind, counts: counts, &context) }
                && (ofOne.isEmpty || Self.isMet(.all(ofOne), bySome: values, kind, &context))
        case .missing, .compares(.notEqual, _):
            return values.allSatisfy { matches($0, kind, &context) } && (!values.isEmpty || matches(nil, kind, &context))
        default: return Self.isMet(self, bySome: values, kind, &context)
        }
    }

    private static func isMet(
        _ matcher: Matcher, bySome values: [JSONValue], _ kind: MatcherKind, _ context: inout MatchContext
    ) -> Bool {
        values.isEmpty ? matcher.matches(nil, kind, &context) : values.contains { matcher.matches($0, kind, &context) }
    }

    private func isAboutAll(_ counts: Bool) -> Bool {
        switch self {
        case .not, .missing, .compares(.notEqual, _): true
        case .length: counts
        case .any(let matchers), .all(let matchers): matchers.contains { $0.isAboutAll(counts) }
        default: false
        }
    }

    /// Whether it is about texts alone.
    var isAboutTexts: Bool {
        switch self {
        case .matches, .startsWith, .endsWith, .contains, .empty, .length: true
        case .not(let matcher): matcher.isAboutTexts
        default: false
        }
    }
}

/// The values of a subject, or why there are none.
enum SubjectValues {
    /// `nil` stands for one that isn't there, where a filter asks for it.
    case found([JSONValue?])
    case none(String)
}

extension ResponseFacts {
    /// What comes of the steps: of each value, or of the list of them when the first step is about that.
    ///
    /// - Parameter seen: gets what each step is given and makes.
    func values(
        of subject: ExpectationSubject, then steps: [ValueStep], _ context: inout MatchContext, _ seen: inout [StepValue]
    ) throws(ValueStepError) -> SubjectValues {
        guard let first = steps.first, case .found(var values) = values(of: subject) else { return values(of: subject) }
        if subject.isRepeated, first.isAboutAll { values = [.array(values.compactMap(\.self))] }
        if subject == .body, first.isAboutBytes {
            return .found([try steps.applied(to: .bytes(body), &context, &seen)])
        }
        var results: [JSONValue?] = []
        for value in values {
            guard let value else {
                results.append(nil)
                continue
            }
            results.append(try steps.applied(to: .json(value), &context, &seen))
        }
        return .found(results)
    }

    func values(of subject: ExpectationSubject) -> SubjectValues {
        let metrics = response.metrics
        let last = metrics.attempts.last
        switch subject {
        case .status: return responded { .number("\($0.head.status.code)") }
        case .header(let name): return .found(headers(name).map(JSONValue.string))
        case .cookie(let name): return .found(cookies(name).map(JSONValue.string))
        case .cookieAttribute(let name, let attribute):
            return cookies(name).isEmpty
                ? .none("nothing: no cookie `\(name)` is set") : .found(attributes(attribute, ofCookie: name))
        case .locations:
            return .found(metrics.attempts.compactMap { $0.redirect?.location }.map(JSONValue.string))
        case .link(let relation):
            return .found(LinkField.target(of: relation, in: headers("link")).map { [.string($0)] } ?? [])
        case .polls: return .found([.number("\(polls)")])
        case .address:
            return .found((last?.connection?.remoteAddress).map { [.string(Self.host(of: $0))] } ?? [])
        case .body: return bodyProblem.map { .none("nothing: \($0)") } ?? responded { _ in .string(bodyText) }
        case .filter(let filter):
            guard response.info != nil else { return .none(noResponse) }
            do throws(JSONFilterError) {
                return .found(try found(by: filter))
            } catch {
                return .none("nothing: \(error.message)")
            }
        case .time("total"): return .found(metrics.total.map { [Self.duration($0)] } ?? [])
        case .time(let name):
            guard let last, let name = Phases.Name(rawValue: name) else { return .none(noResponse) }
            if let phase = last.phases[name] { return .found([Self.duration(phase.duration)]) }
            if name == .tls, last.tls == nil { return .none("no TLS") }
            // On a connection that was open already a phase took no time; one that was never reached has no duration.
            return last.head == nil ? .none("nothing: it didn't come to that") : .found([Self.duration(.zero)])
        case .size: return responded { _ in .number("\(size)") }
        case .attempts: return .found([.number("\(metrics.attempts.count)")])
        case .redirects: return .found([.number("\(metrics.redirectCount)")])
        case .retries: return .found([.number("\(metrics.retryCount)")])
        case .tls(let name):
            guard let tls = last?.tls else { return .none("no TLS") }
            if name == "names" { return .found((tls.chain.first?.alternativeNames ?? []).map(JSONValue.string)) }
            return .found(Self.value(name, of: tls, now: now).map { [$0] } ?? [])
        case .httpVersion: return responded { .string($0.head.version) }
        case .contract, .step: return .found([])
        case .close:
            guard let close = last?.session?.close, close.code != 1006 else {
                return .none(last?.session == nil ? "no session" : "the end of the connection without a close")
            }
            return .found([.number("\(close.code)")])
        case .messageCount: return .found([.number("\(messageCount)")])
        case .message: return .none(last?.session == nil ? "no session" : "no message")
        case .url: return responded { .string($0.finalRequest.url.absoluteString) }
        case .error:
            guard let error = response.error else { return .found([]) }
            return .found([.string(FailureKind(error).rawValue), .string(error.type), .string(error.message)])
        }
    }

    private func responded(_ value: (ResponseInfo) -> JSONValue) -> SubjectValues {
        response.info.map { .found([value($0)]) } ?? .none(noResponse)
    }

    fileprivate var noResponse: String {
        response.error.map { "no response: \($0.message)" } ?? "no response"
    }

    /// The host of `127.0.0.1:80`, `[::1]:80`, or a path.
    private static func host(of address: String) -> String {
        guard let colon = address.lastIndex(of: ":"), !address.hasPrefix("/") else { return address }
        let host = address[..<colon]
        return String(host.hasPrefix("[") ? host.dropFirst().dropLast() : host)
    }

    private static func duration(_ duration: Duration) -> JSONValue { .string(DurationText.format(duration)) }

    private static func value(_ name: String, of tls: TLSInfo, now: Date) -> JSONValue? {
        let certificate = tls.chain.first
        switch name {
        case "valid-for":
            return certificate.map { certificate in
                let left = certificate.notAfter.timeIntervalSince(now).rounded(.down)
                return left < 0 ? .string("expired") : duration(.seconds(left))
            }
        case "version": return tls.version.map(JSONValue.string)
        case "subject": return certificate.map { .string($0.subject) }
        case "issuer": return certificate.map { .string($0.issuer) }
        case "serial": return certificate.map { .string($0.serialNumber) }
        case "valid-from": return certificate.map { .string(DateText.format($0.notBefore)) }
        case "valid-until": return certificate.map { .string(DateText.format($0.notAfter)) }
        case "key": return certificate.map { .string($0.publicKey) }
        case "cipher": return tls.cipher.map(JSONValue.string)
        default: return .boolean(tls.isVerified && tls.verificationFailure == nil)
        }
    }
}
