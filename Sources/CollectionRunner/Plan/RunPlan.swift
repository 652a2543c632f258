package import NetworkLayer
package import RequestCollections
import Synchronization

/// What a run sends: each request once in each round, after everything that it takes something from. A value, made before anything is
/// sent.
///
///     login ──token──▸ create ──needs──▸ read ──needs──▸ delete
///                         └───────────────needs────────────▴
///
/// ``nodes`` are in an order in which they can be sent one after the other. ``Progress`` says which of them may be sent at a time.
package struct RunPlan: Sendable {
    package var nodes: Nodes { Nodes(first: round, rounds: rounds) }
    /// The nodes of the first round. Those of the others are the same, each behind the one before it.
    package internal(set) var round: [Node] = []
    /// How many nodes of a round are no tear-down. Those come last, and begin when all others of the round are over.
    package let mainCount: Int
    package let rounds: Int
    /// What can't be planned: requests that wait for each other, and variables that several requests give.
    package internal(set) var problems: [RunFailure] = []
    /// The nodes of the first round whose requests are the same in each round, once they have been resolved.
    let constants = ConstantRequests()
    /// Whether it is all that is run: then what a request captures reaches another one along the edges alone, so that neither the number of
    /// jobs nor an earlier round changes what is sent.
    let isWhole: Bool
    /// The nodes of the first round without whose answers others can't be sent.
    private let demanded: Set<Int>
    /// How many others may take more of each node of the first round than what it captured; absent: none.
    private let answerConsumers: [Int: Int]

    package struct Node: Sendable {
        package internal(set) var job: RunJob
        /// Which repetition of the run it belongs to, from 0.
        package internal(set) var round = 0
        /// Whether somebody asked for it. Else it is there because others need it.
        package internal(set) var isSelected: Bool
        /// What it is there for, unless it is for its own sake or because others need it.
        package internal(set) var step: Step?
        /// For a tear-down: it is sent when one of these was.
        package internal(set) var undoes: [Int] = []
        /// For a tear-down of a request whose items only an answer gives: it is sent once for each of them that was sent.
        package internal(set) var undoesItems = false
        /// Where a tear-down is sent before, for its own sake or because others need it. It is sent here only if it wasn't sent there.
        package internal(set) var twin: Int?
        /// What must be over before it, each node once.
        package internal(set) var edges: [Edge] = []
        /// Which earlier answer will do in place of a new one.
        var freshness: Freshness
        /// Why it can't be sent, when that is known already.
        @Boxed package internal(set) var failure: RunFailure? = nil

        package var id: RequestID { job.definition.id }

        /// How young an earlier answer must be to do in its place; `nil`: it is sent in any case.
        package var allowedAge: Duration? {
            if case .within(let age) = freshness { age } else { nil }
        }
    }

    package enum Step: String, Sendable {
        case setUp = "set-up"
        case tearDown = "tear-down"
    }

    /// What a request takes of an earlier one.
    package struct Edge: Hashable, Sendable {
        /// The earlier one.
        package var node: Int
        package var reasons: Set<Reason>
        /// Whether the earlier one is sent for items of a loop that the later one isn't in: what it captures is part of a list.
        var isItem = false
        /// Whether the later one fails when the earlier one is skipped.
        var failsIfSkipped = false
        package var location: SourceLocation?

        /// Whether the later one can't be sent when the earlier one fails.
        package var isDemand: Bool { reasons != [.order] }
    }

    package enum Reason: Hashable, Sendable {
        /// `needs` names it.
        case need
        /// `set-up` of a folder or of the collection names it.
        case setUp
        /// It captures a variable that nothing else gives.
        case capture(String)
        /// `response("login", ".token")`
        case response
        /// It captures a variable that may also have no value: it goes first when it is sent anyway.
        case order
    }

    /// How old an earlier answer may be, as `max-age` says. Of several that ask, the smallest counts.
    enum Freshness: Hashable, Sendable, Comparable {
        /// It is sent in any case.
        case always
        case within(Duration)
        /// Any earlier answer will do.
        case any
    }

    /// - Parameters:
    ///   - jobs: what somebody asked for, in the order in which it is to be sent.
    ///   - rounds: how often, each time with everything that is needed.
    ///   - isWanted: asked about each of the jobs with its item, one after the other.
    package init(_ jobs: [RunJob], rounds: Int = 1, where isWanted: (RunJob) -> Bool = { _ in true }) {
        self.init(jobs, rounds: rounds, having: nil, where: isWanted)
    }

    /// - Parameter captured: the variables that earlier runs have given a value; `nil`: it is all that is run.
    private init(_ jobs: [RunJob], rounds: Int, having captured: Set<String>?, where isWanted: (RunJob) -> Bool = { _ in true }) {
        var planner = RunPlanner(having: captured ?? [], goesThroughLoops: captured == nil)
        planner.add(jobs, where: isWanted)
        isWhole = captured == nil
        self.rounds = rounds
        round = planner.nodes
        mainCount = planner.mainCount
        problems = planner.problems
        demanded = Set(planner.nodes.flatMap { $0.edges.filter(\.isDemand).map(\.node) })
        answerConsumers = planner.nodes.reduce(into: [:]) { counts, node in
            for edge in node.edges where !edge.isItem { counts[edge.node, default: 0] += 1 }
        }
    }

    /// One request with what it needs, among others that are sent before it and after it.
    ///
    /// - Parameters:
    ///   - freshness: which earlier answer will do in its place.
    ///   - captured: the variables that earlier runs have given a value: nothing is sent for those.
    init(_ job: RunJob, _ freshness: Freshness = .always, having captured: Set<String>) {
        self.init([job], rounds: 1, having: captured)
        round[round.count - 1].freshness = freshness
    }

    /// The same once more: each round is all of it; only what `max-age` allows is shared with the one before.
    var repeated: RunPlan {
        var plan = self
        for index in plan.round.indices where plan.round[index].freshness == .any { plan.round[index].freshness = .always }
        return plan
    }

    /// The request that a plan of one is made for.
    var last: RunJob { round[round.count - 1].job }

    package var hasTearDowns: Bool { mainCount < round.count }

    /// Whether others can't be sent without its answer.
    package func isDemanded(_ node: Int) -> Bool { demanded.contains(node % round.count) }

    /// The requests that use a variable that this node captures; in a large plan, none are looked for.
    package func consumers(of name: String, from node: Int) -> [RequestID] {
        guard round.count <= Self.mostLookedThrough else { return [] }
        let consumers = round.filter { other in
            other.edges.contains { $0.node == node % round.count && $0.reasons.contains(.capture(name)) }
        }
        var known: Set<RequestID> = []
        return consumers.map(\.id).filter { known.insert($0).inserted }
    }

    private static let mostLookedThrough = 1000

    /// How many others may ask for its answer itself.
    func answerConsumers(of node: Int) -> Int { answerConsumers[node % round.count] ?? 0 }
}

/// Requests that are the same each time, by their places in a plan.
final class ConstantRequests: Sendable {
    private let known = Mutex<[Int: Shared<ResolvedRequest>]>([:])

    subscript(index: Int) -> Shared<ResolvedRequest>? {
        get { known.withLock { $0[index] } }
        set { known.withLock { $0[index] = newValue } }
    }
}

extension RunPlan {
    /// All nodes, round after round. They are made when they are asked for: a hundred thousand rounds take no more room than one.
    package struct Nodes: RandomAccessCollection, Sendable {
        let first: [Node]
        let rounds: Int

        package var startIndex: Int { 0 }
        package var endIndex: Int { first.count * rounds }

        package subscript(index: Int) -> Node {
            let (round, place) = index.quotientAndRemainder(dividingBy: first.count)
            var node = first[place]
            guard round > 0 else { return node }
            node.round = round
            // Each round is all of it; only what `max-age` allows is shared with the one before.
            if node.freshness == .any { node.freshness = .always }
            for edge in node.edges.indices { node.edges[edge].node += round * first.count }
            for index in node.undoes.indices { node.undoes[index] += round * first.count }
            node.twin = node.twin.map { $0 + round * first.count }
            return node
        }
    }
}

extension RunPlan {
    /// What the requests of each collection want, those included that they need, in the order of the collections' paths.
    package func wants(usesMocks: Bool) -> [(collection: RequestCollection, wants: [NotedWant])] {
        /// Loops may give different values to variables of one name.
        struct Item: Hashable {
            var scope: RunIteration.Scope
            var index: Int
        }
        struct Place: Hashable {
            @ExactText var collection: String
            var environment: String?
            var items: [Item]
        }
        var groups: [(first: RunJob, requests: [Shared<RequestDefinition>])] = []
        var numbers: [Place: Int] = [:]
        for node in round {
            let job = node.job
            let place = Place(
                collection: job.collection.path, environment: job.environment,
                items: job.iterations.map { Item(scope: $0.scope, index: $0.index) })
            let number = numbers[place] ?? groups.count
            if number == groups.count {
                numbers[place] = number
                groups.append((job, []))
            }
            groups[number].requests.append(job.$definition)
        }
        var wanted: [ExactText: (collection: RequestCollection, wants: [NotedWant])] = [:]
        for (job, requests) in groups {
            let wants = job.collection.wants(
                of: requests, environment: job.environment, variables: job.variables, usesMocks: usesMocks)
            wanted[ExactText(job.collection.path), default: (job.collection, [])].wants += wants
        }
        return wanted.sorted { $0.key.wrappedValue < $1.key.wrappedValue }.map { _, wanted in
            // Many rows want the same things.
            var known: Set<NotedWant> = []
            return (wanted.collection, wanted.wants.filter { known.insert($0).inserted })
        }
    }
}

extension RunPlan {
    /// The secrets that stand in environment variables, as far as its collections may read these.
    package func environmentSecrets(by trust: TrustKeeper, from source: any SecretSource) async -> Redactor {
        var known: Set<String> = []
        var secrets: Set<String> = []
        for node in round where known.insert(node.job.collection.path).inserted {
            let collection = node.job.collection
            for secret in collection.environmentSecrets(by: trust.trust(in: collection)) {
                // What isn't set is missed where it is used.
                if let value = try? await source.read(secret) { secrets.insert(value) }
            }
        }
        // A short one is a word of many others.
        return Redactor(secrets.filter { $0.utf8.count >= Redactor.shortestSearched })
    }

    /// The same, in which no item is called by a secret: a plan is shown before anything is known of its requests.
    package func hiding(_ redactor: Redactor) -> RunPlan {
        guard !redactor.isEmpty else { return self }
        var plan = self
        for index in plan.round.indices {
            plan.round[index].job.iterations = plan.round[index].job.iterations.map { $0.hiding(redactor) }
        }
        return plan
    }
}

extension RunIteration {
    /// The iteration, named by its number where its value is secret.
    func hiding(_ redactor: Redactor) -> RunIteration {
        guard redactor.finds(in: name) else { return self }
        var iteration = self
        iteration.name = "\(index + 1)"
        return iteration
    }
}
