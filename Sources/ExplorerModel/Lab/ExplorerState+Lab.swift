import FoundationEssentials
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// `B`: what was begun stays, whatever the screen showed meanwhile.
    mutating func openLab() -> [ExplorerEffect] {
        let effects = commitEditing()
        guard panes.request.editing == nil else { return effects }
        if let board = lab.board, board.isRunning || board.request == selectedRequest {
            overlay = .lab(board)
            return effects
        }
        guard let reference = selectedRequest, let definition = definition(of: reference) else {
            notice = Notice(.info, "pick a request first")
            return effects
        }
        let url = resolvedURL(of: definition, reference)
        var contrasts: [LabBoard.Contrast] = [.none, .http, .connections]
        let environment = workspace.environments[reference.collection]
        for name in workspace.collections[reference.collection]?.environments.keys ?? [] where name != environment {
            contrasts.append(.environments(environment, name))
        }
        let board = LabBoard(
            reference, target: "\(definition.method.uppercased()) \(url?.text ?? definition.url)", contrasts: contrasts)
        lab.board = board
        overlay = .lab(board)
        return effects
    }

    private func resolvedURL(
        of definition: RequestDefinition, _ reference: RequestReference, in environment: String? = nil
    ) -> (text: String, host: String?)? {
        guard let collection = workspace.collections[reference.collection] else { return nil }
        // What is secret in this session is shown nowhere.
        let given = givenVariables(in: reference.collection)
        let url = LoadHost.url(
            of: definition, in: collection, environment: environment ?? workspace.environments[reference.collection],
            variables: given.values.filter { given.secrets[$0.key] == nil })
        return url.map { (URLText.line($0.absoluteString).text, $0.host()) }
    }

    // MARK: Keys

    mutating func handle(_ board: LabBoard, _ key: KeyPress) -> [ExplorerEffect] {
        var board = board
        let effects =
            switch board.phase {
            case .setup: setUp(&board, key)
            case .asking: answer(&board, key)
            case .running: control(&board, key)
            case .over: look(&board, key)
            }
        lab.board = board
        // Unless a key has closed it.
        if case .lab = overlay { overlay = .lab(board) }
        return effects
    }

    private mutating func closeLab(_ board: LabBoard) {
        overlay = nil
        if board.isRunning { notice = Notice(.info, "the lab goes on; \(keyName(.lab)) shows it") }
    }

    private mutating func setUp(_ board: inout LabBoard, _ key: KeyPress) -> [ExplorerEffect] {
        let rows = board.fields.count + 1
        switch key.key {
        case .escape:
            closeLab(board)
        case .enter: return start(&board, isAllowed: false)
        case .down: board.selected = (board.selected + 1) % rows
        case .up: board.selected = (board.selected + rows - 1) % rows
        case .tab:
            board.selected = (board.selected + (key.modifiers.contains(.shift) ? rows - 1 : 1)) % rows
        case .left where board.isOnContrast:
            board.contrast = (board.contrast + board.contrasts.count - 1) % board.contrasts.count
        case .right where board.isOnContrast, .character(" ") where board.isOnContrast:
            board.contrast = (board.contrast + 1) % board.contrasts.count
        case .character("q") where board.isOnContrast: closeLab(board)
        default:
            guard !board.isOnContrast else { return [] }
            _ = board.fields[board.selected].line.handle(key, clipboard: &clipboard)
            board.complaint = nil
        }
        return []
    }

    private mutating func answer(_ board: inout LabBoard, _ key: KeyPress) -> [ExplorerEffect] {
        switch key.key {
        case .character("y"): return start(&board, isAllowed: true)
        case .escape, .character("n"), .character("q"): board.phase = .setup
        // Enter began the question; pressed twice it is no answer.
        default: break
        }
        return []
    }

    private mutating func control(_ board: inout LabBoard, _ key: KeyPress) -> [ExplorerEffect] {
        guard case .running(let isPaused, let isStopping) = board.phase else { return [] }
        switch key.key {
        case .escape, .character("q"): closeLab(board)
        case .character(" ") where !isStopping:
            board.phase = .running(isPaused: !isPaused, isStopping: false)
            return [.pauseLab(!isPaused)]
        case .character("x"):
            board.phase = .running(isPaused: false, isStopping: true)
            board.isStopped = true
            return [.stopLab]
        case .tab: showNextWay(&board)
        case .character("{"), .character("}"): board.showsRecent.toggle()
        default: break
        }
        return []
    }

    private mutating func look(_ board: inout LabBoard, _ key: KeyPress) -> [ExplorerEffect] {
        switch key.key {
        case .escape, .character("q"): closeLab(board)
        case .enter, .character("e"): board.phase = .setup
        case .tab: showNextWay(&board)
        case .character("A"):
            board.contrast = (board.contrast + 1) % board.contrasts.count
            board.selected = board.fields.count
            board.phase = .setup
        case .character("b"):
            guard board.figures.indices.contains(board.shownWay), let order = board.order else { return [] }
            board.baseline = LabBoard.Baseline(title: order.plan.title, figures: board.figures[board.shownWay])
            notice = Notice(.info, "kept as the baseline of the next run")
        case .character("{"), .character("}"): board.showsRecent.toggle()
        case .character("o"):
            guard board.figures.indices.contains(board.shownWay) else { return [] }
            // No name of a folder leads elsewhere.
            let name = board.request.id.rawValue.split(separator: "/").last.map { SafeText.line(String($0)) } ?? "lab"
            return [.writeText(HistogramText.text(of: board.figures[board.shownWay][.total]), to: "\(name).hgrm")]
        case .character("y"): return [.copy(LabText.text(of: board), what: "figures")]
        default: break
        }
        return []
    }

    private func showNextWay(_ board: inout LabBoard) {
        if board.figures.count > 1 { board.shownWay = (board.shownWay + 1) % board.figures.count }
    }

    mutating func lab(_ board: LabBoard, paste text: String) {
        guard board.phase == .setup, !board.isOnContrast else { return }
        var board = board
        _ = board.fields[board.selected].line.paste(text)
        lab.board = board
        overlay = .lab(board)
    }

    // MARK: Starting

    private mutating func start(_ board: inout LabBoard, isAllowed: Bool) -> [ExplorerEffect] {
        guard var definition = definition(of: board.request) else {
            board.complaint = "the request is gone"
            return []
        }
        let plan: LoadPlan
        do throws(LabProblem) {
            plan = try board.plan()
        } catch {
            board.complaint = error.message
            return []
        }
        // An answer that is written to a file each time measures the disk.
        definition.settings.savesResponse = nil
        let ways = ways(of: definition, board)
        let questions = isAllowed ? [] : questions(about: plan, ways, board.request)
        guard questions.isEmpty else {
            board.phase = .asking(questions)
            return []
        }
        lab.number += 1
        let order = LabOrder(number: lab.number, collection: board.request.collection, ways: ways, plan: plan)
        board.order = order
        board.figures = ways.map { _ in LoadFigures() }
        board.axis = nil
        board.shownWay = 0
        board.isStopped = false
        (board.recent, board.showsRecent) = ([], false)
        board.complaint = nil
        board.phase = .running(isPaused: false, isStopping: false)
        return [.startLab(order)]
    }

    private func ways(of definition: RequestDefinition, _ board: LabBoard) -> [LabWay] {
        let environment = workspace.environments[board.request.collection]
        func way(
            _ title: String, in name: String?? = .none, isCold: Bool = false, _ change: (inout RequestSettings) -> Void = { _ in }
        )
            -> LabWay
        {
            var definition = definition
            change(&definition.settings)
            return LabWay(title: title, definition: definition, environment: name ?? environment, isCold: isCold)
        }
        switch board.contrasts[board.contrast] {
        case .none: return [way("")]
        case .http: return [way("HTTP/1.1") { $0.httpVersion = .http1 }, way("HTTP/2") { $0.httpVersion = .http2 }]
        case .connections: return [way("warm"), way("cold", isCold: true)]
        case .environments(let first, let second): return [way(first ?? "none", in: .some(first)), way(second, in: .some(second))]
        }
    }

    /// What a person must agree to, in sentences; nothing for what is modest and changes nothing, and on this machine.
    private func questions(about plan: LoadPlan, _ ways: [LabWay], _ request: RequestReference) -> [String] {
        var hosts: [String] = []
        for way in ways {
            let host = resolvedURL(of: way.definition, request, in: way.environment).flatMap(\.host)
            if let host, LoadHost.isLoopback(host) { continue }
            let name = host ?? "the host of \(request.id)"
            if !hosts.contains(name) { hosts.append(name) }
        }
        guard !hosts.isEmpty, let method = ways.first?.definition.method.uppercased() else { return [] }
        let names = hosts.map(SafeText.line).joined(separator: " and ")
        var questions: [String] = []
        let excesses = plan.excesses()
        if !excesses.isEmpty { questions.append("This is a load on \(names): \(excesses.joined(separator: ", ")).") }
        if !["GET", "HEAD", "OPTIONS"].contains(method) {
            let times = plan.expected.map { "\(Figures.count($0)) times" } ?? "again and again"
            questions.append("\(method) may change something on \(names), \(times).")
        }
        return questions
    }

    // MARK: What comes of it

    mutating func progressed(_ progress: LabProgress) -> [ExplorerEffect] {
        guard var board = lab.board, board.order?.number == progress.number else { return [] }
        if !progress.figures.isEmpty { (board.figures, board.recent) = (progress.figures, progress.recent) }
        let all = progress.figures.reduce(into: LoadFigures()) { $0.merge($1) }
        if board.axis == nil { board.axis = LoadAxis(all) } else { board.axis?.fit(all, at: now) }
        if progress.isOver {
            if let axis = LoadAxis(all) { board.axis = axis }
            board.phase = .over(failure: progress.failure)
        }
        lab.board = board
        if case .lab = overlay {
            overlay = .lab(board)
        } else if progress.isOver {
            notice = Notice(progress.failure == nil ? .success : .error, "the lab is done; \(keyName(.lab)) shows it")
        }
        return []
    }
}

/// The figures as text to paste somewhere.
enum LabText {
    static func text(of board: LabBoard) -> String {
        guard let order = board.order else { return "" }
        var lines = ["\(board.target)", order.plan.title + (order.plan.isOpen ? "" : ": \(LoadPlan.closedNote)")]
        for (way, figures) in zip(order.ways, board.figures) {
            if !way.title.isEmpty { lines += ["", way.title] }
            let table = LoadTable(figures)
            lines += (table.lines(width: 80) + [table.results, table.throughput(wanted: order.plan.rate)]).map(\.text)
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
