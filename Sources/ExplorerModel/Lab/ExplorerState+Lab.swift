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
        for name in workspace[reference.collection]?.environments.keys ?? [] where name != environment {
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
        guard let collection = workspace[reference.collection] else { return nil }
        // What is secret in this session is shown nowhere.
        let given = givenVariables(in: reference.collection)
        let url = LoadHost.url(
            of: definition, in: collection, environment: environment ?? workspace.environments[reference.collection],
            variables: given.values.filter { given.secrets[$0.key] == nil })
        return url.map { (URLText.line($0.absoluteString).text, $0.host()) }
    }

    // MARK: Starting

    /// - Parameter isAllowed: the person has agreed to what it would do.
    mutating func start(_ board: LabBoard, isAllowed: Bool) -> [ExplorerEffect] {
        var board = board
        defer {
            lab.board = board
            overlay = .lab(board)
        }
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
        board.begin(order)
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

    mutating func progressed(_ progress: LabProgress) {
        guard var board = lab.board, board.order?.number == progress.number else { return }
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
