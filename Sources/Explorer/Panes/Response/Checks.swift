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
        for result in report.expectations {
            lines += line(of: result).wrapped(columns: columns, indent: 2)
        }
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
    var checkChooser: Opening {
        guard let entry = shownResponse?.entry, entry.request == selectedRequest, let definition = shownDefinition else {
            return .notice("there is no response here yet that something could be expected of")
        }
        let items = panes.response.tab == .body ? valueChecks(in: definition) : headChecks(of: entry)
        guard !items.isEmpty else { return .notice("what is under the cursor is no value: a JSON body has some, laid out (o)") }
        let titles = items.map { item in
            switch item {
            case .expect(let subject, let matcher): Chooser.Item("expect \(subject)", detail: matcher)
            case .capture(let name, let source): Chooser.Item("capture \(name)", detail: source)
            }
        }
        return .chooser(Chooser("Expect or capture", titles, purpose: .check(items)))
    }

    /// Checks of the value under the cursor, or of the status where there is none.
    private func valueChecks(in definition: RequestDefinition) -> [CheckItem] {
        guard let place = placeUnderCursor else { return shownResponse.map { headChecks(of: $0.entry) } ?? [] }
        let name = CheckItem.expect(subject: place.path, matcher: "exists")
        let variable = freeVariable(for: place.path, in: definition)
        switch place.kind {
        case .string:
            return [.expect(subject: place.path, matcher: Matcher.typed(equalTo: place.value)), name]
                + [.expect(subject: place.path, matcher: "is string"), .capture(name: variable, source: place.path)]
        case .number, .boolean, .null:
            return [.expect(subject: place.path, matcher: place.value), name]
                + [.expect(subject: place.path, matcher: "is \(place.kind)"), .capture(name: variable, source: place.path)]
        case .object, .array:
            return [.expect(subject: place.path, matcher: "is \(place.kind)"), .expect(subject: place.path, matcher: "length > 0")]
                + [.capture(name: variable, source: place.path)]
        }
    }

    private func headChecks(of entry: OperationEntry) -> [CheckItem] {
        guard let head = entry.metrics.attempts.last?.head else { return [] }
        var items = [CheckItem.expect(subject: "status", matcher: "\(head.status.code)")]
        if let total = entry.metrics.total {
            let seconds = max(1, (total.wholeNanoseconds * 2 + 999_999_999) / 1_000_000_000)
            items.append(.expect(subject: "time total", matcher: "< \(seconds)s"))
        }
        var names: Set<String> = []
        for field in head.headers where names.insert(field.name.canonicalName).inserted && names.count <= 30 {
            let name = SafeText.line(field.name.canonicalName)
            // Whoever sees the file sees what is expected, so it mustn't be a secret.
            let isSecret = Redaction.standard.redacts(name)
            items.append(.expect(subject: "header \(name)", matcher: isSecret ? "exists" : Matcher.typed(equalTo: field.value)))
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

    mutating func add(_ item: CheckItem) -> [ExplorerEffect] {
        let row: RequestDefinition.Row
        let rows: RequestField.Rows
        switch item {
        case .expect(let subject, let matcher): (rows, row) = (.expectations, .init(name: subject, value: matcher))
        case .capture(let name, let source): (rows, row) = (.captures, .init(name: name, value: source))
        }
        let effects = edit { definition in
            if rows == .expectations, let index = definition[rows].firstIndex(where: { $0.name == row.name }) {
                definition[rows][index].value = row.value
            } else {
                definition[rows].append(row)
            }
        }
        notice = Notice(
            .success,
            effects.isEmpty
                ? "the request has that already"
                : "added to the request's tab checks; \(keyName(.save)) saves it, \(keyName(.undo)) takes it back")
        return effects
    }
}
