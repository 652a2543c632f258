import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import RequestCollections
import TerminalUI

@testable import Explorer

extension ExplorerDriver {
    /// An explorer that has seen these operations, all of `orders/create` unless they are named.
    static func having(_ scripts: EventScript..., of names: [String] = []) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        for (index, script) in scripts.enumerated() {
            explorer.run(script, of: names.indices.contains(index) ? names[index] : "orders/create")
        }
        return explorer
    }

    /// An explorer that shows `orders/create` with the method changed from POST to PUT, and not saved.
    static func edited() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.method)
        explorer.press("Down Enter")
        _ = explorer.takeEffects()
        return explorer
    }

    /// A send that isn't in the queue yet.
    mutating func wait(_ number: Int, _ id: String, for wait: RunWait) {
        let definition = state.definition(of: ShopCollection.reference(id)) ?? ShopCollection.request(id, "GET", "http://localhost")
        send(.sendWaits(number, SentRequest(definition, in: ShopCollection.path), wait))
    }

    /// Everything an operation tells, and its response when it has ended; then the loop's answer about its body.
    mutating func run(
        _ script: EventScript, of request: String = "orders/create", in environment: String? = nil, body: Data? = nil
    ) {
        guard let id = script.events.first?.operation else { return }
        enqueue(id.rawValue, request, environment: environment)
        for event in script.events { send(.network(event)) }
        guard script.metrics.completed != nil else { return }
        let response = Response(script, body: body)
        send(.responseReady(id, response))
        guard let info = response.info, let data = body, !data.isEmpty else { return }
        let document = BodyDocument(BodyBytes(data), contentType: info.head.headers[.contentType])
        document.extendIndexToEnd()
        send(.bodyPrepared(id, document))
    }

    mutating func tick(_ milliseconds: Double) {
        send(.tick(EventScript.time(milliseconds)))
    }

    /// Gives a pane all of a screen on which it has this size, borders included: scrolling and searching ask the layout.
    ///
    /// - Returns: the first row of the pane: above it are the request's line and the verdict.
    @discardableResult
    mutating func zoom(_ pane: Pane, _ columns: Int, _ rows: Int) -> Int {
        if state.screen.focus != pane { focus(pane) }
        if !state.screen.isZoomed { press(.zoom) }
        for more in 1...8 {
            let size = Size(columns: columns, rows: rows + more)
            if state.screen.size != size { send(.terminal(.resize(size))) }
            if let rect = state.layout.panes[pane], rect.rows == rows { return rect.row }
        }
        preconditionFailure("no screen has a pane of \(rows) rows")
    }
}

extension Response {
    /// As the events tell it.
    init(_ script: EventScript, body: Data? = nil) {
        let metrics = script.metrics
        var info: ResponseInfo?
        if let last = metrics.attempts.last, let head = last.head {
            info = ResponseInfo(finalRequest: last.request, head: head, body: body.map(ResponseBody.data) ?? .none)
        }
        self.init(
            originalRequest: metrics.attempts.first?.request ?? EventScript.request(), error: metrics.error, info: info,
            metrics: metrics)
    }
}
