import RequestCollections
import Testing

@testable import Explorer

/// What Space on the kind of a body keeps.
@Suite struct `The kind of a body` {
    private static let rows: [RequestDefinition.Row] = [
        .init(name: "user", value: "ada"), .init(name: "note", value: "x", isEnabled: false),
    ]

    private func explorer(_ body: BodyDefinition) -> ExplorerDriver {
        var explorer = ExplorerDriver([ShopCollection.changed("login") { $0.body = body }])
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab, .nextTab)
        return explorer
    }

    private static let bodies: [BodyDefinition] = [
        .form(rows), .json("{\n  \"a\": 1\n}"), .text("hello"), .file("a.bin"),
        .multipart([.init(name: "a", content: .file("a.png"), contentType: "image/png"), .init(name: "b", content: .text("c"))]),
        .graphql(.init(query: .text("{ me }"))),
    ]

    @Test(arguments: bodies) func `comes round to the same`(body: BodyDefinition) {
        var explorer = explorer(body)
        var kinds: [RequestBodyKind] = []
        repeat {
            explorer.press(.top, .toggle)
            kinds.append(explorer.request?.body?.kind ?? .none)
        } while kinds.last != body.kind && kinds.count < 9
        #expect(explorer.request?.body == body)
        #expect(Set(kinds).isSuperset(of: [.none, .json, .text, .form, .multipart, .file]))
    }

    @Test func `a form's rows become parts, and parts of text become rows`() {
        var explorer = explorer(.form(Self.rows))
        explorer.press(.top, .toggle)
        let parts: [BodyDefinition.Part] = [
            .init(name: "user", content: .text("ada")), .init(name: "note", content: .text("x"), isEnabled: false),
        ]
        #expect(explorer.request?.body == .multipart(parts))
        var other = self.explorer(.multipart(parts + [.init(name: "f", content: .file("a.png"))]))
        other.press(.top, .activate)
        other.press("Up Enter")
        #expect(other.request?.body == .form(Self.rows))
    }

    @Test func `what was changed since is carried on, and not what was before`() {
        var explorer = explorer(.form(Self.rows))
        explorer.press(.top, .toggle, .down, .toggle, .top, .activate)
        explorer.press("Up Enter")
        var rows = Self.rows
        rows[0].isEnabled = false
        #expect(explorer.request?.body == .form(rows))
    }

    @Test func `JSON that is none is said when it is saved, and becomes text as it is`() {
        var explorer = explorer(.json("{}x"))
        explorer.press(.edit)
        explorer.type("y")
        explorer.press("Esc")
        explorer.send(
            .saved(
                [ShopCollection.edit(explorer.request!)],
                ShopCollection.changed("login") { [body = explorer.request?.body] in $0.body = body }))
        #expect(explorer.state.notice?.text.hasPrefix("saved login; the body is no JSON: line 1, ") == true)
        #expect(explorer.state.notice?.level == .warning)
        explorer.press(.top, .toggle)
        #expect(explorer.request?.body == .text("y{}x"))
    }
}

@Suite struct `Parts and queries in the request's pane` {
    private func explorer(_ body: BodyDefinition) -> ExplorerDriver {
        var explorer = ExplorerDriver([ShopCollection.changed("login") { $0.body = body }])
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab, .nextTab)
        explorer.press(.top)
        return explorer
    }

    @Test func `a part is a row: its text as it stands, or what the file says of it`() {
        var explorer = explorer(.multipart([.init(name: "title", content: .text("Cat"))]))
        explorer.press(.down, .addRow)
        explorer.type("photo")
        explorer.press("Enter")
        explorer.type("{ file: cat.png, type: image/png }")
        explorer.press("Enter")
        let photo = BodyDefinition.Part(name: "photo", content: .file("cat.png"), contentType: "image/png")
        #expect(explorer.request?.body == .multipart([.init(name: "title", content: .text("Cat")), photo]))
        explorer.press(.toggle, .up, .deleteRow)
        var off = photo
        off.isEnabled = false
        #expect(explorer.request?.body == .multipart([off]))
    }

    @Test func `a part that can't be one stays open, and the notice says why`() {
        var explorer = explorer(.multipart([.init(name: "title", content: .text("Cat"))]))
        explorer.press(.down, .edit)
        explorer.type("{ fil: cat.png }")
        explorer.press("Home")
        explorer.press("Enter")
        #expect(explorer.request?.body == .multipart([.init(name: "title", content: .text("Cat{ fil: cat.png }"))]))
        explorer.press(.deleteRow, .addRow)
        explorer.type("photo")
        explorer.press("Enter")
        explorer.type("{ fil: cat.png }")
        explorer.press("Enter")
        #expect(explorer.state.notice?.text.contains("fil") == true)
        #expect(explorer.state.panes.request.editing != nil)
    }

    @Test func `a query in a file has its operation and variables beside it`() {
        var explorer = explorer(.graphql(.init(query: .file("me.graphql"))))
        explorer.press(.down, .down, .edit)
        explorer.type("Me")
        explorer.press("Enter")
        explorer.press(.down, .edit)
        explorer.type("{\"id\": 7}")
        explorer.press("Enter")
        #expect(
            explorer.request?.body
                == .graphql(.init(query: .file("me.graphql"), operation: "Me", variables: "{\n  \"id\": 7\n}")))
        explorer.press(.edit)
        explorer.type("]")
        explorer.press("Enter")
        #expect(explorer.state.notice?.text.contains("isn't a map in JSON") == true)
    }
}
