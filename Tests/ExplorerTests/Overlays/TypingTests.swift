import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `Typing while something comes up by itself` {
    private static let bird = Question(id: 1, message: "Which bird?", form: .text(proposal: "", isSecret: false))
    private static let notSent = ExplorerEvent.sendFailed(ShopCollection.reference("login"), message: "the secret can't be read")

    private func title(_ explorer: ExplorerDriver) -> String? {
        if case .dialog(let dialog) = explorer.state.overlay { dialog.title } else { explorer.card?.title }
    }

    @Test func `a dialog waits behind the question that is being answered`() {
        var explorer = ExplorerDriver()
        explorer.send(.questionAsked(Self.bird))
        explorer.type("turnst")
        explorer.send(Self.notSent)
        explorer.type("one")
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.answer(1, .text("turnstone"))])
        #expect(title(explorer) == "Not sent: login")
    }

    @Test func `a dialog waits until the name of a header is typed`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .nextTab, .addRow)
        explorer.type("x-tr")
        explorer.send(Self.notSent)
        explorer.send(.runsCompared(Comparison(RunComparison(Self.run, Self.run))))
        #expect(explorer.state.arrivals.count == 2)
        explorer.type("ace")
        explorer.press("Enter")
        explorer.type("7")
        explorer.press("Enter")
        #expect(explorer.request?.headers.contains(.init(name: "x-trace", value: "7")) == true)
        #expect(title(explorer) == "Not sent: login")
    }

    @Test func `what comes up while keys are pressed takes none in its first moment`() {
        var explorer = ExplorerDriver()
        explorer.tick(1_000)
        explorer.press(.down)
        explorer.tick(1_100)
        explorer.send(Self.notSent)
        explorer.press("Enter")
        explorer.paste("https://example.org")
        #expect(title(explorer) == "Not sent: login")
        #expect(explorer.takeEffects() == [])
        explorer.tick(1_401)
        explorer.press("Enter")
        #expect(explorer.state.overlay == nil)
    }

    @Test func `whoever waits for it can answer at once`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.tick(1_000)
        explorer.press(.send)
        explorer.send(.questionAsked(Self.bird))
        explorer.type("tern")
        explorer.press("Enter")
        #expect(explorer.takeEffects().last == .answer(1, .text("tern")))
    }

    @Test func `an answer that nobody wants any more doesn't become commands`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .nextTab)
        _ = explorer.takeEffects()
        explorer.send(.questionAsked(Self.bird))
        explorer.tick(2_000)
        explorer.type("re")
        explorer.send(.questionWithdrawn(1))
        explorer.type("d")
        #expect(title(explorer) == "No answer is wanted any more")
        #expect(explorer.takeEffects() == [])
        #expect(explorer.request?.headers.count == 2)
    }

    @Test func `a line goes on being typed in its row when the file gets another row before it`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .nextTab)
        explorer.press(.activate)
        explorer.type("-2")
        explorer.send(
            .collectionLoaded(
                ShopCollection.changed("orders/create") { $0.headers.insert(.init(name: "x-first", value: "1"), at: 0) }))
        explorer.type("34")
        explorer.press("Enter")
        #expect(
            explorer.request?.headers.map { "\($0.name): \($0.value)" }
                == ["x-first: 1", "idempotency-key: {{user}}-1-234", "Authorization: Bearer abc"])
    }

    @Test func `a line whose request is gone goes on, and its request stays in the tree`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .edit)
        explorer.type("/new")
        var collection = ShopCollection.collection
        collection.nodes.remove(at: 1)
        explorer.send(.collectionLoaded(collection))
        #expect(explorer.state.overlay == nil)
        #expect(explorer.state.selectedRequest == ShopCollection.reference("orders/create"))
        explorer.press("Enter")
        #expect(explorer.request?.url == "{{host}}/orders/new")
    }

    @Test func `a run that starts late leaves the cursor where one has gone on to`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.send, .down, .down)
        let here = explorer.state.selectedRequest
        explorer.enqueue(1, "login")
        #expect(explorer.state.selectedRequest == here)
        #expect(explorer.state.shownOperation == nil)
        explorer.pick("login")
        #expect(explorer.state.shownOperation?.id.rawValue == 1)
    }

    @Test func `the tree that changes leaves the line that is being typed alone`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .edit)
        explorer.type("/a")
        let copy = ShopCollection.request("login-2", "POST", "{{host}}/login")
        let change = TreeChange(.edit(.add(copy), in: ShopCollection.path), undoing: [])
        var collection = ShopCollection.collection
        collection.nodes.append(.request(copy))
        explorer.send(.treeChanged(change, [collection], remarks: ["look"]))
        explorer.type("b")
        explorer.press("Enter")
        #expect(explorer.request?.url == "{{host}}/orders/ab")
        #expect(title(explorer) == "Done, but look at this")
    }

    // MARK: Anything at any time

    /// `make typing` takes ten thousand.
    private static let seeds = ProcessInfo.processInfo.environment["TYPING_SEEDS"].flatMap { Int($0) } ?? 50

    @Test(arguments: 0..<max(1, seeds / 50))
    func `no key reaches anything but what was in front when it was pressed`(batch: Int) {
        for seed in batch * 50..<(batch + 1) * 50 {
            var play = RandomPlay(seed: UInt64(seed))
            for _ in 0..<60 { if !play.step() { return } }
        }
    }

    fileprivate static let run = ComparedRun(title: "login", date: nil, response: Response(.success()), body: "{}")
}

/// What takes the next key.
private enum Front: Equatable {
    case overlay(String)
    case search(Pane, String)
    case filter(String)
    case saving(String)
    case line(RequestReference?, String, of: String?)
    case body(RequestReference?, String)
    case pane(Pane, RequestReference?)

    init(_ state: ExplorerState) {
        if let overlay = state.overlay {
            self = .overlay(Self.name(of: overlay))
        } else if let search = state.searchLine {
            self = .search(search.pane, search.line.text)
        } else if let prompt = state.panes.response.savePrompt {
            self = .saving(prompt.text)
        } else if let line = state.panes.response.filterLine {
            self = .filter(line.line.text)
        } else if let editing = state.panes.request.editing {
            switch editing {
            case .body: self = .body(state.selectedRequest, state.panes.request.body.text)
            case .line(let field, let line): self = .line(state.selectedRequest, line.text, of: Self.owner(of: field, state))
            }
        } else {
            self = .pane(state.screen.focus, state.selectedRequest)
        }
    }

    /// What tells an overlay from another one, what is typed into it included; not what changes in it by itself, or is long to print.
    private static func name(of overlay: Overlay) -> String {
        switch overlay {
        case .omnibox(let omnibox): "omnibox \(omnibox.line.text) \(omnibox.list.selected)"
        case .question(let form): "\(form.question.id) \(form.line.text)"
        case .entry(let form): "\(form.title) \(form.selected) \(form.fields.map(\.text))"
        case .comparison(let comparison): "comparison \(comparison.visible)"
        case .variables(let board): "variables \(board.list.selected)"
        case .lab(let board): "lab \(board.phase) \(board.selected) \(board.fields.map(\.line.text))"
        default: "\(overlay)"
        }
    }

    /// By the name of the row: its index may change.
    private static func owner(of field: RequestField, _ state: ExplorerState) -> String? {
        guard case .value(let rows, let index) = field else {
            if case .name(let rows, _) = field { return "name of \(rows)" }
            return "\(field)"
        }
        return state.shownDefinition.map { "\(rows) \($0[rows][index].name)" }
    }

    var isTyped: Bool {
        switch self {
        case .search, .filter, .saving, .line, .body: true
        case .overlay, .pane: false
        }
    }

    var isOverlay: Bool { if case .overlay = self { true } else { false } }
}

/// Keys, pastes, clicks and events in an order that a seed decides.
private struct RandomPlay {
    private var dice: SeededGenerator
    private let seed: UInt64
    private var explorer = ExplorerDriver()
    private var time = 1_000.0
    private var number = 0
    private var lastKey = -10_000.0
    private var isAwaiting = false
    /// Until then a key was meant for what was there before.
    private var quietUntil = 0.0

    init(seed: UInt64) {
        self.seed = seed
        dice = SeededGenerator(seed: seed)
        explorer.pick("orders/create")
        _ = explorer.takeEffects()
    }

    /// - Returns: whether everything was as it should be.
    mutating func step() -> Bool {
        time += .random(in: 1...250, using: &dice)
        explorer.tick(time)
        guard Bool.random(using: &dice) ? input() : event() else { return false }
        let state = explorer.state
        let texts = [
            state.searchLine != nil, state.panes.response.savePrompt != nil, state.panes.response.filterLine != nil,
            state.panes.request.editing != nil,
        ].count { $0 }
        #expect(texts <= 1, "seed \(seed): \(texts) texts wait for the same key")
        return texts <= 1
    }

    private static let keys = "a d e s x j k o c q 1 2 4 f / ] Enter Esc Tab Space :".split(separator: " ")
        .compactMap { KeyPress(name: String($0)) }

    private mutating func randomInput() -> TerminalEvent {
        switch Int.random(in: 0..<8, using: &dice) {
        case 0: return .paste("p\(number)")
        case 1:
            let point = Point(column: .random(in: 0..<120, using: &dice), row: .random(in: 0..<40, using: &dice))
            return .mouse(MouseEvent(Bool.random(using: &dice) ? .press : .doubleClick, at: point))
        default: return .key(Self.keys.randomElement(using: &dice) ?? KeyPress(.enter))
        }
    }

    private mutating func input() -> Bool {
        let input = randomInput()
        let before = Front(explorer.state)
        let definition = explorer.request
        explorer.send(.terminal(input))
        let effects = explorer.takeEffects()
        let isIgnored = Front(explorer.state) == before && effects.isEmpty && explorer.request == definition
        if time < quietUntil {
            #expect(isIgnored, "seed \(seed): \(input) reached \(before)")
            return isIgnored
        }
        guard !isIgnored else { return true }
        lastKey = time
        isAwaiting = effects.contains {
            switch $0 {
            case .send, .answer, .save, .changeTree, .revertTree, .compareRuns, .loadPastRun, .loadCollection, .copyRequest: true
            default: false
            }
        }
        return true
    }

    private mutating func event() -> Bool {
        let before = Front(explorer.state)
        let event = randomEvent()
        explorer.send(event)
        _ = explorer.takeEffects()
        let after = Front(explorer.state)
        guard after != before else { return true }
        if before.isTyped {
            // Only a file that lacks what was being edited ends that, and says so.
            var isTold = false
            if case .collectionLoaded = event, case .dialog(let dialog) = explorer.state.overlay {
                isTold = dialog.title == "Changed on disk"
            }
            #expect(isTold, "seed \(seed): \(event) took the keys of \(before), which \(after) has now")
            guard isTold else { return false }
        }
        if !isAwaiting, time - lastKey < 500, before.isOverlay || after.isOverlay { quietUntil = time + 300 }
        return true
    }

    private mutating func randomEvent() -> ExplorerEvent {
        number += 1
        let run = `Typing while something comes up by itself`.run
        let reference = ShopCollection.reference(["login", "orders/create", "orders/list"].randomElement(using: &dice) ?? "login")
        switch Int.random(in: 0..<11, using: &dice) {
        case 0: return .questionAsked(Question(id: number, message: "Code \(number)", form: .text(proposal: "", isSecret: false)))
        case 1: return .questionWithdrawn(Int.random(in: max(1, number - 6)...number, using: &dice))
        case 2: return .sendFailed(reference, message: "no \(number)")
        case 3: return .runsCompared(Comparison(RunComparison(run, run)))
        case 4: return .collectionLoaded(ShopCollection.collection)
        case 5:
            return .collectionLoaded(
                ShopCollection.changed("orders/create") { $0.headers.insert(.init(name: "x-\(number)", value: "1"), at: 0) })
        case 6: return .collectionLoaded(ShopCollection.changed("orders/create") { $0.url = "http://other/\(number)" })
        case 7:
            var collection = ShopCollection.collection
            collection.nodes.remove(at: 1)
            return .collectionLoaded(collection)
        case 8:
            let definition =
                explorer.state.definition(of: reference) ?? ShopCollection.request(reference.id.rawValue, "GET", "http://h/")
            return .operationEnqueued(OperationID(rawValue: number), SentRequest(definition, in: ShopCollection.path))
        case 9: return .saveFailed(conflicts: [reference], message: Bool.random(using: &dice) ? "disk full" : nil)
        default: return .treeChangeFailed(.create(.file, at: "/x.yaml", name: "x"), message: "no \(number)")
        }
    }
}
