package import NetworkLayer
package import RequestCollections

/// A saved request to be run: which, in what, with what.
package struct RunJob: Sendable {
    /// The request, which may have unsaved edits.
    @Shared package var definition: RequestDefinition
    @Shared package var collection: RequestCollection
    @Shared private var common: Common
    /// The items of loops that it is sent for, those of the outermost loop first.
    package var iterations: [RunIteration] = []
    /// Its place in the plan that it is a part of, from 0.
    package var node: Int?
    /// Those that are sent after it in the plan that it is a part of, for whoever has the turn.
    var next: [RequestID] = []

    /// What it shares with those that are sent together with it: a plan may have a hundred thousand.
    private struct Common {
        var environment: String?
        var given: [String: JSONValue]
        var secretVariables: [String: [OriginPattern]]
        var usesFreshConnection = false
        var ignoresMock = false
        var isAside = false
        var note: String?
        var turn: (any RunTurn)?

        var isPlain: Bool { !usesFreshConnection && !ignoresMock && !isAside && note == nil }
    }

    package var environment: String? { common.environment }

    /// Whether it is sent as it stands in the file.
    var isPlain: Bool { common.isPlain }

    /// What somebody gave: `--var`.
    package var given: [String: JSONValue] { common.given }

    /// The variables that nobody may see, with the origins for which a person gave them.
    package var secretVariables: [String: [OriginPattern]] { common.secretVariables }

    /// Whether it uses a new connection, which isn't kept.
    package var usesFreshConnection: Bool {
        get { common.usesFreshConnection }
        set { common.usesFreshConnection = newValue }
    }

    /// Whether it is sent even where mocks answer.
    package var ignoresMock: Bool {
        get { common.ignoresMock }
        set { common.ignoresMock = newValue }
    }

    /// Whether something else is asked by way of the request, so that nobody takes the answer for its own.
    package var isAside: Bool {
        get { common.isAside }
        set { common.isAside = newValue }
    }

    /// What is different this time, for the history.
    package var note: String? {
        get { common.note }
        set { common.note = newValue }
    }

    /// Its place among those that were begun before and after it; what it needs tells it of what is waited for.
    package var turn: (any RunTurn)? {
        get { common.turn }
        set { common.turn = newValue }
    }

    package init(
        _ definition: RequestDefinition, in collection: RequestCollection, environment: String? = nil,
        variables: [String: JSONValue] = [:], secretVariables: [String: [OriginPattern]] = [:]
    ) {
        _definition = Shared(wrappedValue: definition)
        _collection = Shared(wrappedValue: collection)
        _common = Shared(
            wrappedValue: Common(environment: environment, given: variables, secretVariables: secretVariables))
    }

    /// The same job for another request of the collection, whose memory it shares.
    package func with(_ definition: Shared<RequestDefinition>) -> RunJob {
        var job = self
        job._definition = definition
        return job
    }

    /// Win over everything in the file.
    package var variables: [String: JSONValue] {
        let variables = iterations.reduce(given) { $0.merging($1.variables) { $1 } }
        guard let loop = iterations.last(where: { $0.scope != .data }) else { return variables }
        return variables.merging(ForEachDefinition.place(loop.index)) { $1 }
    }

    /// Whether it is sent for the first item of each loop around it, or for none.
    var isFirst: Bool { iterations.allSatisfy { $0.scope == .data || $0.index == 0 } }

    /// A sentence about a variable that comes from more than one of `--var`, a row and the items of loops: it isn't clear which value counts.
    package var doubleVariable: String? {
        var givers = given.mapValues { _ in "--var" }
        for iteration in iterations {
            for name in iteration.variables.keys.sorted() {
                if let other = givers[name] {
                    return "The variable \(name) comes from \(other) and from \(iteration.scope). Leave one of them out."
                }
                givers[name] = iteration.scope.description
            }
        }
        return nil
    }

    /// The request, and the item that it is sent for: `orders/create[sku=A7]`
    package var title: String { definition.id.rawValue + (iterationName.map { "[\($0)]" } ?? "") }

    /// The request, and which item of its own loops it is: what `run` takes as a name. `nil`: it is sent for an item of another one's loop.
    package var name: String? {
        let own = iterations.filter { $0.scope != .data }
        guard own.count == collection.loops(of: definition).count(where: { !$0.definition.items.isEmpty }) else { return nil }
        return definition.id.rawValue + (own.isEmpty ? "" : "[\(own.map(\.name).joined(separator: ", "))]")
    }

    /// `user=ada, sku=A7`
    package var iterationName: String? {
        iterations.isEmpty ? nil : iterations.map(\.name).joined(separator: ", ")
    }

    /// The same for another request of the collection.
    func job(for definition: Shared<RequestDefinition>) -> RunJob {
        var job = with(definition)
        if !job.common.isPlain { (job.usesFreshConnection, job.ignoresMock, job.note) = (false, false, nil) }
        (job.node, job.next) = (nil, [])
        // It is sent for the same items, where it has a part in their loops.
        job.iterations.removeAll { !$0.scope.includes(definition.id) }
        return job
    }
}

/// A run that is ready to be sent, or on its way.
package struct PreparedRun: Sendable {
    package let job: RunJob
    @Shared package private(set) var resolved: ResolvedRequest
    /// Not enqueued yet.
    package let operation: RequestOperation
    /// What was run because this one needs it, in that order.
    package let needed: [RunResult]
    let authorizer: OAuth2Authorizer?
    private let secretCookies: SecretCookies
    /// The session that it opens; `nil`: none.
    let player: SessionPlayer?
    /// Before it is sent.
    package let delay: Duration
    /// Whether the same request was sent before, and its answer wasn't yet what `until` waits for.
    package internal(set) var isAgain = false
    /// Whether the runner sends it by itself, for others or for a plan: then nobody else has announced it.
    package internal(set) var isNeeded = false

    init(
        job: RunJob, resolved: Shared<ResolvedRequest>, operation: RequestOperation, needed: [RunResult],
        authorizer: OAuth2Authorizer?, secretCookies: SecretCookies, player: SessionPlayer?, delay: Duration = .zero
    ) {
        self.job = job
        _resolved = resolved
        self.operation = operation
        self.needed = needed
        self.authorizer = authorizer
        self.secretCookies = secretCookies
        self.player = player
        self.delay = delay
    }

    /// Takes out of everything that is shown what nobody may see; it learns of tokens while the run is on its way.
    package var redactor: Redactor {
        let redactor = authorizer.map { resolved.redactor.union($0.redactor) } ?? resolved.redactor
        let captured = player?.played.secrets ?? []
        return captured.isEmpty ? redactor : redactor.union(Redactor(captured))
    }

    /// The same, and what an answer's head gives to variables that nobody may see.
    package func redactor(after head: ResponseHead) -> Redactor {
        let secrets = secretCookies.values(in: head).union(resolved.captures.flatMap { $0.secrets(in: head) })
        return secrets.isEmpty ? redactor : redactor.union(Redactor(secrets))
    }

    /// The same, and the secret cookies that went out in a head: what a jar adds isn't known before.
    package func redactor(afterSending head: String) -> Redactor {
        let cookies = secretCookies.values(inSentHead: head)
        return cookies.isEmpty ? redactor : redactor.union(Redactor(cookies))
    }

    /// Whether its response has more that nobody may see, what is captured of the body, or whether its body is made when all else is over:
    /// the transcript of a session.
    package var hidesBody: Bool {
        player != nil || job.definition.allCaptures.contains(where: \.hidesBody)
    }

    package var id: OperationID { operation.id }
}

/// Follows the runs of a ``CollectionRunner``, those that others need included.
package protocol RunObserver: Sendable {
    /// Just before its operation is enqueued.
    func willSend(_ run: PreparedRun)
    /// After each time of a request that is sent again until its answer is as it should be.
    ///
    /// - Parameters:
    ///   - number: from 1.
    ///   - pause: before the next time; `nil`: it was the last.
    func didPoll(_ run: PreparedRun, _ poll: Polling.Poll, number: Int, next pause: Duration?, hiding redactor: Redactor)
    /// After everything else of it; also after each time of a request that is sent again until its answer is as it should be.
    func didFinish(_ result: RunResult)
}

extension RunObserver {
    package func willSend(_ run: PreparedRun) {}
    package func didPoll(_ run: PreparedRun, _ poll: Polling.Poll, number: Int, next pause: Duration?, hiding redactor: Redactor) {}
    package func didFinish(_ result: RunResult) {}
}

/// The place of a run among those that somebody began one after the other.
///
/// Runs are prepared at the same time, and enter the queue in the order of their places. What waits for others (a person, a command, a
/// token, a request that it needs) holds nobody up: those behind it go first.
package protocol RunTurn: Sendable {
    /// From now on it waits for something that may take as long as it likes.
    func waits(for wait: RunWait)
    /// It has what it waited for.
    func goesOn()
    /// Returns when it may enter the queue.
    func acquire() async
}
