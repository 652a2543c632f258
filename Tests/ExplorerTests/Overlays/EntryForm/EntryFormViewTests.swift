import Testing

@testable import Explorer

@Suite struct EntryFormViewTests {
    private func driver(_ columns: Int, _ rows: Int) -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("orders/create")
        return explorer
    }

    @Test(arguments: [(80, 24), (40, 10)]) func `a new request has a name and a URL`(columns: Int, rows: Int) {
        var explorer = driver(columns, rows)
        explorer.press(.newRequest)
        explorer.type("cancel")
        expectScreen(explorer.state, "\(columns)x\(rows)-new-request")
    }

    @Test func `a name that can't be is said where it is typed`() {
        var explorer = driver(80, 24)
        explorer.press(.renameEntry)
        explorer.press("C-u")
        explorer.type("list")
        explorer.press("Enter")
        expectScreen(explorer.state, "80x24-rename-taken")
    }

    @Test func `deleting asks first`() {
        var explorer = driver(80, 24)
        explorer.press(.deleteEntry)
        expectScreen(explorer.state, "80x24-delete")
    }

    @Test func `folders to move to are a list`() {
        var explorer = driver(80, 24)
        explorer.press(.moveEntry)
        expectScreen(explorer.state, "80x24-move")
    }
}
