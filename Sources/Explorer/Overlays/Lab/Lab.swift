import Base
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

/// The lab of this session.
struct Lab: Sendable {
    /// As it was when it went from the screen; `nil` before the first one. See ``ExplorerState/labBoard``.
    var board: LabBoard?
    /// How many runs were begun.
    var number = 0
}

/// A variant of the request that the lab sends.
struct LabVariant: Sendable, Hashable {
    /// `HTTP/2`, `cold`, `stage`.
    var title: String
    var definition: RequestDefinition
    var environment: String?
    /// Each time over a new connection.
    var isCold = false
}

/// What the lab is to send, how often, and in which variants: one after the other, so that a drift hits all of them.
struct LabOrder: Sendable, Hashable {
    /// Counts the runs of the lab: what comes of an earlier one isn't shown as this one's.
    var number: Int
    var collection: String
    var variants: [LabVariant]
    var plan: LoadPlan
}

/// The results since the last report, at most ten times a second.
struct LabProgress: Sendable {
    var number: Int
    /// One for each variant.
    var figures: [LoadFigures]
    /// The same, of what ended in the last ten seconds.
    var recent: [LoadFigures] = []
    var isOver: Bool
    /// Why nothing was sent.
    var failure: String?
}

extension ExplorerState {
    /// The one of this session, on the screen or not.
    var labBoard: LabBoard? { if case .lab(let board) = overlay { board } else { lab.board } }

    /// `B`: what was begun stays, whatever the screen showed meanwhile.
    mutating func openLab() -> [ExplorerEffect] {
        if let board = lab.board, board.isRunning || board.request == selectedRequest {
            overlay = .lab(board)
        } else if let selectedRequest {
            overlay = .lab(LabBoard(selectedRequest))
        } else {
            notice = Notice(.info, "pick a request first")
        }
        return []
    }

    /// What it would send now, and what can be held against each other.
    func labFacts(
        of definition: RequestDefinition, _ reference: RequestReference
    ) -> (target: String, contrasts: [LabBoard.Contrast]) {
        let url = resolvedURL(of: definition, reference)?.text ?? definition.url
        let environment = workspace.environments[reference.collection]
        let others = workspace[reference.collection]?.environments.keys.filter { $0 != environment } ?? []
        return (
            "\(definition.method.uppercased()) \(url)",
            [.none, .http, .connections] + others.map { .environments(environment, $0) }
        )
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

    mutating func start(_ board: LabBoard) -> [ExplorerEffect] {
        var board = board
        defer { keep(board) }
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
        let variants = variants(of: definition, board)
        let questions = questions(about: plan, variants, board.request)
        // What was agreed to is what is sent: where it would do something else by now, that is asked.
        guard questions.isEmpty || board.phase == .asking(questions) else {
            board.phase = .asking(questions)
            return []
        }
        lab.number += 1
        let order = LabOrder(number: lab.number, collection: board.request.collection, variants: variants, plan: plan)
        board.begin(order)
        return [.startLab(order)]
    }

    private func variants(of definition: RequestDefinition, _ board: LabBoard) -> [LabVariant] {
        let environment = workspace.environments[board.request.collection]
        func variant(
            _ title: String, in name: String?? = .none, isCold: Bool = false, _ change: (inout RequestSettings) -> Void = { _ in }
        )
            -> LabVariant
        {
            var definition = definition
            change(&definition.settings)
            return LabVariant(title: title, definition: definition, environment: name ?? environment, isCold: isCold)
        }
        switch board.contrasts[board.contrast] {
        case .none: return [variant("")]
        case .http: return [variant("HTTP/1.1") { $0.httpVersion = .http1 }, variant("HTTP/2") { $0.httpVersion = .http2 }]
        case .connections: return [variant("warm"), variant("cold", isCold: true)]
        case .environments(let first, let second):
            return [variant(first ?? "none", in: .some(first)), variant(second, in: .some(second))]
        }
    }

    /// What a person must agree to, in sentences; nothing for what is modest and changes nothing, and on this machine.
    private func questions(about plan: LoadPlan, _ variants: [LabVariant], _ request: RequestReference) -> [String] {
        var hosts: [String] = []
        for variant in variants {
            let host = resolvedURL(of: variant.definition, request, in: variant.environment).flatMap(\.host)
            if let host, LoadHost.isLoopback(host) { continue }
            let name = host ?? "the host of \(request.id)"
            if !hosts.contains(name) { hosts.append(name) }
        }
        guard !hosts.isEmpty, let method = variants.first?.definition.method.uppercased() else { return [] }
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
        guard var board = labBoard, board.order?.number == progress.number else { return }
        if !progress.figures.isEmpty { (board.figures, board.recent) = (progress.figures, progress.recent) }
        let all = progress.figures.reduce(into: LoadFigures()) { $0.merge($1) }
        if board.axis == nil { board.axis = LoadAxis(all) } else { board.axis?.fit(all, at: now) }
        if progress.isOver {
            if let axis = LoadAxis(all) { board.axis = axis }
            board.phase = .over(failure: progress.failure)
        }
        if case .lab = overlay {
            keep(board)
            return
        }
        lab.board = board
        guard progress.isOver else { return }
        notice = Notice(progress.failure == nil ? .success : .error, "the lab is done; \(keyName(.lab)) shows it")
    }
}

/// The figures as text to paste somewhere.
enum LabText {
    static func text(of board: LabBoard) -> String {
        guard let order = board.order else { return "" }
        var lines = ["\(board.target)", order.plan.title + (order.plan.isOpen ? "" : ": \(LoadPlan.closedNote)")]
        for (variant, figures) in zip(order.variants, board.figures) {
            if !variant.title.isEmpty { lines += ["", variant.title] }
            let table = LoadTable(figures)
            lines += (table.lines(width: 80) + [table.results, table.throughput(wanted: order.plan.rate)]).map(\.text)
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
