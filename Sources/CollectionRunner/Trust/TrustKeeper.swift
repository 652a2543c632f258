package import Base
package import NetworkLayer
package import RequestCollections
import Synchronization

/// Knows what is allowed, and asks for what isn't: once for a set, and again only when the set grows.
package final class TrustKeeper: Sendable {
    private let store: TrustStore
    private let policy: Policy
    private let asker: (any TrustAsker)?
    /// What the program allows its own demo.
    private let builtIn: Trust
    private let date: @Sendable () -> Date
    private let state = Mutex(State())

    package enum Policy: Hashable, Sendable {
        /// What is kept, and what somebody says when asked.
        case kept
        /// For this run.
        case everything
        /// Besides what is kept, for this run, by the collections' paths: see ``TrustHash``.
        case these([ExactText: [NotedWant]])
    }

    private struct State {
        /// What is known of each collection, by its path.
        var known: [ExactText: Known] = [:]
        /// Allowed once, and nothing that is kept.
        var once: [ExactText: Set<Want>] = [:]
        /// Commands that have run, by their words, as they left their own files; by collection.
        var left: [ExactText: [CommandWant: CommandWant]] = [:]
        var warnings: [String] = []
        /// The last question: the next one is asked after it.
        var last: Task<Void, Never>?

        mutating func revoke(_ collection: RequestCollection) {
            let path = ExactText(collection.path)
            (once[path], left[path], known[path]) = (nil, nil, nil)
        }
    }

    private struct Known {
        var key: TrustKey
        var allowed: [Want: String]
        var trust: Trust
    }

    package init(
        store: TrustStore, policy: Policy = .kept, asker: (any TrustAsker)? = nil, builtIn: Trust = .nothing,
        date: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.policy = policy
        self.asker = asker
        self.builtIn = builtIn
        self.date = date
    }

    /// For a program to which nobody has allowed anything.
    package static var closed: TrustKeeper { TrustKeeper(store: TrustStore(directory: nil)) }

    // MARK: What is allowed

    package func trust(in collection: RequestCollection) -> Trust {
        policy == .everything || builtIn == .everything ? .everything : known(collection).trust
    }

    /// What was allowed, with what it was wanted for.
    package func allowed(in collection: RequestCollection) -> [Want: String] { known(collection).allowed }

    /// What is wanted and isn't allowed, as it is asked.
    package func review(_ wants: [NotedWant], of collection: RequestCollection, all: Bool = false) -> TrustReview {
        TrustReview(of: collection, wants, trust(in: collection), allowed: known(collection).allowed, all: all)
    }

    /// Reads again what others may have allowed, or taken back.
    package func reread() {
        state.withLock { $0.known = [:] }
    }

    /// What was found out about kept grants since this was last asked: sentences.
    package func drainWarnings() -> [String] {
        state.withLock { state in
            defer { state.warnings = [] }
            return state.warnings
        }
    }

    private func known(_ collection: RequestCollection) -> Known {
        if let known = state.withLock({ $0.known[ExactText(collection.path)] }) { return known }
        let key = TrustKey(CollectionPlace(collection.path))
        let reading = store.grant(for: key)
        var allowed = reading.grant?.allowed ?? [:]
        if let main = GitWorktree.mainPlace(of: key.root), let grant = store.grant(for: TrustKey(CollectionPlace(main))).grant,
            !grant.isNever
        {
            allowed.merge(grant.allowed) { own, _ in own }
        }
        if case .these(let sets) = policy {
            for noted in sets[ExactText(collection.path)] ?? [] { allowed[noted.want] = noted.purpose }
        }
        let isNever = policy == .kept && reading.grant?.isNever == true
        return state.withLock { state in
            let wants = Set(allowed.keys).union(state.once[ExactText(collection.path)] ?? [])
                .union(state.left[ExactText(collection.path)]?.values.map { .run($0) } ?? [])
            let known = Known(key: key, allowed: allowed, trust: isNever ? .never : Trust(wants, and: builtIn))
            state.known[ExactText(collection.path)] = known
            if let problem = reading.problem, !state.warnings.contains(problem) { state.warnings.append(problem) }
            return known
        }
    }

    // MARK: Asking

    /// - Returns: what is allowed now; `nil`: not all of that.
    package func ask(for wants: [NotedWant], of collection: RequestCollection) async -> Trust? {
        if trust(in: collection).open(wants).isEmpty { return trust(in: collection) }
        guard asker != nil, policy == .kept else { return nil }
        let task = state.withLock { state in
            let before = state.last
            let task = Task {
                await before?.value
                return await self.askNow(for: wants, of: collection)
            }
            state.last = Task { _ = await task.value }
            return task
        }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func askNow(for wants: [NotedWant], of collection: RequestCollection) async -> Trust? {
        let review = review(wants, of: collection)
        // An earlier question may have been answered with a permission already.
        if review.isEmpty { return trust(in: collection) }
        guard let asker, !trust(in: collection).isNever, !Task.isCancelled else { return nil }
        switch await asker.ask(about: review) {
        case .refuse: return nil
        case .once: allow(review.wants, of: collection, isKept: false)
        case .these: allow(review.wants, of: collection, isKept: true)
        case .never:
            refuseForGood(collection)
            return nil
        }
        return trust(in: collection)
    }

    // MARK: A person's word

    /// - Parameter isKept: also for the next time.
    /// - Returns: whether it is, if it was to be; otherwise a warning says why.
    @discardableResult
    package func allow(_ wants: [NotedWant], of collection: RequestCollection, isKept: Bool) -> Bool {
        // Allowed for this run in any case: a full disk is no reason to ask again.
        state.withLock { state in
            state.once[ExactText(collection.path), default: []].formUnion(wants.map(\.want))
            state.known[ExactText(collection.path)] = nil
        }
        guard isKept else { return true }
        return keep(collection) { grant in
            grant.isNever = false
            for noted in wants { grant.allowed[noted.want] = noted.purpose }
        }
    }

    /// Nothing is allowed, and nobody is asked any more.
    ///
    /// - Returns: whether this is kept; otherwise a warning says why.
    @discardableResult
    package func refuseForGood(_ collection: RequestCollection) -> Bool {
        state.withLock { $0.revoke(collection) }
        return keep(collection) { grant in
            grant.isNever = true
            grant.allowed = [:]
        }
    }

    /// As if nobody had said anything.
    package func forget(_ collection: RequestCollection) throws(NetworkError) {
        let key = known(collection).key
        state.withLock { $0.revoke(collection) }
        try store.remove(key)
    }

    /// A command has run well. That it made or changed a file that is a word of it doesn't make it another one while this program runs.
    ///
    /// - Parameter directory: where it ran.
    func ran(_ permit: Permission?, in directory: String, of collection: RequestCollection) {
        guard case .run(let want)? = permit?.want, let place = permit?.place else { return }
        let current = CommandFiles.current(want, in: directory, of: place)
        guard current != want else { return }
        state.withLock { state in
            let path = ExactText(collection.path)
            state.left[path, default: [:]][CommandWant(want.words, for: want.use)] = current
            state.known[path] = nil
        }
    }

    private func keep(_ collection: RequestCollection, _ change: (inout TrustGrant) -> Void) -> Bool {
        let key = known(collection).key
        defer { state.withLock { $0.known[ExactText(collection.path)] = nil } }
        do throws(NetworkError) {
            try store.change(key) { grant in
                var grant = grant ?? TrustGrant(key, granted: date())
                grant.granted = date()
                change(&grant)
                return grant
            }
            return true
        } catch {
            state.withLock { $0.warnings.append("what was said about \(collection.path) can't be kept: \(error.message)") }
            return false
        }
    }
}

/// Asks a person. Without one nothing is allowed that isn't.
package protocol TrustAsker: Sendable {
    func ask(about review: TrustReview) async -> TrustAnswer
}

package enum TrustAnswer: Hashable, Sendable {
    case refuse
    /// For as long as this program runs.
    case once
    /// These, for good.
    case these
    /// And don't ask about this collection again.
    case never
}

/// What the program allows the demo that it starts itself, wherever that lies: these wants, and no others. A demo that somebody has
/// changed asks like any collection.
package enum DemoTrust {
    /// - Parameter servers: the addresses of the demo's own server.
    package static func trust(servers: [String]) -> Trust {
        var wants: Set<Want> = [.run(CommandWant(["printf", "turnstone-demo-token"], for: .secret))]
        let origins = servers.compactMap { Origin($0) }.map { "\($0)" }
        let ways = [""] + origins.map { " by proxy \($0)" } + [" by tls.verify false"]
        for (secret, source) in secrets {
            for origin in origins {
                for way in ways { wants.insert(.send(secret: secret, of: source, origin: origin + way)) }
            }
            // The server that it is redirected to is the demo's other one.
            wants.insert(.send(secret: secret, of: source, origin: Want.anyOrigin))
        }
        // The demo has a request for Docker's version.
        wants.insert(.write(path: "/var/run/docker.sock"))
        return Trust(wants)
    }

    /// With what each is read from.
    private static let secrets = [
        ("token", "\(SecretReference.command(["printf", "turnstone-demo-token"]))"),
        ("fresh-token", "the response of `sign-in/get-token`"), ("cookie jar demo", "this machine"),
    ]
}

/// One text for all that a collection wants, for machines on which nobody can be asked: when somebody adds a want, it is another one.
package enum TrustHash {
    /// All that a collection wants: of each request, in each environment and in none.
    ///
    /// - Parameters:
    ///   - environment: only in this one.
    ///   - variables: win over everything in the file.
    package static func wants(
        of collection: RequestCollection, environment: String? = nil, variables: [String: JSONValue] = [:]
    ) -> [NotedWant] {
        let environments: [String?] = environment.map { [$0] } ?? [nil] + collection.environmentNames.map { $0 }
        let requests = collection.sharedRequests { _ in true }
        var seen: Set<Want> = []
        return environments.flatMap { environment in
            collection.wants(of: requests, environment: environment, variables: variables)
                + itemWants(of: requests, in: collection, environment, variables)
        }
        .filter { seen.insert($0.want).inserted }
    }

    /// The wants that depend on the items of loops. Items that come from an answer aren't known before the run.
    private static func itemWants(
        of requests: [Shared<RequestDefinition>], in collection: RequestCollection, _ environment: String?,
        _ variables: [String: JSONValue]
    ) -> [NotedWant] {
        guard collection.hasLoops, let first = requests.first else { return [] }
        let job = RunJob(first.wrappedValue, in: collection, environment: environment, variables: variables)
        return RunPlan(requests.map(job.with)).wants(usesMocks: false).flatMap(\.wants)
    }

    /// `sha256:` and the digest of the wants in their order. Paths are taken from where the collection lies, or from the home, so that
    /// it is the same on another machine.
    package static func text(_ wants: [NotedWant], of collection: RequestCollection, home: String?) -> String {
        let place = CollectionPlace(collection.path)
        let records = Set(wants.map(\.want)).map { want in
            switch want {
            case .read(let path, let use): WantRecord(.read(path: place.portable(path, home: home), for: use))
            case .write(let path):
                WantRecord(.write(path: place.portable(path, home: home) + (path.hasSuffix("/") ? "/" : "")))
            default: WantRecord(want)
            }
        }
        let lines = WantRecord.sorted(records).map(\.text).joined(separator: "\n")
        return "sha256:" + DigestFunction.sha256.hash(Data(lines.utf8)).hexadecimal
    }
}
