import ExplorerModel
import ExplorerTesting
import RequestCollections
import Testing

/// What Space on the kind of a body keeps.
@Suite struct `The kind of a body` {
    private static let rows: [RequestDefinition.Row] = [
        .init(name: "user", value: "ada"), .init(name: "note", value: "x", isEnabled: false),
    ]

    private func explorer(_ body: BodyDefinition) -> ExplorerDriver {
        var explorer = ExplorerDriver([ShopCollection.changed("login") { $0.body = body }])
        explorer.pick("login")
        explorer.press("2 ] ]")
        return explorer
    }

    private static let bodies: [BodyDefinition] = [
        .form(rows), .json("{\n  \"a\": 1\n}"), .text("hello"), .file("a.bin"),
        .multipart([.init(name: "a", content: .file("a.png"), contentType: "image/png"), .init(name: "b", content: .text("c"))]),
        .graphql(.init(query: .text("{ me }"))),
    ]

    @Test(arguments: bodies) func `comes round to the same`(body: BodyDefinition) {
        var explorer = explorer(body)
        var kinds: [BodyDefinition.Kind] = []
        repeat {
            explorer.press("g Space")
            kinds.append(explorer.request?.body?.kind ?? .none)
        } while kinds.last != body.kind && kinds.count < 9
        #expect(explorer.request?.body == body)
        #expect(Set(kinds).isSuperset(of: [.none, .json, .text, .form, .multipart, .file]))
    }

    @Test func `a form's rows become parts, and parts of text become rows`() {
        var explorer = explorer(.form(Self.rows))
        explorer.press("g Space")
        let parts: [BodyDefinition.Part] = [
            .init(name: "user", content: .text("ada")), .init(name: "note", content: .text("x"), isEnabled: false),
        ]
        #expect(explorer.request?.body == .multipart(parts))
        var other = self.explorer(.multipart(parts + [.init(name: "f", content: .file("a.png"))]))
        other.press("g Enter k Enter")
        #expect(other.request?.body == .form(Self.rows))
    }

    @Test func `what was changed since is carried on, and not what was before`() {
        var explorer = explorer(.form(Self.rows))
        explorer.press("g Space j Space g Enter k Enter")
        var rows = Self.rows
        rows[0].isEnabled = false
        #expect(explorer.request?.body == .form(rows))
    }

    @Test func `JSON that is none is said when it is saved, and becomes text as it is`() {
        var explorer = explorer(.json("{}x"))
        explorer.press("e")
        explorer.type("y")
        explorer.press("Esc")
        explorer.send(
            .saved(
                [ShopCollection.edit(explorer.request!)],
                ShopCollection.changed("login") { [body = explorer.request?.body] in $0.body = body }))
        #expect(explorer.state.notice?.text.hasPrefix("saved login; the body is no JSON: line 1, ") == true)
        #expect(explorer.state.notice?.level == .warning)
        explorer.press("g Space")
        #expect(explorer.request?.body == .text("y{}x"))
    }
}
