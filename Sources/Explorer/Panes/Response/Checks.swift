import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// What was expected and captured, what isn't right first in its own colour, each with its place.
    func checks(_ subject: ResponseSubject, columns: Int) -> ResponseContent {
        guard let report = subject.entry.report else {
            return .nothing([subject.entry.state.isFinal ? "This run had nothing to check." : "Nothing has been checked yet."])
        }
        var lines: [StyledLine] = []
        if let failure = report.failure {
            lines += StyledLine([.init("✗ ", .error), .init(SafeText.line(failure), .text)]).wrapped(columns: columns, indent: 2)
        }
        if report.unseen > 0 { lines.append(StyledLine("· \(report.tallies[0]): no answer came", .dim)) }
        lines += report.expectations.flatMap { line(of: $0).wrapped(columns: columns, indent: 2) }
        if !report.captured.isEmpty, !lines.isEmpty { lines.append(StyledLine()) }
        for captured in report.captured {
            lines += StyledLine([
                .init("→ ", .info), .init(SafeText.line(captured.name), .strong),
                .init(" = " + SafeText.line(captured.text), .text),
            ]).wrapped(columns: columns, indent: 2)
        }
        return .lines(lines)
    }

    /// What was expected, and what was found in its place.
    func line(of result: ExpectationResult) -> StyledLine {
        var line = StyledLine(result.isMet ? "✓ " : "✗ ", result.isMet ? .success : .error)
        line.append(SafeText.line("\(result.what) "), .strong)
        line.append(SafeText.line(result.expected), .text)
        if !result.isMet { line.append(", found " + SafeText.line(result.found), .warning) }
        line.append("  \(SafeText.line("\(result.location)"))", .dim)
        return line
    }
}

/// Expectations and captures out of what a response says.
extension ExplorerState {
    /// The request that a check would be added to: what is shown must be its answer.
    private var checkedDefinition: RequestDefinition? { shownResponse?.entry.request == selectedRequest ? shownDefinition : nil }

    /// Of a value in the body: that it is there, and once more what it is. Of anything else, what its head says is offered.
    mutating func expectThis() -> [ExplorerEffect] {
        guard let entry = shownResponse?.entry, let definition = checkedDefinition else {
            return say("there is no response here yet that something could be expected of")
        }
        guard let document = bodyWithCursor, document.kind == .json, panes.response.filter.isEmpty else {
            let items = headChecks(of: entry)
            guard !items.isEmpty else { return say("there is nothing here to expect") }
            let titles = items.map { Chooser.Item("expect \($0.name)", detail: $0.value) }
            overlay = .chooser(Chooser("Expect", titles, purpose: .check(items)))
            return []
        }
        guard let place = placeUnderCursor else { return say(Self.hasNoPlaces) }
        var matchers = ["exists", "is \(place.kind)"]
        switch place.kind {
        case .object, .array: matchers.append("length > 0")
        case .null: matchers = ["null"]
        case .string, .number, .boolean:
            let names = place.path.split { ".[]\"".contains($0) }.map(String.init)
            let isSecret = names.contains { Redaction.standard.redacts($0) || Redaction.standard.redacts(parameter: $0) }
            guard !isSecret, let value = document.value(of: place, limit: 1 << 10), !value.contains("{{") else { break }
            matchers.insert(place.kind == .string ? Matcher.typed(equalTo: value) : value, at: 1)
        }
        let known = definition[.expectations].first { $0.name == place.path }?.value
        var next = 0
        if let known {
            guard let index = matchers.firstIndex(of: known) else { return say("it is expected already: \(place.path) \(known)") }
            next = index.stepped(by: 1, of: matchers.count)
        }
        let other = SafeText.line(String(matchers[next.stepped(by: 1, of: matchers.count)].prefix(24)))
        let words = "expect \(place.path) \(matchers[next].prefix(24)) (\(keyName(.expectThis)) again: \(other))"
        return add(.init(name: place.path, value: matchers[next]), to: .expectations, saying: words)
    }

    private static let hasNoPlaces = "the body is still being indexed, or isn't valid JSON"

    mutating func captureThis() -> [ExplorerEffect] {
        guard let definition = checkedDefinition, bodyWithCursor?.kind == .json, panes.response.filter.isEmpty else {
            return say("what is under the cursor is no value: a JSON body has some, laid out (o)")
        }
        guard let place = placeUnderCursor else { return say(Self.hasNoPlaces) }
        guard place.path != "." else { return say("that is the whole body: move to a value in it") }
        if let known = definition.captureRows.first(where: { $0.value == place.path }) {
            return say("it is captured already, as {{\(known.name)}}")
        }
        let name = freeVariable(for: place.path, in: definition)
        return add(.init(name: name, value: place.path), to: .captures, saying: "capture {{\(name)}} from \(place.path)")
    }

    private func headChecks(of entry: OperationEntry) -> [RequestDefinition.Row] {
        guard let head = entry.metrics.attempts.last?.head else { return [] }
        var items = [RequestDefinition.Row(name: "status", value: "\(head.status.code)")]
        if let total = entry.metrics.total {
            let seconds = max(1, (total.wholeNanoseconds * 2 + 999_999_999) / 1_000_000_000)
            items.append(.init(name: "time total", value: "< \(seconds)s"))
        }
        var names: Set<String> = []
        for field in head.headers where names.insert(field.name.canonicalName).inserted && names.count <= 30 {
            let name = SafeText.line(field.name.canonicalName)
            // Whoever sees the file sees what is expected, so it mustn't be a secret; a template would be filled in.
            let isHidden = Redaction.standard.redacts(name) || field.value.contains("{{")
            items.append(.init(name: "header \(name)", value: isHidden ? "exists" : Matcher.typed(equalTo: field.value)))
        }
        return items
    }

    /// The last name of a path, as far as it can name a variable that no capture has yet.
    private func freeVariable(for path: String, in definition: RequestDefinition) -> String {
        let words = path.split { !$0.isASCII || !$0.isLetter && !$0.isNumber && $0 != "_" }
        let word = words.last { $0.first?.isNumber == false }.map(String.init) ?? "value"
        let taken = Set(definition.captures.map(\.name))
        guard taken.contains(word) else { return word }
        return (2...).lazy.map { "\(word)\($0)" }.first { !taken.contains($0) } ?? word
    }

    mutating func add(_ row: RequestDefinition.Row, to rows: RequestField.Rows, saying words: String) -> [ExplorerEffect] {
        let effects = edit { definition in
            if rows == .expectations, let index = definition[rows].firstIndex(where: { $0.name == row.name }) {
                definition[rows][index].value = row.value
            } else {
                definition[rows].append(row)
            }
        }
        let ways = "in the tab checks; \(keyName(.save)) saves it, \(keyName(.undo)) takes it back"
        notice = Notice(.success, effects.isEmpty ? "the request has that already" : "\(words) \(ways)")
        return effects
    }

    /// What checks look at in the body on the screen, by paths, with a sign for each: what doesn't hold, what the next run will look at
    /// first, and what holds.
    var checkedPaths: [(path: String, sign: StyledLine.Span)] {
        guard let entry = responseSubject(for: .body)?.entry, panes.response.filter.isEmpty else { return [] }
        let definition = entry.request == selectedRequest ? shownDefinition : nil
        let (rows, sent) = (definition?.expectationRows ?? [], entry.sent.definition.expectationRows)
        var new = rows.filter { row in !sent.contains { $0.name == row.name && $0.value == row.value } }.map(\.name)
        let results = (entry.report?.expectations ?? []).compactMap { result in
            if case .filter(let program) = result.subject, !new.contains(program) { (program, isMet: result.isMet) } else { nil }
        }
        new = rows.map(\.name).filter { name in !results.contains { $0.0 == name } }
        func checks(_ isMet: Bool) -> [String] { results.filter { $0.isMet == isMet }.map(\.0) }
        let all = [
            (checks(false), StyledLine.Span("✗", .error)), (new, .init("=", .unsaved)), (checks(true), .init("✓", .success)),
            (definition?.captureRows.map(\.value) ?? [], .init("$", .info)),
        ]
        return all.flatMap { paths, sign in paths.compactMap { path in Self.place(in: path).map { ($0, sign) } } }
    }

    /// The value that a program for jq begins with: `.items` of `.items | length`; `nil` of `.items[].id`, which is no single one.
    private static func place(in program: String) -> String? {
        let path = /(\.(?:[A-Za-z_]\w*)?(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\]|\.[A-Za-z_]\w*)*)\s*(?:\|(?s:.*))?/
        return program.wholeMatch(of: path).map { String($0.1) }
    }

    /// The signs of lines that a check looks at, or at something that is folded there.
    func checkMarks(ofLines lines: [Int], in document: BodyDocument) -> [StyledLine.Span?] {
        let checked = checkedPaths
        return zip(lines, document.jsonPlaces(ofLines: lines)).map { line, place in
            guard let place, !place.isEnd else { return nil }
            let isFolded = panes.response.body.folds.lines(behind: line) != nil
            let within = place.path == "." ? ["."] : ["\(place.path).", "\(place.path)["]
            return checked.first { path, _ in path == place.path || isFolded && within.contains(where: path.hasPrefix) }?.sign
        }
    }
}
