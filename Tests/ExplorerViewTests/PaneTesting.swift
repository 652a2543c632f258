import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import ExplorerModel
@testable import ExplorerView

/// Compares one pane, border included, with the file `Panes/NAME.txt`; see `expectScreen` for how a file is recorded.
func expectPane(
    _ pane: Pane, of state: ExplorerState, _ columns: Int, _ rows: Int, _ name: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    var state = state
    state.zoom(pane, columns, rows)
    expectText(ExplorerView.pane(pane, of: state), "Panes/\(columns)x\(rows)-\(name)", sourceLocation: sourceLocation)
}

extension ExplorerView {
    /// The text of the one pane that is on the screen.
    static func pane(_ pane: Pane, of state: ExplorerState) -> String {
        let rows = frame(for: state, theme: Theme(name: "plain")).text.split(separator: "\n", omittingEmptySubsequences: false)
        return rows.dropLast().joined(separator: "\n")
    }
}

extension ExplorerState {
    /// An explorer that has seen these operations, all of the same request unless they are named.
    static func having(_ scripts: [EventScript], names: [String] = [], size: Size = Size(columns: 120, rows: 40)) -> ExplorerState {
        var state = ExplorerState(size: size)
        for (index, script) in scripts.enumerated() {
            state.take(script, name: names.indices.contains(index) ? names[index] : "orders/create")
        }
        return state
    }

    /// Everything an operation tells, and its response when it has ended.
    mutating func take(_ script: EventScript, name: String = "orders/create", body: Data? = nil) {
        guard let id = script.events.first?.operation else { return }
        let location = RequestCollections.SourceLocation(path: "demo.yaml", line: 1, column: 1)
        let definition = RequestDefinition(id: RequestID(rawValue: name), method: "GET", url: "{{base}}/orders", location: location)
        _ = handle(.operationEnqueued(id, SentRequest(definition, in: "demo")))
        for event in script.events { _ = handle(.network(event)) }
        guard script.metrics.completed != nil else { return }
        _ = handle(.responseReady(id, Response(script, body: body)))
        if let body, !body.isEmpty, let head = script.metrics.attempts.last?.head {
            let type = head.headers[.contentType]
            let document = BodyDocument(BodyBytes(body), contentType: type)
            document.extendIndexToEnd()
            _ = handle(.bodyPrepared(id, document))
        }
    }

    /// Gives a pane all of a screen on which it has this size: scrolling and searching ask the layout.
    mutating func zoom(_ pane: Pane, _ columns: Int, _ rows: Int) {
        isZoomed = true
        setFocus(pane)
        _ = handle(.terminal(.resize(Size(columns: columns, rows: rows + 1))))
    }

    mutating func press(_ keys: KeyPress...) {
        for key in keys { _ = handle(.terminal(.key(key))) }
    }

    mutating func type(_ text: String) {
        for character in text { press(.character(character)) }
    }
}

extension Response {
    /// As the events tell it.
    init(_ script: EventScript, body: Data?) {
        let metrics = script.metrics
        let last = metrics.attempts.last
        let info = last?.head.map { head in
            ResponseInfo(finalRequest: last!.request, head: head, body: body.map(ResponseBody.data) ?? .none)
        }
        self.init(
            originalRequest: metrics.attempts.first?.request ?? EventScript.request(), error: metrics.error, info: info,
            metrics: metrics)
    }
}
