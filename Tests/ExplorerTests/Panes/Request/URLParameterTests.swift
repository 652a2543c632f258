import RequestCollections
import Testing

@testable import Explorer

@Suite struct `Parameters in the URL` {
    private func explorer(_ url: String) -> ExplorerDriver {
        var explorer = ExplorerDriver([ShopCollection.changed("login") { $0.url = url }])
        explorer.pick("login")
        explorer.press(.focusRequest)
        _ = explorer.takeEffects()
        return explorer
    }

    private func names(_ explorer: ExplorerDriver) -> [String] {
        explorer.request?[.inURL].map { "\($0.name)=\($0.value)" } ?? []
    }

    @Test func `are rows, and changing one leaves the rest letter by letter`() {
        var explorer = explorer(#"{{host}}/a?page=2&flag&q={{ x | default("a&b=c?") }}&e=#top"#)
        #expect(names(explorer) == ["page=2", "flag=", #"q={{ x | default("a&b=c?") }}"#, "e="])
        #expect(!explorer.state.requestRows.contains { if case .empty = $0 { true } else { false } })
        explorer.press(.down, .activate)
        explorer.press("Backspace")
        explorer.type("10")
        explorer.press("Enter")
        #expect(explorer.request?.url == #"{{host}}/a?page=10&flag&q={{ x | default("a&b=c?") }}&e=#top"#)
    }

    @Test(arguments: [
        ("http://h/?flag", "http://h/"), ("http://h/?flag&b=1#x", "http://h/?b=1#x"), ("http://h/?b=1&flag", "http://h/?b=1"),
    ])
    func `that are emptied go`(url: String, expected: String) {
        var explorer = explorer(url)
        explorer.press(url.contains("?flag") ? [.down] : [.down, .down])
        explorer.press("Enter S-Tab")
        explorer.press("Backspace Backspace Backspace Backspace Enter")
        #expect(explorer.request?.url == expected)
        #expect(explorer.state.panes.request.editing == nil)
    }

    @Test func `what is typed stays one parameter`() {
        var explorer = explorer("http://h/?a=1")
        explorer.press(.down, .activate)
        explorer.type("&b=2#c {{x & y}}")
        explorer.press("Enter")
        #expect(explorer.request?.url == "http://h/?a=1%26b=2%23c {{x & y}}")
        #expect(names(explorer) == ["a=1%26b=2%23c {{x & y}}"])
        explorer.press(.undo, .activate)
        explorer.press("S-Tab")
        explorer.type("=#")
        explorer.press("Enter")
        #expect(explorer.request?.url == "http://h/?a%3D%23=1")
    }

    @Test func `go with d, come with a into the list, and Space switches one off`() {
        var explorer = explorer("http://h/?a=1&b=2#x")
        explorer.press(.down, .deleteRow)
        #expect(explorer.request?.url == "http://h/?b=2#x")
        explorer.press(.toggle)
        #expect(explorer.request?.url == "http://h/#x")
        #expect(explorer.request?.query == [.init(name: "b", value: "2", isEnabled: false)])
        explorer.press(.undo, .addRow)
        explorer.type("c")
        explorer.press("Enter")
        explorer.type("3")
        explorer.press("Enter")
        #expect(explorer.request?.url == "http://h/?b=2#x")
        #expect(explorer.request?.query == [.init(name: "c", value: "3")])
    }
}
