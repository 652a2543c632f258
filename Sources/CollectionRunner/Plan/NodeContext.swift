import HTTPTypes
import NetworkLayer
import RequestCollections

/// What became of a node of a plan.
package struct NodeOutcome: Sendable {
    /// `nil` when nothing was sent: an earlier answer was young enough, or nobody needs it any more.
    package var result: RunResult?
    /// Somebody else sent it at the same time, and reports it; or its items are reported one by one.
    package var isShared = false
    /// When it is one item of several: its number, from 0, and what was sent.
    package var item: (number: Int, job: RunJob)?
    /// Whether a server may have got something of it.
    var wasSent = false
    /// The answer that others may take something from; `nil` when there is none that they can use.
    var response: EarlierResponse?
    var captured: [String: CapturedValue] = [:]
    /// What each of its items captured, in their order, when these are only known as it is sent.
    var captures: [String: [CapturedValue]]?
    /// Its items that a server may have got something of, in their order, where something is to undo them.
    var sentItems: [SentItem] = []
    /// What the nodes before it captured.
    var inherited: [String: CapturedValue] = [:]

    /// An item of a loop over an answer, once it was sent.
    struct SentItem: Sendable {
        var request: RequestID
        /// The loops around it, and its own.
        var iterations: [RunIteration]
        var captured: [String: CapturedValue]
    }

    init() {}

    init(_ result: RunResult, inherited: [String: CapturedValue]) {
        self.result = result
        self.inherited = inherited
        wasSent = result.wasSent
        guard result.isUsable else { return }
        response = result.earlierResponse
        captured = result.captured
    }

    init(_ success: RunMemory.Success, inherited: [String: CapturedValue]) {
        response = success.response
        captured = success.captured
        self.inherited = inherited
    }

    /// What a list of captured values is made of, and nothing more.
    var withoutAnswer: NodeOutcome {
        guard isUsable else { return self }
        var outcome = self
        (outcome.result, outcome.response) = (nil, nil)
        return outcome
    }

    var isUsable: Bool { result?.isUsable ?? true }

    /// Whether those that need it may be begun: they find out whether they can go on without it.
    var isOver: Bool { isUsable || result?.isSkipped == true }
}

extension RunResult {
    fileprivate var earlierResponse: EarlierResponse? { response.map { EarlierResponse(info: $0.info, redactor: redactor) } }
}

/// What a request may take of those before it.
struct NodeContext: Sendable {
    /// Over what was captured in earlier runs: what is needed directly is nearer than what that needed.
    var captured: [String: CapturedValue] = [:]
    var responses: [RequestID: EarlierResponse] = [:]
    /// What was sent because this one needs it.
    var needed: [RunResult] = []
    /// Why it can't be sent.
    var failure: RunFailure?
    /// What it undoes, item by item.
    var undone: [NodeOutcome.SentItem] = []
    /// The requests whose templates asked for the run that this is part of.
    var chain: [RequestID] = []
    /// What was remembered before the plan; `nil`: what is remembered now.
    var before: RunMemory?
    /// Where its request is kept when it is sent again and is the same each time.
    var constant: (requests: ConstantRequests, index: Int)?

    init() {}

    init(
        of index: Int, in plan: RunPlan, neededBy chain: [RequestID], before: RunMemory?, outcome: (Int) -> NodeOutcome?
    ) {
        self.chain = chain
        self.before = before
        let node = plan.nodes[index]
        failure = node.failure
        // What is needed is nearer than what only goes first.
        let edges = node.edges.filter { !$0.isDemand } + node.edges.filter(\.isDemand)
        let earlier = edges.compactMap { edge in outcome(edge.node).map { (edge, $0) } }
        for (_, outcome) in earlier { captured.merge(outcome.inherited) { $1 } }
        if node.step == .tearDown {
            adoptAll(from: earlier, for: node, in: plan)
            return
        }
        captured.merge(Self.lists(of: earlier, in: plan)) { $1 }
        for (edge, outcome) in earlier {
            if !edge.isItem {
                captured.merge(outcome.captured) { $1 }
                if let response = outcome.response { responses[plan.nodes[edge.node].id] = response }
            }
            guard edge.isDemand, let result = outcome.result else { continue }
            needed.append(result)
            if result.isSkipped, edge.failsIfSkipped {
                guard failure == nil else { continue }
                failure = RunFailure(
                    .demand, "`\(result.id)` was skipped, and `if-skipped: fail` demands that it isn't", at: edge.location)
            } else if result.isSkipped {
                // What only goes first isn't missed, and neither is one item of several.
                guard failure == nil, let what = edge.taken, !edge.isItem || edge.names.contains(where: { captured[$0] == nil })
                else { continue }
                failure = RunFailure(.condition, "it takes \(what) from `\(result.id)`, which was skipped", at: edge.location)
            } else if failure == nil, !outcome.isUsable {
                failure = RunFailure(.need(result.id), Self.sentence(about: result, for: node.id), at: edge.location)
            }
        }
        // Several may capture a name; this is the one that was meant.
        for (edge, outcome) in earlier {
            for name in edge.names {
                if let value = edge.isItem ? captured[name] : outcome.captured[name] {
                    captured[name] = value
                } else if failure == nil {
                    let id = plan.nodes[edge.node].id
                    failure = RunFailure(
                        .need(id), "\(node.id) was not sent: \(id), which it needs, captured no `\(name)`: it has no response",
                        at: edge.location)
                }
            }
        }
    }

    /// What is to be undone may have failed, and yet be there: all that is known of it is used.
    private mutating func adoptAll(
        from earlier: [(edge: RunPlan.Edge, outcome: NodeOutcome)], for node: RunPlan.Node, in plan: RunPlan
    ) {
        captured.merge(Self.lists(of: earlier, in: plan)) { $1 }
        for (edge, outcome) in earlier where !edge.isItem {
            captured.merge(outcome.result?.captured ?? outcome.captured) { $1 }
            responses[plan.nodes[edge.node].id] = outcome.response ?? outcome.result?.earlierResponse
        }
        if node.undoesItems { undone = earlier.first { $0.edge.node == node.undoes.first }?.outcome.sentItems ?? [] }
        // The node that is sent for an item is asked when the item's turn comes.
        for edge in node.edges where failure == nil && !(node.undoesItems && edge.node == node.undoes.first) {
            let id = plan.nodes[edge.node].id
            failure = edge.lack(of: captured, from: id)
            if failure == nil, edge.reasons.contains(.response), responses[id] == nil {
                failure = RunFailure(.condition, "`\(id)` has no answer to take something from", at: edge.location)
            }
        }
    }

    /// The same for one of the items that a node undoes.
    func undoing(_ item: NodeOutcome.SentItem, by node: RunPlan.Node) -> NodeContext {
        var context = self
        context.undone = []
        context.captured.merge(item.captured) { $1 }
        if context.failure == nil, let edge = node.edges.first(where: { $0.node == node.undoes.first }) {
            context.failure = edge.lack(of: item.captured, from: item.request)
        }
        return context
    }

    /// What the items of loops captured that the request isn't in.
    private static func lists(
        of earlier: [(edge: RunPlan.Edge, outcome: NodeOutcome)], in plan: RunPlan
    ) -> [String: CapturedValue] {
        // A selected item comes before those that are only needed; a list is in the order of the loop.
        let items = earlier.filter(\.edge.isItem).map { (plan.nodes[$0.edge.node].job.place.iterations, $0.outcome) }
        var lists: [String: [CapturedValue]] = [:]
        for (_, outcome) in items.sorted(by: { $0.0.lexicographicallyPrecedes($1.0) }) {
            let captures = outcome.captures ?? (outcome.result?.captured ?? outcome.captured).mapValues { [$0] }
            lists.merge(captures) { $0 + $1 }
        }
        // What goes through an empty list captures nothing, and is over all the same.
        let empty = Set(earlier.filter(\.edge.isItem).flatMap { $0.outcome.captures ?? [:] }.filter(\.value.isEmpty).map(\.key))
        return lists.reduce(into: [:]) { result, list in
            if let value = CapturedValue.list(list.value) {
                result[list.key] = value
            } else if empty.contains(list.key), let source = earlier.first(where: { $0.outcome.captures?[list.key] != nil }) {
                result[list.key] = CapturedValue(.array([]), from: plan.nodes[source.edge.node].id)
            }
        }
    }

    /// `pay was not sent: login, which it needs, failed: expected status to be 200, and found 401 Unauthorized (shop.yaml:12:5)`
    static func sentence(about need: RunResult, for request: RequestID) -> String {
        let start = "\(request) was not sent: \(need.id), which it needs, "
        // It may be part of a chain, whose first failure gives the reason.
        if let failure = need.failure, case .need = failure.reason, let verb = failure.message.firstRange(of: " was not sent: ") {
            return start + failure.message[verb.lowerBound...].dropFirst()
        }
        let (reason, location): (String, SourceLocation?)
        if let unmet = need.unmet.first, need.failure == nil || need.failure?.reason == .capture,
            need.errorSentence == nil || need.expectsError
        {
            (reason, location) = (unmet.complaint, unmet.location)
        } else if let failure = need.failure {
            (reason, location) = (failure.message, failure.location)
        } else if let error = need.errorSentence, !need.expectsError {
            (reason, location) = (error, nil)
        } else {
            (reason, location) = (need.response?.info.map { "its status was \($0.head.status.code)" } ?? "it has no response", nil)
        }
        return start + "failed: \(reason)" + (location.map { " (\($0))" } ?? "")
    }
}

extension RunPlan.Edge {
    /// The variables that the later one takes.
    fileprivate var names: [String] { reasons.compactMap { if case .capture(let name) = $0 { name } else { nil } }.sorted() }

    /// Why what undoes the earlier one can't be sent; `nil`: it has all that it takes.
    fileprivate func lack(of captured: [String: CapturedValue], from request: RequestID) -> RunFailure? {
        guard let name = names.first(where: { captured[$0] == nil }) else { return nil }
        return RunFailure(.condition, "`\(name)` was never captured from `\(request)`", at: location)
    }

    /// What the later one takes of the earlier one's answer; `nil`: nothing.
    fileprivate var taken: String? {
        names.first.map { "`\($0)`" } ?? (reasons.contains(.response) ? "something" : nil)
    }
}
