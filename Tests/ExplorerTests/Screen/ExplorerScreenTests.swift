import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The explorer's screens` {
    @Test func `at 120x40 all panes have a place`() {
        var explorer = ExplorerDriver(columns: 120, rows: 40)
        explorer.pick("orders/create")
        expectScreen(explorer.state, "120x40-start")
    }

    @Test func `at 80x24 the operation stays on top and the request below`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        expectScreen(explorer.state, "80x24-start")
    }

    @Test func `at 40x10 only the focused pane is there`() {
        var explorer = ExplorerDriver(columns: 40, rows: 10)
        expectScreen(explorer.state, "40x10-collection")
        explorer.pick("orders/create")
        explorer.press(.focusRequest)
        expectScreen(explorer.state, "40x10-request")
    }

    @Test func `a terminal without room says so`() {
        let explorer = ExplorerDriver(columns: 20, rows: 5)
        expectScreen(explorer.state, "20x5")
    }

    @Test func `a body that is no JSON says so, and in which line`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .nextTab, .nextTab, .edit)
        explorer.press("Down End , Esc")
        expectScreen(explorer.state, "80x24-request-body-fault")
    }

    @Test func `each tab of the request has its rows`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        explorer.press(.focusRequest)
        expectScreen(explorer.state, "80x24-request-params")
        explorer.press(.nextTab)
        expectScreen(explorer.state, "80x24-request-headers")
        explorer.press(.nextTab)
        expectScreen(explorer.state, "80x24-request-body")
        explorer.press(.nextTab)
        expectScreen(explorer.state, "80x24-request-auth")
        explorer.press(.nextTab)
        expectScreen(explorer.state, "80x24-request-checks")
        explorer.press(.nextTab)
        expectScreen(explorer.state, "80x24-request-settings")
    }

    @Test func `a header is edited where it stands`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .nextTab, .addRow)
        explorer.type("x-trace")
        explorer.press("Tab")
        explorer.type("日本")
        expectScreen(explorer.state, "80x24-edit-header")
    }

    @Test func `the filter shows what matches and where it lies`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.press(.search)
        explorer.type("or cr")
        expectScreen(explorer.state, "80x24-filter")
    }

    @Test func `the help lists commands with their keys`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.press(.help)
        expectScreen(explorer.state, "80x24-help")
        explorer.press("/")
        explorer.type("choose env")
        explorer.press("Enter")
        guard case .chooser = explorer.state.overlay else { return #expect(Bool(false), "Enter does what is selected") }
    }

    @Test func `every row of the help is whole at 80 columns`() {
        for pane in Pane.allCases {
            for command in Help(pane: pane).commands {
                #expect(command.title.count <= 56 && command.keys.map(\.name).joined(separator: " ").count <= 12, "\(command.id)")
                #expect(LineWrapping.lines(of: command.help, columns: 72).count <= 3, "\(command.id)")
            }
        }
    }

    @Test func `variables stand environment by environment, secrets masked`() {
        for (columns, rows) in [(80, 24), (120, 40), (40, 10)] {
            var explorer = ExplorerDriver(columns: columns, rows: rows)
            explorer.pick("orders/create")
            explorer.press(.editVariables)
            explorer.press("Down")
            expectScreen(explorer.state, "\(columns)x\(rows)-variables")
            guard columns == 80 else { continue }
            explorer.press("Enter")
            expectScreen(explorer.state, "80x24-variable-form")
        }
    }

    @Test func `choosers and questions lie over the panes`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        explorer.press(.chooseEnvironment)
        expectScreen(explorer.state, "80x24-environments")
        explorer.press("Down Enter")
        explorer.press(.focusRequest, .toggle, .down, .toggle, .quit)
        expectScreen(explorer.state, "80x24-quit")
    }

    @Test func `a request that was changed on disk, too, is marked, and saving asks`() throws {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("login")
        explorer.press(.method)
        explorer.press("Down Enter")
        var collection = ShopCollection.collection
        guard case .request(let saved) = collection.nodes[0] else { throw CancellationError() }
        var login = saved.wrappedValue
        login.url = "{{host}}/sign-in"
        collection.nodes[0] = .request(login)
        explorer.send(.collectionLoaded(collection))
        explorer.press(.save)
        expectScreen(explorer.state, "80x24-conflict")

        var several = ExplorerDriver([collection], columns: 80, rows: 24)
        let base = try #require(ShopCollection.collection.request(RequestID(rawValue: "login")))
        var edited = base
        edited.method = "PUT"
        edited.body = .text("one\ntwo\nthree\nfour\nfive")
        login.body = .text("theirs")
        collection.nodes[0] = .request(login)
        several.send(.collectionLoaded(collection))
        several.send(.draftFound(ShopCollection.reference("login"), RequestEdit(from: base, to: edited)))
        several.pick("login")
        several.press(.save)
        expectScreen(several.state, "80x24-conflicts")
    }

    @Test func `files that can't be read are rows`() {
        var broken = ShopCollection.collection
        broken.problems = [
            CollectionProblem(
                location: ShopCollection.place(4, "orders/export.yaml"), message: "unknown key \"boddy\": did you mean \"body\"?")
        ]
        var explorer = ExplorerDriver([broken], columns: 80, rows: 24)
        explorer.press(.bottom, .activate)
        expectScreen(explorer.state, "80x24-problem")
    }

    @Test func `an operation runs beside the previous response, which is marked`() {
        for (columns, rows) in [(120, 40), (80, 24), (40, 10)] {
            var explorer = ExplorerDriver(columns: columns, rows: rows)
            explorer.pick("orders/list")
            explorer.press(.send)
            explorer.play(EventScript.success(), "orders/list", body: Self.body)
            expectScreen(explorer.state, "\(columns)x\(rows)-done")
            explorer.press(.send)
            explorer.play(EventScript.downloading(at: 1350, operation: 2), "orders/list")
            expectScreen(explorer.state, "\(columns)x\(rows)-running")
        }
    }

    @Test func `the tree shows what became of each request`() {
        var explorer = ExplorerDriver(columns: 120, rows: 40)
        explorer.play(EventScript.success(), "orders/list", body: Self.body)
        explorer.play(EventScript.redirects().renumbered(2), "orders/one")
        explorer.play(EventScript.tlsFailure().renumbered(3), "admin/purge")
        explorer.play(EventScript.uploading(at: 900).renumbered(4), "orders/create")
        expectScreen(explorer.state, "120x40-several")
    }

    private static let body = Data(
        """
        {"orders":[{"id":42,"sku":"A7","qty":2,"price":19.9,"tags":["new","日本"],"shipped":null},{"id":43,"sku":"B1","qty":1}],"next":null}
        """.utf8)

    @Test func `several collections are roots of one tree`() {
        var other = RequestCollection(path: "/other", name: "Other")
        other.nodes = [.request(ShopCollection.request("ping", "GET", "http://localhost/ping"))]
        var explorer = ExplorerDriver([ShopCollection.collection, other], columns: 80, rows: 24)
        explorer.pick("ping")
        expectScreen(explorer.state, "80x24-two-collections")
    }
}

extension ExplorerDriver {
    /// Everything an operation of a request tells, and its response when it has ended.
    mutating func play(_ script: EventScript, _ id: String, body: Data? = nil) {
        guard let operation = script.events.first?.operation else { return }
        enqueue(operation.rawValue, id)
        for event in script.events { send(.network(event)) }
        guard script.metrics.completed != nil else { return }
        send(.responseReady(operation, Response(script, body: body)))
        guard let body, let head = script.metrics.attempts.last?.head else { return }
        let document = BodyDocument(BodyBytes(body), contentType: head.headers[.contentType])
        document.extendIndexToEnd()
        send(.bodyPrepared(operation, document))
    }
}
