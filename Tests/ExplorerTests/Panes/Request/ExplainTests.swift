import OrderedCollections
import RequestCollections
import Testing

@testable import Explorer

/// The rows of the settings that say where everything about a request comes from.
@Suite struct ExplainTests {
    private func driver() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .previousTab, .bottom, .activate)
        _ = explorer.takeEffects()
        return explorer
    }

    private func select(_ name: String, in explorer: inout ExplorerDriver) {
        explorer.press(.top)
        for _ in explorer.state.requestRows {
            if case .explained(let row)? = explorer.state.selectedRequestRow, row.name == name { return }
            explorer.press(.down)
        }
        Issue.record("there is no row \(name)")
    }

    @Test func `open below the settings, and have every value with its origin`() {
        let explorer = driver()
        #expect(explorer.state.panes.request.tab == .settings)
        let rows = explorer.state.requestRows
        let start = rows.firstIndex { if case .more(.origins, _) = $0 { true } else { false } }
        #expect(start.map { rows[$0 + 1] } == .heading("URL"))
        let tenant = rows.lazy.compactMap { row in if case .explained(let row) = row, row.name == "x-tenant" { row } else { nil } }
            .first
        #expect(tenant?.origin == .init(.defaults("orders"), at: ShopCollection.place(21)))
    }

    @Test func `Enter opens the file at the line`() {
        var explorer = driver()
        select("accept", in: &explorer)
        explorer.press(.activate)
        #expect(explorer.takeEffects() == [.openFile(ShopCollection.place(12))])
        explorer.press(.editExternally)
        #expect(explorer.takeEffects() == [.openFile(ShopCollection.place(12))])
    }

    @Test func `what stands in no file says so`() {
        var explorer = driver()
        select("timeouts.attempt", in: &explorer)
        explorer.press(.activate)
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.notice == Notice(.info, "it comes from the library, and stands in no file"))
    }

    @Test func `what a value won over has a line of its own, which opens its file`() {
        var explorer = driver()
        explorer.press(.nextTab, .nextTab, .addRow)
        explorer.type("x-tenant")
        explorer.press("Tab")
        explorer.type("8")
        explorer.press("Enter")
        explorer.press(.previousTab, .previousTab)
        _ = explorer.takeEffects()
        select("x-tenant", in: &explorer)
        if case .explained(let row)? = explorer.state.selectedRequestRow { #expect(row.value == "8") }
        explorer.press(.down, .activate)
        #expect(explorer.takeEffects() == [.openFile(ShopCollection.place(21))])
    }

    @Test func `it follows the environment, and the search goes through it`() {
        var explorer = driver()
        func url(_ explorer: ExplorerDriver) -> String? {
            explorer.state.requestRows.lazy.compactMap { row in
                if case .explained(let row) = row, row.group == .url { row.value } else { nil }
            }.first
        }
        #expect(url(explorer) == "http://127.0.0.1:8080/orders")
        explorer.press(.chooseEnvironment)
        explorer.press("Up Enter")
        #expect(url(explorer) == "https://staging.example.com/orders")
        explorer.press(.search)
        explorer.type("x-tenant")
        explorer.press("Enter")
        guard case .explained(let row)? = explorer.state.selectedRequestRow else {
            Issue.record("nothing is found")
            return
        }
        #expect(row.name == "x-tenant")
    }

    @Test func `below a value stands the template that it was filled in from`() {
        let rows = driver().state.requestRows
        guard let place = rows.firstIndex(where: { if case .explained(let row) = $0 { row.group == .url } else { false } }) else {
            return #expect(Bool(false))
        }
        #expect(rows[(place + 1)...].prefix(2).contains(.note("  filled in from {{host}}/orders")))
    }

    @Test func `nothing is filled in while nobody looks`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        #expect(explorer.state.context?.explained == nil)
    }
}

@Suite struct ExplainViewTests {
    @Test func `every value has its place, beside it or below`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .nextTab, .addRow)
        explorer.type("X-Tenant")
        explorer.press("Tab")
        explorer.type("8")
        explorer.press("Enter")
        explorer.press(.focusRequest)
        explorer.press("g s")
        explorer.press(.bottom, .activate)
        expectScreen(explorer.state, "80x24-explain")
        expectPane(.request, of: explorer, 100, 30, "request-explain")
        expectPane(.request, of: explorer, 34, 10, "request-explain")
    }
}

/// What the line below a URL shows while one types.
@Suite struct TemplatePreviewTests {
    @Test func `a request sees its own variables and its folders', the nearest first, and no other one does`() {
        func variables(_ values: [(String, VariableDefinition.Value)]) -> [VariableDefinition] {
            values.map { VariableDefinition(name: $0.0, value: $0.1, location: .none) }
        }
        var collection = RequestCollection(path: "shop.yaml", name: "Shop")
        collection.variables = variables([("host", .text("http://h")), ("size", .json("10"))])
        collection.environments["slow"] = EnvironmentDefinition(
            name: "slow", variables: variables([("size", .json("100"))]), location: .none)
        var own = RequestDefinition(id: RequestID(rawValue: "f/own"), method: "GET", url: "", location: .none)
        own.variables = variables([("size", .json("1000")), ("key", .secret(.environment("KEY")))])
        let inner = RequestDefinition(id: RequestID(rawValue: "f/inner"), method: "GET", url: "", location: .none)
        let outer = RequestDefinition(id: RequestID(rawValue: "outer"), method: "GET", url: "", location: .none)
        var folder = RequestCollection.Folder(
            id: RequestID(rawValue: "f"), nodes: [.request(own), .request(inner)], location: .none)
        folder.variables = variables([("list", .text("orders?size={{size}}"))])
        collection.nodes = [.folder(folder), .request(outer)]
        func text(_ request: RequestDefinition, given: [String: String] = [:]) -> String {
            TemplatePreview(collection, environment: "slow", of: request, given: given)
                .resolvedParts(of: "{{host}}/{{list}}").map(\.text).joined()
        }
        #expect(text(own) == "http://h/orders?size=1000")
        #expect(text(inner) == "http://h/orders?size=100")
        #expect(text(outer) == "http://h/{{list}}")
        #expect(text(own, given: ["size": "7"]) == "http://h/orders?size=7")
        #expect(TemplatePreview(collection, environment: nil, of: own).isSecret("key"))
        #expect(!TemplatePreview(collection, environment: nil, of: inner).isSecret("key"))
    }
}
