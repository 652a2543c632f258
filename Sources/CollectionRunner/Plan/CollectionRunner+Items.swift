import Base
import NetworkLayer
import RequestCollections
import Synchronization

/// Requests whose items nobody knows before they are run: `for-each` with a list from an answer, or with pages.
extension CollectionRunner {
    /// Pages go one after the other, since each leads to the next, and end where one fails.
    ///
    /// - Parameters:
    ///   - turns: when each of them may begin.
    ///   - ended: told of each item.
    /// - Returns: what others may know of all of it: whether they went well.
    func sendItems(
        of loop: ForEachDefinition, from source: ForEachDefinition.Source, _ job: RunJob, in context: NodeContext,
        _ turns: ItemTurns, ended: @Sendable (NodeOutcome) -> Void
    ) async -> NodeOutcome {
        var context = context
        // Each item is another request.
        context.constant = nil
        var all = ItemsOutcome(variable: loop.variable, isUndone: !job.definition.tearDown.isEmpty)
        func report(_ number: Int, _ job: RunJob, _ result: RunResult) {
            var outcome = NodeOutcome(result, inherited: [:])
            outcome.item = (number, job)
            ended(outcome)
        }
        switch source {
        case .list(let name):
            let items: [JSONValue]
            do throws(RunFailure) {
                if let failure = context.failure ?? unmetCondition(of: job, in: context) { throw failure }
                items = try self.items(of: name, for: job, in: context)
            } catch {
                return NodeOutcome(RunResult(job, failure: error), inherited: [:])
            }
            if let complaint = loop.complaint(aboutCount: items.count) {
                let failure = RunFailure(.demand, complaint, at: loop.location)
                return NodeOutcome(RunResult(job, failure: failure), inherited: [:])
            }
            guard !items.isEmpty else { return Self.nothing(of: name, job) }
            let known = knownSecrets.withLock { $0 }
            let parts = RunIteration.iterations(of: items, in: loop, for: job).map { job.job(for: $0.hiding(known)) }
            all.expect(parts.count)
            await withTaskGroup(of: (Int, RunResult).self) { group in
                var (next, over) = (0, 0)
                while true {
                    while next < min(parts.count, over + min(turns.jobs, loop.jobs ?? turns.jobs)) {
                        let (number, job, context) = (next, parts[next], context)
                        group.addTask { (number, await self.send(job, in: context, turns)) }
                        next += 1
                    }
                    guard let (number, result) = await group.next() else { break }
                    report(number, parts[number], result)
                    all.add(result, of: parts[number], at: number)
                    over += 1
                }
            }
        case .pages(let pages):
            var page = PageWalk(pages, of: loop, for: job)
            while true {
                let next = page.job
                // How many would follow, nobody knows.
                var result = await send(next, in: context, turns)
                let goesOn = page.advance(&result)
                report(all.count, next, result)
                all.add(result, of: next, at: all.count)
                if !goesOn { break }
            }
        }
        return all.outcome ?? NodeOutcome(Self.unsent(job), inherited: [:])
    }

    /// Undoes the items of a loop over an answer, one after the other: what was made last goes first.
    ///
    /// - Parameter ended: told of each.
    func undoItems(
        by node: RunPlan.Node, in context: NodeContext, _ turns: ItemTurns, ended: @Sendable (NodeOutcome) -> Void
    ) async -> NodeOutcome {
        var all = ItemsOutcome(variable: "", isUndone: false)
        for item in context.undone.reversed() {
            var job = node.job
            // Its own loops stand behind that of what it undoes.
            job.iterations = item.iterations + node.job.iterations.dropFirst(item.iterations.count - 1)
            let result = turns.mayBegin() ? await send(job, in: context.undoing(item, by: node)) : Self.unsent(job)
            var outcome = NodeOutcome(result, inherited: [:])
            outcome.item = (all.count, job)
            ended(outcome)
            all.add(result, of: job, at: all.count)
        }
        return all.outcome ?? NodeOutcome(Self.unsent(node.job), inherited: [:])
    }

    /// Before the list is read: where its request isn't to be sent, it need not be there.
    private func unmetCondition(of job: RunJob, in context: NodeContext) -> RunFailure? {
        job.collection.unmetCondition(
            of: job.definition, environment: job.environment, variables: job.variables, with: sources(for: job, in: context)
        ).map(RunFailure.init)
    }

    /// What a run that was stopped has left out is said, or it would look as if it were all.
    private static func unsent(_ job: RunJob) -> RunResult {
        RunResult(job, failure: RunFailure(.cancelled, "the run was cancelled"))
    }

    /// The outcome for an empty list: the request is skipped, and those that take what it captures get empty lists.
    private static func nothing(of name: String, _ job: RunJob) -> NodeOutcome {
        let failure = RunFailure(
            .condition, "`\(name)` is empty, so there is nothing to send it for", at: job.definition.forEach?.location)
        var outcome = NodeOutcome(RunResult(job, failure: failure), inherited: [:])
        outcome.captures = Dictionary(job.definition.allCaptures.map { ($0.name, []) }) { first, _ in first }
        return outcome
    }

    /// One item, when it is its turn.
    private func send(_ job: RunJob, in context: NodeContext, _ turns: ItemTurns) async -> RunResult {
        await turns.slots.wait()
        defer { turns.slots.release() }
        let isEnding = Task.isCancelled || pauses.isEnded || !turns.mayBegin()
        return isEnding ? Self.unsent(job) : await send(job, in: context)
    }

    private func items(of name: String, for job: RunJob, in context: NodeContext) throws(RunFailure) -> [JSONValue] {
        do throws(ResolutionError) {
            return try job.collection.items(
                of: name, for: job.definition, environment: job.environment, variables: job.variables,
                with: sources(for: job, in: context))
        } catch {
            throw RunFailure(error)
        }
    }
}

/// When the items of a loop may be sent.
struct ItemTurns: Sendable {
    /// How many are under way at a time, at most.
    var jobs = 1
    /// The slots, shared with everything else that is sent.
    var slots = JobSlots(1)
    /// Asked before each of them.
    var mayBegin: @Sendable () -> Bool = { true }
}

/// What is known of several items together. Of their answers one is kept: ten thousand may take all memory.
struct ItemsOutcome {
    /// The loop's, which means nothing outside of it.
    let variable: String
    private(set) var count = 0
    private var wasSent = false
    /// For each item, in their order: what it captured, and, where it is to be undone, the job that a server may have got.
    private var items: [(captured: [String: CapturedValue], sent: RunJob?)] = []
    /// That of the first item that has failed, else of the first that was skipped, else of the last.
    private var chosen: (number: Int, result: RunResult)?
    private let isUndone: Bool

    /// - Parameter isUndone: whether it is to be known afterwards which of them were sent.
    init(variable: String, isUndone: Bool) {
        self.variable = variable
        self.isUndone = isUndone
    }

    /// So many items, which may be added in any order.
    mutating func expect(_ count: Int) { items = Array(repeating: ([:], nil), count: count) }

    /// - Parameter number: the item's, from 0.
    mutating func add(_ result: RunResult, of job: RunJob, at number: Int) {
        count += 1
        wasSent = wasSent || result.wasSent
        while items.count <= number { items.append(([:], nil)) }
        items[number] = (result.captured.filter { $0.key != variable }, isUndone && result.wasSent ? job : nil)
        let rank = Self.rank(of: result, number)
        if chosen.map({ Self.rank(of: $0.result, $0.number) < rank }) ?? true { chosen = (number, result) }
    }

    private static func rank(of result: RunResult, _ number: Int) -> (Int, Int) {
        result.isUsable ? (0, number) : (result.isSkipped ? 1 : 2, -number)
    }

    /// `nil`: there was none.
    var outcome: NodeOutcome? {
        guard let result = chosen?.result else { return nil }
        var outcome = NodeOutcome(result, inherited: [:])
        // The request has several answers, so no single value can be captured.
        outcome.captured = [:]
        outcome.captures = items.reduce(into: [:]) { lists, item in
            for (name, value) in item.captured { lists[name, default: []].append(value) }
        }
        outcome.response = nil
        outcome.isShared = true
        outcome.wasSent = wasSent
        outcome.sentItems = items.compactMap { item in
            item.sent.map { .init(request: $0.definition.id, iterations: $0.iterations, captured: item.captured) }
        }
        return outcome
    }
}

/// A walk from one page to the next.
struct PageWalk {
    /// The next one to be sent.
    private(set) var job: RunJob
    private let first: RunJob
    private let pages: ForEachDefinition.Pages
    private let loop: ForEachDefinition
    private var number = 1
    private var known: Set<JSONValue>

    init(_ pages: ForEachDefinition.Pages, of loop: ForEachDefinition, for job: RunJob) {
        self.pages = pages
        self.loop = loop
        first = job
        self.job = job
        known = [pages.start]
        prepare(pages.start)
    }

    private mutating func prepare(_ value: JSONValue) {
        job = first.job(for: RunIteration(page: number, value, in: loop, for: first))
        job.definition.captures.append(pages.next)
    }

    /// - Parameter result: gets a failure when there are more pages than there may be, or the next one can't be.
    /// - Returns: whether there is a next one.
    mutating func advance(_ result: inout RunResult) -> Bool {
        guard result.isUsable, let next = result.captured[loop.variable]?.value else { return false }
        switch next {
        case .null, .boolean(false), .string(""):
            if let complaint = loop.complaint(aboutCount: number) { result.failure = failure(complaint) }
            return false
        default: break
        }
        number += 1
        do throws(RunFailure) {
            guard number <= pages.atMost else {
                throw failure("there are more than \(pages.atMost) pages; `at-most` lets it have more")
            }
            guard known.insert(next).inserted else {
                throw failure("page \(number) would be the same once more, so this would never end")
            }
            prepare(next)
            let isLink = if case .subject(.link) = pages.next.source { true } else { false }
            if case .string(let text) = next,
                isLink || ["http://", "https://", "/", "?"].contains(where: text.begins)
            {
                try follow(text, from: result)
            }
            return true
        } catch {
            result.failure = error
            return false
        }
    }

    /// The next page's URL is whole: the parameters are in it.
    private mutating func follow(_ text: String, from result: RunResult) throws(RunFailure) {
        guard let here = result.response?.info?.finalURL, let url = URL(string: text, relativeTo: here)?.absoluteURL,
            let origin = Origin(url), let home = Origin(here)
        else { throw failure("the next page has no URL that can be sent") }
        // What is sent along was meant for this server.
        guard origin == home else { throw failure("the next page is at \(origin), and not at \(home)") }
        // Whatever the server writes, it isn't read as a template.
        job.definition.url = url.absoluteString.replacing(scalars: "{", with: "%7B").replacing(scalars: "}", with: "%7D")
            .replacing(scalars: "/:", with: "/%3A")
        job.definition.query = []
    }

    private func failure(_ message: String) -> RunFailure { RunFailure(.until, message, at: pages.next.location) }
}
