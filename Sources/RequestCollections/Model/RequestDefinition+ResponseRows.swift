import NetworkLayer

/// What a request needs, expects, captures and sends in parts, as rows of two texts that a person edits.
extension RequestDefinition {
    /// A name and, when it isn't run every time, how long its last success counts.
    package var needRows: [Row] {
        get { needs.map { Row(name: $0.name, value: $0.maxAge.map(DurationText.format) ?? "", location: $0.location) } }
        set {
            needs = continued(needRows, newValue).map { row, source in
                NeedDefinition(
                    name: row.name, maxAge: DurationText.parse(row.value), ifSkipped: source.flatMap { needs[$0].ifSkipped },
                    location: source.map { needs[$0].location } ?? location)
            }
        }
    }

    /// What of the response, and what it must be.
    package var expectationRows: [Row] {
        get {
            expectations.map { expectation in
                let isNew = expectation.subject == .filter("")
                return Row(
                    name: expectation.subjectText, value: isNew ? "" : expectation.matcherText, location: expectation.location)
            }
        }
        set {
            expectations = continued(expectationRows, newValue).map { row, source in
                let old = source.map { expectations[$0] }
                if let old, old.subjectText == row.name, old.matcherText == row.value { return old }
                let place = old?.location ?? location
                var parsed = try? ExpectationDefinition(subject: row.name, matcher: row.value, location: place)
                // A row doesn't show what is done to the value first.
                if let old, parsed?.subject == old.subject { parsed?.steps = old.steps }
                return parsed ?? old ?? ExpectationDefinition(.filter(""), .exists, location: place)
            }
        }
    }

    /// A variable's name, and what of the response it gets.
    package var captureRows: [Row] {
        get { captures.map { Row(name: $0.name, value: $0.source.description, location: $0.location) } }
        set {
            captures = continued(captureRows, newValue).map { row, source in
                var capture =
                    source.map { captures[$0] } ?? CaptureDefinition(name: "", source: .filter(""), location: location)
                capture.name = row.name
                capture.source = CaptureSource(row.value) ?? capture.source
                return capture
            }
        }
    }

    /// The parts of a multipart body: a text as it stands, and anything more as the file says it, `{ file: cat.png, type: image/png }`.
    package var partRows: [Row] {
        get {
            guard case .multipart(let parts) = body else { return [] }
            return parts.map { Row(name: $0.name, value: $0.typed, isEnabled: $0.isEnabled) }
        }
        set {
            body = .multipart(newValue.map { (try? part($0)) ?? BodyDefinition.Part(name: $0.name, content: .text($0.value)) })
        }
    }

    private func part(_ row: Row) throws(CollectionProblem) -> BodyDefinition.Part {
        guard row.value.hasPrefix("{"), !row.value.hasPrefix("{{") else {
            return .init(name: row.name, content: .text(row.value), isEnabled: row.isEnabled)
        }
        let read = try reading("body: { multipart: { part: \(row.value) } }")
        guard case .multipart(let parts) = read.body, var part = parts.first, parts.count == 1 else {
            throw Self.complaint("`\(row.value)` isn't one part, such as { file: cat.png, type: image/png }")
        }
        (part.name, part.isEnabled) = (row.name, row.isEnabled)
        return part
    }

    /// Which old row each new one goes on with: what a row doesn't show, a capture's secrecy for one, stays.
    private func continued(_ old: [Row], _ new: [Row]) -> [(row: Row, source: Int?)] {
        let plain = { (row: Row) in [row.name, row.value] }
        return Array(zip(new, DesiredValue.match(old.map(plain), new.map(plain)))).map { ($0, $1) }
    }

    // MARK: Checks

    /// - Throws: a sentence about what is wrong with a row that was typed.
    package static func checkNeed(_ row: Row) throws(CollectionProblem) {
        guard row.value.isEmpty || DurationText.parse(row.value) != nil else {
            throw complaint("`\(row.value)` isn't a duration such as 30s or 10m: how long its last success counts")
        }
    }

    package static func checkExpectation(_ row: Row) throws(CollectionProblem) {
        guard !row.name.isEmpty else { return }
        _ = try ExpectationDefinition(subject: row.name, matcher: row.value, location: SourceLocation.none)
    }

    package static func checkCapture(_ row: Row) throws(CollectionProblem) {
        guard row.name.isEmpty || TemplateName.isValid(row.name) else { throw complaint(RequestReader.notAName(row.name)) }
        guard row.value.isEmpty || CaptureSource(row.value) != nil else {
            throw complaint(
                "`\(row.value)` is nothing to capture: it takes a path into the body such as .id, header:NAME, cookie:NAME, status, "
                    + "url or body")
        }
    }

    package func checkPart(_ row: Row) throws(CollectionProblem) { _ = try part(row) }

    private static func complaint(_ message: String) -> CollectionProblem {
        CollectionProblem(location: SourceLocation.none, message: message)
    }
}

extension BodyDefinition.Part {
    /// As ``RequestDefinition/partRows`` shows it.
    fileprivate var typed: String {
        var part = self
        part.isEnabled = true
        if case .text(let text) = content, fileName == nil, contentType == nil, !text.hasPrefix("{") || text.hasPrefix("{{") {
            return text
        }
        if case .text(let text) = content, fileName == nil, contentType == nil {
            return ValueRenderer(step: 2).render(.map([("value", .scalar(text, .text))]), indent: 0, isFlow: true).inline
        }
        return ValueRenderer(step: 2).render(RequestWriter.part(part), indent: 0, isFlow: true).inline
    }
}
