import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

/// The keys that the status line names, for every place and moment: recorded screens leave them out.
@Suite struct `The hints of the status line` {
    /// What a person did, and the explorer after it.
    private static let moments: [(String, ExplorerDriver)] = {
        func picked(_ commands: Command.ID...) -> ExplorerDriver {
            var explorer = ExplorerDriver()
            explorer.pick("orders/create")
            for command in commands { explorer.press(command) }
            return explorer
        }
        func having(_ script: EventScript, _ commands: Command.ID...) -> ExplorerDriver {
            var explorer = ExplorerDriver.having(script)
            for command in commands { explorer.press(command) }
            return explorer
        }
        func running(_ commands: Command.ID...) -> ExplorerDriver {
            var explorer = ExplorerDriver()
            explorer.pick("orders/create")
            explorer.enqueue(1, "orders/create")
            for event in EventScript.success().events.prefix(6) { explorer.send(.network(event)) }
            for command in commands { explorer.press(command) }
            return explorer
        }
        var filtered = picked(.focusCollection, .search)
        filtered.type("cre")
        var looking = filtered
        filtered.press("Enter")
        looking.press("Esc")
        looking.press(.focusResponse, .search)
        var line = picked(.focusRequest, .nextTab, .addRow)
        line.type("x")
        var value = line
        value.press("Tab")
        return [
            ("in the tree", picked()), ("in the tree, with a filter", filtered),
            ("in the URL", picked(.focusRequest)), ("in the headers", picked(.focusRequest, .nextTab)),
            ("in the body", picked(.focusRequest, .nextTab, .nextTab)),
            ("in the checks", picked(.focusRequest, .previousTab, .previousTab)),
            ("in the explanation", picked(.focusRequest, .previousTab)), ("typing a name", line), ("typing a value", value),
            ("typing a URL", picked(.focusRequest, .edit)), ("looking for something", looking),
            ("after an edit", ExplorerDriver.edited()), ("while it runs", running()),
            ("while it waits to retry", having(.waitingToRetry())), ("after a success", having(.success())),
            ("in the operation", having(.success(), .focusOperation)), ("in the response", having(.success(), .focusResponse)),
            ("in the queue", running(.focusQueue)), ("in the history", having(.success(), .focusHistory)),
        ]
    }()

    @Test func `name what helps most, where one is`() {
        let lines = Self.moments.map { what, explorer in
            let words = (explorer.state.hints + explorer.state.fixedHints).map { $0.word.isEmpty ? $0.key : "\($0.key) \($0.word)" }
            return "\(what): " + words.joined(separator: ", ")
        }
        expectText(lines.joined(separator: "\n"), "StatusLine/Hints", sourceLocation: #_sourceLocation)
    }

    @Test func `are dropped whole where there is no room, the ways out last`() {
        let rows = [40, 60, 80, 120, 160].map { columns in
            var explorer = ExplorerDriver.having(.waitingToRetry())
            explorer.send(.terminal(.resize(Size(columns: columns, rows: 30))))
            let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
            return String(frame.text.split(separator: "\n", omittingEmptySubsequences: false).last ?? "")
        }
        expectText(rows.joined(separator: "\n"), "StatusLine/Room", sourceLocation: #_sourceLocation)
    }
}
