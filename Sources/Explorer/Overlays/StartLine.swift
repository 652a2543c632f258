import Base
import Interchange
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

/// What the explorer opens on where there is no collection: one line for a request or a file, and below it what was found in the directory.
struct StartLine: Hashable, Sendable {
    var line = LineEditor()
    var list: ListState
    /// Why what was typed can't be done.
    var complaint: String?
    let found: [FoundFile]
    /// The demo is the last row.
    let offersDemo: Bool

    init(found: [FoundFile] = [], offersDemo: Bool = false) {
        (self.found, self.offersDemo) = (found, offersDemo)
        list = ListState(count: found.count + (offersDemo ? 1 : 0))
    }

    /// What Enter does with a text.
    private enum Target {
        /// As ``PastedRequest`` takes it.
        case request(String)
        case file(String)
    }

    private static func target(of text: String) -> Target? {
        let text = text.trimmingBlanks
        if text.isEmpty { return nil }
        if let source = TypedRequest.source(of: text) { return .request(source) }
        let isPath = ["/", "./", "../", "~"].contains { text.hasPrefix($0) } || text.hasSuffix("/")
        if !isPath, !FoundFile.endings.contains(where: text.lowercased().hasSuffix),
            let source = TypedRequest.source(of: "GET \(text)")
        {
            return .request(source)
        }
        return .file(text)
    }
}

/// A file that the explorer can open: a collection, or one of another program.
package struct FoundFile: Hashable, Sendable {
    package var path: String
    /// What it is, in a word or two: `OpenAPI`.
    package var kind: String

    package init(_ path: String, _ kind: String) { (self.path, self.kind) = (path, kind) }

    static let endings = ImportDirectory.endings + [".txt", ".sh"]
}

extension StartLine: TypedListOverlay {
    var overlay: Overlay { .start(self) }
    var title: String { "Turnstone" }

    func area(in screen: Rect) -> Rect { screen.centered(Size(columns: 84, rows: min(list.count, 12) + 7)) }

    func listArea(in inner: Rect) -> Rect { inner.splitTop(inner.rows > 7 ? 3 : 1).rest.splitBottom(1).rest }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        let isEmpty = line.isEmpty
        let out = ExplorerState.Hint(key: "Esc", word: isEmpty ? (state.workspace.collections.isEmpty ? "quit" : "back") : "clear")
        if isEmpty {
            return (list.count > 0 ? [.init(key: "Enter", word: "open"), .init(key: "↑ ↓", word: "choose")] : []) + [out]
        }
        if case .file = Self.target(of: line.text) { return [.init(key: "Enter", word: "open the file"), out] }
        return [.init(key: "Enter", word: "send, \(state.keyName(.save)) keeps it in a file"), out]
    }

    var closesOutside: Bool { false }
    mutating func find() { complaint = nil }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        switch key.key {
        case _ where key.key == .escape || key == .control("c"):
            guard line.isEmpty else {
                (line, complaint) = (LineEditor(), nil)
                return .stays()
            }
            return state.workspace.collections.isEmpty ? .stays([.quit]) : .closes()
        case .function(1) where offersDemo: return .stays([.openDemo])
        case .up, .down, .pageUp, .pageDown: _ = list.handle(key)
        case .enter:
            switch Self.target(of: line.text) {
            case .request(let source):
                return .stays { $0.begin(with: source) }
            case .file(let path): return .stays([.loadCollection(path: path)])
            case nil:
                guard let row = list.selection else { return .stays() }
                return .stays([found.indices.contains(row) ? .loadCollection(path: found[row].path) : .openDemo])
            }
        default:
            type { _ = $0.handle(key, clipboard: &clipboard) }
        }
        return .stays()
    }

    mutating func click(row: Int, in list: Rect, of state: ExplorerState) -> Bool { select(atRow: row) && line.isEmpty }
}

extension StartLine: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let inner = layout.area.inner.inset(columns: 1)
        canvas.text("›", .key, column: inner.column, row: inner.row)
        if let field = layout.typedField {
            line.draw(on: &canvas, in: field, isFocused: true, placeholder: "a URL, a curl command, or a file to open")
        }
        if let complaint, layout.list.row > inner.row + 1 {
            for (row, text) in LineWrapping.lines(of: complaint, columns: inner.columns).prefix(2).enumerated() {
                canvas.text(text, .error, column: inner.column, row: inner.row + 1 + row)
            }
        }
        let names = min(44, found.map { DisplayWidth.of($0.path) }.max() ?? 0)
        canvas.list(list, in: layout.list, isActive: line.isEmpty) { canvas, index, row in
            guard found.indices.contains(index) else {
                let end = canvas.text("F1 ", .key, column: 2, row: row)
                canvas.text("demo: a server of its own, with all that can go right and wrong", .text, column: end, row: row)
                return
            }
            canvas.text(SafeText.line(found[index].path), .strong, column: 2, row: row, limit: names, ellipsis: true)
            canvas.text(found[index].kind, .dim, column: names + 4, row: row)
        }
    }
}

extension ExplorerState {
    /// Sends the first request of a collection that is in no file yet.
    ///
    /// - Parameter source: as ``PastedRequest`` takes it.
    mutating func begin(with source: String) -> [ExplorerEffect] {
        var complaint: String?
        guard let pasted = read(source, for: workspace.unwritten?.path ?? "", complaint: &complaint) else {
            startComplains(complaint)
            return []
        }
        var effects: [ExplorerEffect] = []
        if workspace.unwritten == nil {
            let host = URL(international: pasted.definition.url)?.host ?? ""
            let name = host.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
            effects += beginCollection(at: "Collections/\(name.isEmpty ? "requests" : name).yaml")
        }
        let (typed, problem) = readTyped(source, isBare: false)
        guard let typed else {
            startComplains(problem)
            return effects
        }
        overlay = nil
        if let problem { notice = Notice(.warning, problem) }
        return effects + send(.send(typed))
    }

    /// A collection that is in no file yet.
    mutating func beginCollection(at path: String) -> [ExplorerEffect] {
        workspace.unwritten = Workspace.Unwritten(path: path)
        let file = path.split(separator: "/").last ?? ""
        return loaded(RequestCollection(path: path, name: String(file.split(separator: ".").first ?? file)))
    }

    /// Says in the first line why something can't be done.
    ///
    /// - Returns: whether that line is there.
    @discardableResult
    mutating func startComplains(_ complaint: String?) -> Bool {
        guard case .start(var start) = overlay else { return false }
        start.complaint = complaint.map(SafeText.line)
        keep(start)
        return true
    }

    /// Another program's file was read: it is shown as it is, and saving makes a collection of it.
    mutating func imported(_ collection: RequestCollection, from source: String, losses: [String]) -> [ExplorerEffect] {
        if case .start = overlay { overlay = nil }
        workspace.unwritten = Workspace.Unwritten(path: collection.path, source: source)
        let effects = loaded(collection)
        let left =
            losses.isEmpty
            ? ""
            : ", without what has no equivalent here: \(losses[0])"
                + (losses.count > 1 ? ", and \(losses.count - 1) more" : "")
        notice = Notice(
            losses.isEmpty ? .info : .warning, "\(source) as it is\(left); \(keyName(.save)) makes \(collection.path) of it")
        return effects
    }
}
