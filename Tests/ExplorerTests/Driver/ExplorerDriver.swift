import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

@testable import Explorer

/// An explorer without a screen and a world: keys in, effects out.
struct ExplorerDriver {
    var state: ExplorerState
    /// All since the last look.
    private var effects: [ExplorerEffect] = []

    init(_ collections: [RequestCollection] = [ShopCollection.collection], columns: Int = 120, rows: Int = 40) {
        state = ExplorerState(size: Size(columns: columns, rows: rows))
        for collection in collections { send(.collectionLoaded(collection)) }
    }

    mutating func send(_ event: ExplorerEvent) {
        effects += state.handle(event)
    }

    /// Presses keys by their names: `"j j Enter C-r"`.
    mutating func press(_ names: String) {
        for name in names.split(separator: " ") {
            guard let key = KeyPress(name: String(name)) else { preconditionFailure("there is no key \(name)") }
            send(.terminal(.key(key)))
        }
    }

    /// Presses the keys of commands, as the status line shows them, or finds them as a person does where they have none.
    mutating func press(_ commands: Command.ID...) { press(commands) }

    mutating func press(_ commands: [Command.ID]) {
        for command in commands {
            if let key = state.keymap.keys(for: command).first { send(.terminal(.key(key))) } else { find(command) }
        }
    }

    private mutating func find(_ command: Command.ID) {
        press(.palette)
        type(">")
        move(to: .target(.command(command)))
        press("Enter")
        effects.removeAll { if case .countUse = $0 { true } else { false } }
    }

    mutating func focus(_ pane: Pane) { press(pane.focusCommand) }

    /// Types a text, character by character.
    mutating func type(_ text: String) {
        for character in text { send(.terminal(.key(.character(character)))) }
    }

    mutating func paste(_ text: String) { send(.terminal(.paste(text))) }

    mutating func click(_ column: Int, _ row: Int, _ action: MouseEvent.Action = .press) {
        send(.terminal(.mouse(MouseEvent(action, at: Point(column: column, row: row)))))
    }

    /// What was asked for since the last call.
    mutating func takeEffects() -> [ExplorerEffect] {
        defer { effects = [] }
        return effects
    }

    var request: RequestDefinition? { state.shownDefinition }

    /// What says why, when it lies over the panes.
    var card: WhyCard? { if case .why(let card) = state.overlay { card } else { nil } }

    /// Moves the cursor of the tree to a request.
    mutating func pick(_ id: String) {
        press(.focusCollection, .top)
        for _ in 0..<state.tree.entries.count where state.selectedRequest?.id.rawValue != id { press(.down) }
    }

    // MARK: Operations

    /// What the loop answers to `send`.
    @discardableResult
    mutating func enqueue(_ number: Int, _ id: String, environment: String? = nil) -> OperationID {
        let operation = OperationID(rawValue: number)
        let definition = state.definition(of: ShopCollection.reference(id)) ?? ShopCollection.request(id, "GET", "http://localhost")
        send(.operationEnqueued(operation, SentRequest(definition, in: ShopCollection.path, environment: environment)))
        return operation
    }

    /// A network event with the next sequence number, so many milliseconds after the origin.
    mutating func event(_ operation: OperationID, _ kind: NetworkEvent.Kind, at milliseconds: Int64, attempt: Int? = nil) {
        let sequence = state.operations[operation]?.events.count ?? 0
        send(
            .network(
                NetworkEvent(
                    operation: operation, attempt: attempt, sequence: sequence,
                    time: MonotonicTime(nanoseconds: milliseconds * 1_000_000), kind: kind)))
    }
}

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

extension EventScript {
    /// A head of this type has come; the body is still to come.
    static func receiving(_ contentType: String) -> EventScript {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, Request(url: URL(string: "http://api.example.org/events")!))
        script.send(at: script.connect(at: 2, dns: 8, tcp: 21))
        script.head(at: 100, status: 200, headers: [.contentType: contentType])
        return script
    }

    /// Answered with 503, and tried again in 4 s.
    static func waitingToRetry(operation: Int = 1) -> EventScript {
        var script = EventScript(operation: operation)
        script.start()
        script.attempt(at: 1, Request(url: URL(string: "http://api.example.org/orders")!))
        script.send(at: script.connect(at: 2, dns: 8, tcp: 21))
        script.head(at: 370, status: 503, headers: [.contentType: "application/json", .retryAfter: "4"])
        script.download(at: 372, 22, of: 22)
        script.endAttempt(at: 374, .retrying)
        script.at(374, .retryDecision(.retry(after: .seconds(4), reason: "status 503, try 2 of 4"), by: "retry rules"))
        script.move(at: 374, to: .waitingToRetry)
        script.at(374, .retryScheduled(after: .seconds(4)))
        return script
    }
}
