import Presentation
import RequestCollections
import TerminalUI

/// The latency lab: a request sent again and again, phase by phase.
struct LabBoard: Sendable, Hashable {
    var request: RequestReference
    /// `GET https://api.example.org/orders`, without secrets.
    var target = ""
    /// What ``target`` and ``contrasts`` follow from.
    struct Basis: Hashable {
        var definition: RequestDefinition
        var workspaceRevision: Int
    }
    var basis: Basis?
    var phase = Phase.setup
    var fields: [Field]
    var selected = 0
    var contrasts = [Contrast.none]
    var contrast = 0
    /// Why it can't be started with these values.
    var complaint: String?

    /// What was begun last.
    var order: LabOrder?
    var figures: [LoadFigures] = []
    /// The figures of the last ten seconds.
    var recent: [LoadFigures] = []
    var showsRecent = false
    var axis: LoadAxis?
    /// Somebody has ended it before its time.
    var isStopped = false
    /// Which way's table is shown.
    var shownWay = 0
    /// Kept with `b`, to be compared with what comes next.
    var baseline: Baseline?

    enum Phase: Sendable, Hashable {
        case setup
        /// The lab asks first, since it would be a load or may change something; these sentences say so.
        case asking([String])
        case running(isPaused: Bool, isStopping: Bool)
        case over(failure: String?)
    }

    struct Field: Sendable, Hashable {
        var label: String
        var note: String
        var line: LineEditor
    }

    /// What is held against each other in one run.
    enum Contrast: Sendable, Hashable {
        case none, http, connections
        case environments(String?, String)

        var title: String {
            switch self {
            case .none: "one way only"
            case .http: "HTTP/1.1 and HTTP/2"
            case .connections: "warm and cold connections"
            case .environments(let first, let second): "\(first ?? "no environment") and \(second)"
            }
        }
    }

    struct Baseline: Sendable, Hashable {
        var title: String
        var figures: LoadFigures
    }

    static let labels = ["requests", "for", "rate", "at once"]

    init(_ request: RequestReference) {
        self.request = request
        let notes = [
            "in all; empty: as many as there is time for", "such as 30s; empty: until all are sent",
            "a second; empty: the next when one is over", "at most",
        ]
        let texts = ["\(LoadPlan.standard.count ?? 100)", "", "", "\(LoadPlan.standard.atOnce)"]
        fields = zip(zip(Self.labels, notes), texts).map { Field(label: $0.0, note: $0.1, line: LineEditor($1)) }
        for index in fields.indices { fields[index].line.selectAll() }
    }

    /// The row below the fields: what is compared.
    var isOnContrast: Bool { selected == fields.count }
    var isRunning: Bool { if case .running = phase { true } else { false } }

    /// How it goes, or what became of it: green is only what passed, all of it.
    var sign: (text: String, role: ThemeRole) {
        switch phase {
        case .running(true, _): return ("‖ paused  ", .warning)
        case .running(_, true): return ("■ stops  ", .warning)
        case .running, .setup, .asking: return ("▶ ", .stateRunning)
        case .over(let failure):
            let passed = figures.reduce(0) { $0 + $1.passed }
            let failed = figures.reduce(0) { $0 + $1.failed }
            if failure != nil || passed == 0 && failed > 0 { return ("✗ ", .error) }
            if failed > 0 { return ("! ", .warning) }
            return isStopped || passed == 0 ? ("■ ", .stateCancelled) : ("✓ ", .success)
        }
    }

    /// What the fields say; a sentence when they say nothing that can be.
    func plan() throws(LabProblem) -> LoadPlan {
        func text(_ index: Int) -> String { String(fields[index].line.text.filter { $0 != " " && $0 != "," }) }
        var plan = LoadPlan()
        if !text(0).isEmpty {
            guard let count = Int(text(0)), (1...10_000_000).contains(count) else {
                throw LabProblem("requests: a number from 1 to 10,000,000")
            }
            plan.count = count
        }
        if !text(1).isEmpty {
            guard let duration = DurationText.parse(text(1)), duration > .zero, duration <= .seconds(24 * 3600) else {
                throw LabProblem("for: a time such as 30s or 2m, a day at most")
            }
            plan.duration = duration
        }
        if !text(2).isEmpty {
            guard let rate = Double(text(2)), LoadPlan.rates.contains(rate) else {
                throw LabProblem("rate: requests a second, 100,000 at most")
            }
            plan.rate = rate
        }
        guard let atOnce = Int(text(3)), (1...1000).contains(atOnce) else { throw LabProblem("at once: a number from 1 to 1,000") }
        plan.atOnce = atOnce
        guard plan.count != nil || plan.duration != nil else {
            throw LabProblem("it needs an end: a number of requests, or a time")
        }
        return plan
    }

    /// What the table is about; `nil`: nothing has come.
    var shownFigures: LoadFigures? {
        let all = showsRecent && recent.count == figures.count ? recent : figures
        return all.indices.contains(shownWay) ? all[shownWay] : nil
    }

    /// A against B, or this run against the one that was kept.
    var comparison: (titles: [String], pair: [LoadFigures])? {
        if figures.count == 2, let order { return (order.ways.map(\.title), figures) }
        if let baseline, let figures = figures.first, figures.count > 0 {
            return (["baseline", "now"], [baseline.figures, figures])
        }
        return nil
    }
}

struct LabProblem: Error {
    var message: String
    init(_ message: String) { self.message = message }
}
