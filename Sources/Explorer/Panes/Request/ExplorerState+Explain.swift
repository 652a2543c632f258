import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

/// Where everything about the shown request comes from, as it stands now.
struct ExplainedRequest: Hashable, Sendable {
    let definition: RequestDefinition
    let rows: [Explanation.Row]
    /// Why there are none.
    let problem: String?

    init(
        _ definition: RequestDefinition, in collection: RequestCollection, environment: String?, variables: [String: String],
        secrets: [String: [OriginPattern]]
    ) {
        self.definition = definition
        do throws(ResolutionError) {
            rows = try collection.explain(
                definition, environment: environment, variables: variables.mapValues(JSONValue.string), secretVariables: secrets
            ).rows
            problem = nil
        } catch {
            rows = []
            problem = error.message
        }
    }

    /// - Parameter columns: where there is room, a value's place stands beside it, else below.
    func rows(columns: Int) -> [RequestPaneRow] {
        if let problem { return LineWrapping.lines(of: problem, columns: columns - 2).map { .note($0) } }
        var lines: [RequestPaneRow] = []
        var group: Explanation.Group?
        for row in rows {
            if row.group != group { lines.append(.heading(row.group.title)) }
            group = row.group
            lines.append(.explained(row))
            if columns < Self.wide { lines.append(.origin(row.origin)) }
            if let template = row.template { lines.append(.note("  filled in from \(template.pieces(at: "\n")[0])")) }
            if let problem = row.problem { lines.append(.note("  ✗ \(problem)")) }
            lines += row.overrode.map { .overridden($0) }
        }
        return lines
    }

    /// From this width on, everything about a value is on one line.
    static let wide = 72
}

extension Explanation.Group {
    fileprivate var title: String { self == .url ? "URL" : rawValue }
}

extension ExplorerState {
    /// Done only while the tab is shown, since it fills in every template.
    mutating func settleExplanation() {
        guard panes.request.tab == .explain, let definition = shownDefinition, let reference = selectedRequest,
            let collection = workspace[reference.collection], context?.explained?.definition != definition
        else { return }
        let given = givenVariables(in: reference.collection)
        context?.explained = ExplainedRequest(
            definition, in: collection, environment: workspace.environments[reference.collection], variables: given.texts,
            secrets: given.secrets)
    }

    /// The file in which a value stands, at its line.
    mutating func openFile(at location: SourceLocation?, of source: ValueOrigin.Source) -> [ExplorerEffect] {
        guard let location, !location.path.isEmpty else {
            return say("it comes from \(source), and stands in no file")
        }
        return [.openFile(location)]
    }

    /// The location as short as is clear: its path begins at the collection's directory.
    func shortPlace(_ location: SourceLocation) -> String {
        var path = location.path
        if let root = selectedRequest?.collection, path.hasPrefix(root + "/") {
            path = String(path.dropFirst(root.count + 1))
        } else {
            path = path.split(separator: "/").last.map(String.init) ?? path
        }
        return "\(path):\(location.line)"
    }
}
