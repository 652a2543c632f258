import NetworkLayer
import RequestCollections

/// Makes a round of a ``RunPlan``: walks from each request to what it needs, and puts each down after that.
struct RunPlanner {
    var nodes: [RunPlan.Node] = []
    var problems: [RunFailure] = []
    /// How many of the nodes are no tear-down.
    private(set) var mainCount = 0
    /// The variables that have a value already.
    private let captured: Set<String>
    private let goesThroughLoops: Bool
    /// The folders whose set-up isn't sent; `nil`: no steps are.
    let unsetFolders: Set<ScopeKey>?
    /// By a collection's path: whether it or a folder of it has any.
    var stepsAreKnown: [ExactText: Bool] = [:]
    /// The same of loops over files.
    private var itemFilesAreKnown: [ExactText: Bool] = [:]
    var requestsOfSetUps: [ScopeKey: Set<RequestID>] = [:]
    /// The request that is to undo a node, while it is planned.
    var tearingDown: (request: RequestID, undone: Int?)?
    var lastTearDown: Int?
    private var indices: [Key: Int] = [:]
    /// The places, by number: many requests share few places.
    private var places: [RunMemory.Place: Int] = [:]
    /// The nodes of each request that is sent for items of a loop.
    private var items: [RequestID: [Int]] = [:]
    /// What is the same for all requests of one collection in one environment.
    private var finders: [ContextKey: TemplateReadsFinder] = [:]
    /// The requests on the way from a selected one to the current one.
    private var path: [Key] = []
    /// A longer chain of needs would need more stack than a thread has.
    private static let longestPath = 200

    private struct Key: Hashable {
        var place: Int
        var request: RequestID
        /// A request may undo several others, once each.
        var undone: Int?
    }

    struct ScopeKey: Hashable {
        var place: RunMemory.Place
        /// `nil`: the collection.
        var folder: RequestID?
    }

    private struct ContextKey: Hashable {
        var place: RunMemory.Place
        /// The names of what was given over the file's variables.
        var given: Set<String>

        /// It is the same for all items of a loop.
        init(_ job: RunJob) {
            place = job.place
            place.iterations = []
            given = Set(job.variables.keys)
        }
    }

    /// A request that another one takes something from.
    struct Demand {
        var request: RequestID
        var reason: RunPlan.Reason
        var freshness: RunPlan.Freshness
        var failsIfSkipped = false
        var location: SourceLocation?
    }

    /// - Parameter goesThroughLoops: else everything is sent for the first item alone.
    init(having captured: Set<String>, goesThroughLoops: Bool) {
        self.captured = captured
        self.goesThroughLoops = goesThroughLoops
        unsetFolders = goesThroughLoops ? [] : nil
    }

    /// To find out what a set-up needs.
    init(withoutSetUpOf folders: Set<ScopeKey>) {
        captured = []
        goesThroughLoops = false
        unsetFolders = folders
    }

    /// - Parameter isWanted: asked about each job with its item, one after the other.
    mutating func add(_ jobs: [RunJob], where isWanted: (RunJob) -> Bool = { _ in true }) {
        var optional: [Int: [String]] = [:]
        nodes.reserveCapacity(jobs.count)
        for job in items(of: jobs) where isWanted(job) {
            _ = addOne(job, isSelected: true, .always, optional: &optional)
        }
        for (index, names) in optional { addOrder(to: index, names) }
        mainCount = nodes.count
        if goesThroughLoops { addTearDowns() }
    }

    /// - Returns: its places in the plan, one for each item of the loops around it; `nil` when it needs itself.
    mutating func add(
        _ job: RunJob, isSelected: Bool, _ freshness: RunPlan.Freshness, optional: inout [Int: [String]]
    ) -> [Int]? {
        var places: [Int] = []
        for item in items(of: [job]) {
            guard let place = addOne(item, isSelected: isSelected, freshness, optional: &optional) else { return nil }
            places.append(place)
        }
        return places
    }

    /// The same for each item of the loops around them; what lies in a folder that has one is gone through item by item.
    private mutating func items(of jobs: [RunJob]) -> [RunJob] {
        // Most requests are in no loop.
        guard jobs.contains(where: { !$0.openLoops.isEmpty }) else { return jobs }
        var items: [RunJob] = []
        var rest = jobs[...]
        while let job = rest.first {
            guard let loop = job.openLoops.first else {
                items.append(job)
                rest.removeFirst()
                continue
            }
            let together = rest.prefix { $0.place == job.place && $0.openLoops.first == loop }
            rest.removeFirst(together.count)
            let parts = together.map { sent($0, for: loop) }
            for index in 0..<(parts.map(\.count).max() ?? 0) {
                items += self.items(of: parts.compactMap { $0.indices.contains(index) ? $0[index] : nil })
            }
        }
        return items
    }

    /// The same for each item of its outermost loop.
    private mutating func sent(_ job: RunJob, for loop: RequestLoop) -> [RunJob] {
        let complaint = goesThroughLoops ? Self.complaint(about: job) : nil
        if let complaint, !problems.contains(complaint) { problems.append(complaint) }
        let iterations = RunIteration.iterations(of: loop, hiding: job.collection.secretNames)
        let sent = goesThroughLoops && complaint == nil ? iterations[...] : iterations.prefix(1)
        return sent.map { job.job(for: $0) }
    }

    /// Loops in loops multiply, so what each of them may have is what they may have together.
    private static func complaint(about job: RunJob) -> RunFailure? {
        let loops = job.openLoops
        let (count, isTooMuch) = loops.reduce((1, false)) { product, loop in
            let (count, overflows) = product.0.multipliedReportingOverflow(by: loop.definition.items.count)
            return (count, product.1 || overflows)
        }
        guard loops.count > 1, isTooMuch || count > ForEachDefinition.mostItems else { return nil }
        let sizes = loops.map { "\($0.definition.items.count) of `\($0.scope)`" }.joined(separator: " times ")
        return RunFailure(
            .resolution(.definition),
            "`\(job.definition.id)` would be sent for \(sizes) items; loops in loops may have \(ForEachDefinition.mostItems) together, "
                + "and `turnstone run --data FILE` takes more", at: loops.last?.definition.location)
    }

    private mutating func addOne(
        _ job: RunJob, isSelected: Bool, _ freshness: RunPlan.Freshness, optional: inout [Int: [String]]
    ) -> Int? {
        let key = Key(
            place: number(of: job.place), request: job.definition.id,
            undone: tearingDown.flatMap { $0.request == job.definition.id ? $0.undone : nil })
        if let index = indices[key] {
            nodes[index].isSelected = nodes[index].isSelected || isSelected
            nodes[index].freshness = min(nodes[index].freshness, freshness)
            return index
        }
        guard !path.contains(key) else { return nil }
        path.append(key)
        var node = RunPlan.Node(job: job, isSelected: isSelected, freshness: freshness)
        var names: [String] = []
        // What can't be sent needs nothing.
        node.failure = job.definition.problems.first.map {
            RunFailure(.resolution(.definition), $0.message, at: $0.location)
        }
        // Otherwise it would be sent for the first item only, or for none.
        if node.failure == nil, goesThroughLoops, hasItemFiles(job.collection) {
            node.failure = job.collection.refusal(of: job.definition).map(RunFailure.init)
        }
        if node.failure == nil {
            do throws(RunFailure) {
                for demand in try demands(of: job, optional: &names) {
                    try add(demand, of: &node, optional: &optional)
                }
                keepOrder(of: .setUp, before: node)
                keepOrder(of: .need, before: node)
            } catch {
                node.failure = error
                node.edges = []
                if error.reason != .condition, !problems.contains(error) { problems.append(error) }
            }
        }
        path.removeLast()
        indices[key] = nodes.count
        let isItem = !job.iterations.isEmpty || job.definition.forEach?.source != nil
        if isItem { items[job.definition.id, default: []].append(nodes.count) }
        nodes.append(node)
        if !names.isEmpty { optional[nodes.count - 1] = names }
        return nodes.count - 1
    }

    private mutating func number(of place: RunMemory.Place) -> Int {
        if let number = places[place] { return number }
        places[place] = places.count
        return places.count - 1
    }

    /// Where a request is planned, unless it undoes others.
    func index(of request: RequestID, in place: RunMemory.Place) -> Int? {
        places[place].flatMap { indices[Key(place: $0, request: request)] }
    }

    private mutating func add(
        _ demand: Demand, of node: inout RunPlan.Node, optional: inout [Int: [String]]
    ) throws(RunFailure) {
        guard let definition = node.job.collection.shared(demand.request) else { return }
        let job = node.job.job(for: definition)
        // What was never sent isn't sent to be undone: of some items others are none.
        guard path.count < Self.longestPath else {
            throw RunFailure(
                .resolution(.cycle),
                "`\(path[0].request)` needs a request that needs another one, and so on, for more than \(Self.longestPath) of them",
                at: demand.location)
        }
        let planned = tearingDown == nil ? [] : self.places(of: demand.request, for: node.job).filter(\.isItem).map(\.node)
        let found = planned.isEmpty ? add(job, isSelected: false, demand.freshness, optional: &optional) : planned
        guard let places = found else {
            let circle = path.map(\.request).drop { $0 != demand.request } + [demand.request]
            throw RunFailure(
                .resolution(.cycle),
                "the requests need each other in a circle: \(circle.map(\.rawValue).joined(separator: " → "))", at: demand.location)
        }
        let isItem = !job.openLoops.isEmpty || definition.forEach?.source != nil
        if isItem, demand.reason == .response {
            throw RunFailure(
                .resolution(.definition),
                "`response()` of `\(node.id)` asks for one answer of `\(demand.request)`, which is sent once for each item of a `for-each`; "
                    + "take a list of what it captures, or put both into a folder that has the `for-each`",
                at: demand.location)
        }
        if demand.reason == .setUp {
            for index in places where !nodes[index].isSelected { nodes[index].step = .setUp }
        }
        for index in places {
            if let known = node.edges.firstIndex(where: { $0.node == index }) {
                node.edges[known].reasons.insert(demand.reason)
                node.edges[known].failsIfSkipped = node.edges[known].failsIfSkipped || demand.failsIfSkipped
            } else {
                node.edges.append(
                    RunPlan.Edge(
                        node: index, reasons: [demand.reason], isItem: isItem, failsIfSkipped: demand.failsIfSkipped,
                        location: demand.location))
            }
        }
    }

    /// `needs: [reset, seed]` is a list of steps: they go one after the other, also where several go at a time.
    private mutating func keepOrder(of reason: RunPlan.Reason, before node: RunPlan.Node) {
        // A step that is sent once for each item of a loop has several places.
        var steps: [[Int]] = []
        for place in node.edges.filter({ $0.reasons.contains(reason) }).map(\.node) {
            if let last = steps.last?.last, nodes[last].id == nodes[place].id {
                steps[steps.count - 1].append(place)
            } else {
                steps.append([place])
            }
        }
        for (earlier, later) in zip(steps, steps.dropFirst()) {
            for later in later {
                for earlier in earlier where earlier < later && !nodes[later].edges.contains(where: { $0.node == earlier }) {
                    nodes[later].edges.append(RunPlan.Edge(node: earlier, reasons: [.order]))
                }
            }
        }
    }

    private mutating func hasItemFiles(_ collection: RequestCollection) -> Bool {
        if let known = itemFilesAreKnown[ExactText(collection.path)] { return known }
        itemFilesAreKnown[ExactText(collection.path)] = collection.hasItemFiles
        return collection.hasItemFiles
    }

    // MARK: What a request takes

    private mutating func demands(of job: RunJob, optional: inout [String]) throws(RunFailure) -> [Demand] {
        let id = job.definition.id
        var demands = try setUps(for: job)
        for need in job.definition.needs {
            guard let request = job.collection.find(need.name, from: id), job.collection.request(request) != nil else {
                throw RunFailure(
                    .resolution(.definition), "`needs` names the request `\(need.name)`, which isn't there", at: need.location)
            }
            demands.append(
                Demand(
                    request: request, reason: .need, freshness: need.maxAge.map(RunPlan.Freshness.within) ?? .always,
                    failsIfSkipped: need.ifSkipped == .fail, location: need.location))
        }
        let isTearDown = tearingDown != nil
        let reads = finder(for: job).reads(of: job.definition)
        let collection = job.collection
        func captors(of name: String) -> [RequestID] { collection.requests(capturing: name).filter { $0 != id } }
        // What was never sent isn't sent to be undone.
        for response in reads.responses where !isTearDown || isPlanned(response.request, for: job) {
            demands.append(
                Demand(
                    request: response.request, reason: .response,
                    freshness: response.maxAge.map(RunPlan.Freshness.within) ?? .any, location: response.location))
        }
        optional = reads.given.filter { !captors(of: $0).isEmpty }
        for name in reads.names where !captured.contains(name.name) {
            let captors = captors(of: name.name)
            if name.isOptional {
                if !captors.isEmpty { optional.append(name.name) }
            } else if let captor = try captor(of: name, among: captors, for: job) {
                guard !isTearDown || isPlanned(captor, for: job) else {
                    throw RunFailure(
                        .condition, "`\(name.name)` was never captured: `\(captor)` isn't sent in this run", at: name.location)
                }
                demands.append(Demand(request: captor, reason: .capture(name.name), freshness: .any, location: name.location))
            }
        }
        return demands
    }

    /// The one of several requests that a variable comes from: the one that is needed anyway.
    private func captor(
        of name: TemplateReads.Name, among captors: [RequestID], for job: RunJob
    ) throws(RunFailure) -> RequestID? {
        guard captors.count > 1 else { return captors.first }
        let direct = Set(job.definition.needs.compactMap { job.collection.find($0.name, from: job.definition.id) })
        for needed in [direct, needed(by: direct, in: job.collection)] {
            let among = captors.filter(needed.contains)
            if among.count == 1 { return among[0] }
        }
        let list = captors.map { "`\($0)`" }
        throw RunFailure(
            .resolution(.definition),
            "the variable `\(name.name)` is captured by \(list.dropLast().joined(separator: ", ")) and \(list[list.count - 1]); "
                + "name the one that is meant in `needs`",
            at: name.location)
    }

    /// The requests themselves, and those that they need in turn.
    private func needed(by requests: Set<RequestID>, in collection: RequestCollection) -> Set<RequestID> {
        var all = requests
        var waiting = Array(requests)
        while let next = waiting.popLast() {
            for need in collection.request(next)?.needs ?? [] {
                if let id = collection.find(need.name, from: next), all.insert(id).inserted { waiting.append(id) }
            }
        }
        return all
    }

    private mutating func finder(for job: RunJob) -> TemplateReadsFinder {
        let key = ContextKey(job)
        if let finder = finders[key] { return finder }
        let finder = TemplateReadsFinder(job.collection, environment: job.environment, variables: key.given)
        finders[key] = finder
        return finder
    }

    /// A request that may use a variable goes after those that give it, when they come before it anyway.
    mutating func addOrder(to index: Int, _ names: [String]) {
        let node = nodes[index]
        let found = names.flatMap(node.job.collection.requests(capturing:)).flatMap { places(of: $0, for: node.job) }
        for (earlier, isItem) in found.sorted(by: { $0.node < $1.node }) {
            guard earlier < index, !nodes[index].edges.contains(where: { $0.node == earlier }) else { continue }
            nodes[index].edges.append(RunPlan.Edge(node: earlier, reasons: [.order], isItem: isItem))
        }
    }

    /// Where another request is planned for a job: once, or for each item of loops that the job isn't in.
    func places(of request: RequestID, for job: RunJob) -> [(node: Int, isItem: Bool)] {
        guard let definition = job.collection.shared(request) else { return [] }
        let other = job.job(for: definition)
        let isItem = !other.openLoops.isEmpty || definition.forEach?.source != nil
        guard isItem else { return index(of: request, in: other.place).map { [($0, false)] } ?? [] }
        return (items[request] ?? []).filter { index in
            let place = nodes[index].job.place
            return place.collection == other.place.collection && place.environment == other.place.environment
                && place.iterations.starts(with: other.place.iterations)
        }.map { ($0, true) }
    }
}
