import Base
import CollectionRunner
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections

/// What `run` found out, without the requests themselves: those are reported one by one.
struct RunOutcome: Sendable {
    let started: Date
    /// What of the files couldn't be read, and so isn't among the requests.
    var unread: [CollectionProblem] = []
    var duration = Duration.zero
    var stop: Stop?
    /// With `--no-skips`.
    var failsSkips = false
    private(set) var counts: [Verdict: Int] = [:]
    /// How many passed with a status of 400 or more that nothing was expected about.
    private(set) var doubtful = (statuses: 0, errors: 0)
    /// How often each request is sent; `nil`: once.
    let load: LoadPlan?
    /// The figures of each request that was asked for, in the order in which they ended first; empty without ``load``.
    private(set) var figures: [(name: String, figures: LoadFigures)] = []
    private var places: [String: Int] = [:]
    /// The names of those that have due times.
    private var dueNames: Set<String> = []
    /// The first in the plan's order.
    private var failure: (index: Int, status: ExitStatus)?

    init(started: Date, load: LoadPlan? = nil) {
        self.started = started
        self.load = load
    }

    /// - Parameters:
    ///   - index: its place in the plan.
    ///   - due: when it was to be sent, in a load with a rate.
    ///   - hasWaited: for a free place.
    mutating func add(_ entry: Entry, at index: Int, due: MonotonicTime? = nil, hasWaited: Bool = false) {
        let verdict = entry.verdict
        counts[verdict, default: 0] += 1
        if entry.isDoubtful { if entry.result?.unexpectedStatus != nil { doubtful.statuses += 1 } else { doubtful.errors += 1 } }
        if [.failed, .broken, .blocked].contains(verdict), index < failure?.index ?? .max { failure = (index, entry.exitStatus) }
        guard load != nil, !entry.isNeeded, ![.notSent, .stopped, .skipped].contains(verdict) else { return }
        let name = entry.job.definition.id.rawValue
        let place = places[name] ?? figures.count
        if place == figures.count {
            places[name] = place
            figures.append((name, LoadFigures()))
        }
        if due != nil { dueNames.insert(name) }
        if hasWaited { figures[place].figures.waited += 1 }
        let isGood = verdict == .passed && !entry.isDoubtful
        if let metrics = entry.result?.response?.metrics, let sample = LoadSample(metrics, due: due, isGood: isGood) {
            figures[place].figures.add(sample)
        } else {
            figures[place].figures.fail("not sent")
        }
    }

    /// Turns that were due and never begun.
    mutating func addUnsent(_ count: Int) {
        for name in dueNames {
            if let place = places[name] { figures[place].figures.leave(count) }
        }
    }

    struct Entry: Sendable {
        var job: RunJob
        /// `nil`: it was not begun, and ``stop`` says why.
        let result: RunResult?
        let stop: Stop?
        /// Nobody asked for it: others need it.
        let isNeeded: Bool
        let step: RunPlan.Step?
        /// Whether others can't be sent without its answer, whoever asked for it.
        let isDemanded: Bool
        /// The requests that aren't sent because they take what this one didn't capture.
        var consumers: [RequestID] = []
        /// Its status would be no failure of its own; but those that need it have nothing to go on with, and somebody has to be the one to
        /// look at.
        private let lacksUsableAnswer: Bool
        /// Stored, because it is looked at many times.
        let verdict: Verdict

        /// - Parameter isStrict: with `--fail`, a status of 400 or more that nobody expected is a failure.
        init(
            job: RunJob, result: RunResult?, stop: Stop? = nil, isNeeded: Bool = false, step: RunPlan.Step? = nil,
            isDemanded: Bool = false, isStrict: Bool = false
        ) {
            self.job = job
            self.result = result
            self.stop = stop
            self.isNeeded = isNeeded
            self.step = step
            self.isDemanded = isDemanded
            let lacksAnswer = (isDemanded || isStrict) && result?.isPassed == true && result?.isUsable == false
            lacksUsableAnswer = lacksAnswer
            verdict = result.map { Verdict($0, stop: stop, lacksUsableAnswer: lacksAnswer) } ?? .notSent
        }
    }

    /// Why not everything was begun that was planned.
    enum Stop: String, Sendable {
        /// With `--fail-fast`.
        case failure = "another request failed"
        /// Ctrl-C, SIGTERM, or a terminal that was closed.
        case interrupt = "the run was interrupted"
    }

    enum Verdict: String, Sendable, CaseIterable {
        case passed
        /// An expectation wasn't met.
        case failed
        /// Something else went wrong: no response, nothing captured, not even sent.
        case broken
        /// Not sent, since a request that it needs failed: that one's failure is the one to look at.
        case blocked
        /// Its `when` doesn't hold.
        case skipped
        /// It wasn't begun, because the run was stopped before.
        case notSent = "not-sent"
        /// Sent, and cancelled before all of its answer was there.
        case stopped
    }

    /// One reason why a request hasn't passed. It holds no secrets.
    struct Cause: Sendable {
        var text: String
        var location: SourceLocation?
        /// A line each.
        var evidence: [String]
        private var redactor: Redactor

        init(_ text: String, at location: SourceLocation? = nil, evidence: [String] = [], hiding redactor: Redactor = Redactor()) {
            self.text = text
            self.location = location
            self.evidence = evidence
            self.redactor = redactor
        }

        /// The line of the file, as it is now; nothing where it can't be read.
        var excerpt: [String] { location.flatMap { SourceExcerpt(of: $0) }?.lines(hiding: redactor) ?? [] }
    }

    /// The first of several failures counts; an unmet expectation is 1 whatever else there was, but for an interrupt: that is
    /// told even when all that was left to do was to undo.
    var exitStatus: ExitStatus { stop == .interrupt ? .cancelled : statusOfEntries }

    var isAllSkipped: Bool { counts[.skipped] != nil && counts.count == 1 }

    private var statusOfEntries: ExitStatus {
        if counts[.failed] != nil || failsSkips && counts[.skipped] != nil { return .expectationFailed }
        return failure?.status ?? (counts[.notSent] != nil || counts[.stopped] != nil ? .cancelled : .success)
    }
}

extension RunOutcome.Verdict {
    fileprivate init(_ result: RunResult, stop: RunOutcome.Stop?, lacksUsableAnswer: Bool) {
        let isCancelled = result.response?.metrics.state == .cancelled || result.failure?.reason == .cancelled
        if stop != nil, isCancelled {
            self = result.wasSent ? .stopped : .notSent
        } else if result.isPassed {
            self = lacksUsableAnswer ? .failed : .passed
        } else {
            switch result.failure?.reason {
            case .need: self = .blocked
            case .condition: self = .skipped
            case .until, .demand: self = .failed
            default: self = (result.response?.error == nil || result.expectsError) && !result.unmet.isEmpty ? .failed : .broken
            }
        }
    }
}

extension RunOutcome.Entry {
    init(_ plan: RunPlan, _ index: Int, result: RunResult?, stop: RunOutcome.Stop? = nil, isStrict: Bool = false) {
        let node = plan.nodes[index]
        self.init(
            job: node.job, result: result, stop: stop, isNeeded: !node.isSelected, step: node.step,
            isDemanded: plan.isDemanded(index), isStrict: isStrict)
        if let failure = result?.failure, failure.reason == .capture, isDemanded, let name = failure.variable {
            consumers = plan.consumers(of: name, from: index)
        }
    }

    /// Passed, with a status of 400 or more, or errors of a query in GraphQL, of which nothing was said.
    var isDoubtful: Bool { verdict == .passed && (result?.unexpectedStatus != nil || result?.unexpectedQueryErrors != nil) }

    /// An item may be a secret of the request.
    var title: String { masked(job.title) }

    var iterationName: String? { job.iterationName.map(masked) }

    private func masked(_ text: String) -> String { result.map { $0.redactor.text(text) } ?? text }

    /// The duration, including every poll of `until` and the pauses between them.
    var duration: Duration? { result?.polling?.elapsed ?? result?.response?.metrics.total }

    var status: HTTPResponse.Status? { result?.response?.info?.head.status }

    /// Why it isn't passed: a sentence each, with the place where there is one. Without secrets.
    var reasons: [String] { causes.map(\.text) }

    /// The same with what shows it.
    var causes: [RunOutcome.Cause] {
        let end = (stop ?? .failure).rawValue
        guard let result, verdict != .notSent else { return [RunOutcome.Cause("not sent, since \(end)")] }
        if verdict == .stopped {
            let cancelled = "cancelled, since \(end); it was sent, and may have been acted on"
            return ([cancelled] + [result.errorSentence].compactMap(\.self)).map { RunOutcome.Cause($0) }
        }
        var causes: [RunOutcome.Cause] = []
        if lacksUsableAnswer, let status = result.unexpectedStatus {
            causes.append(
                RunOutcome.Cause(
                    isDemanded
                        ? "its status was \(status.code), and others need its answer; an expected `status` says that it may be"
                        : "its status was \(status.code); an expected `status` says that it may be"))
        }
        if lacksUsableAnswer, let sentence = queryErrorsSentence {
            causes.append(
                RunOutcome.Cause(
                    "its answer has \(sentence); an expectation about `.errors` says that it may", hiding: result.redactor))
        }
        func cause(_ unmet: ExpectationResult) -> RunOutcome.Cause {
            RunOutcome.Cause(unmet.description, at: unmet.location, evidence: unmet.evidence, hiding: result.redactor)
        }
        let failure = result.failure.map { failure in
            RunOutcome.Cause(
                failure.description, at: failure.location, evidence: failure.evidence + consumersLine, hiding: result.redactor)
        }
        // Without a response nothing was found, and everything expected is missing: the error says more, unless one was expected.
        if let error = result.errorSentence, !result.expectsError, let response = result.response {
            causes += failure.map { [$0] } ?? []
            guard result.failure?.reason != .cancelled else { return causes }
            return causes + [
                MissingAnswer(
                    sentence: error, response: response, location: job.definition.location, redactor: result.redactor
                ).cause
            ] + result.unmet.filter { if case .step = $0.subject { true } else { false } }.map(cause)
        }
        let unmet = result.unmet.map(cause)
        // An answer that isn't as expected is why nothing can be captured of it.
        if result.failure?.reason == .capture { return causes + unmet + (failure.map { [$0] } ?? []) }
        return causes + (failure.map { [$0] } ?? []) + unmet
    }

    /// `2 errors: no such field`, of the answer to a query in GraphQL; without secrets.
    var queryErrorsSentence: String? {
        guard let result, let errors = result.queryErrors else { return nil }
        let first = errors.first.map { ": " + String(result.redactor.text($0).unicodeScalars.prefix(200)) } ?? ""
        return Figures.count(errors.count, "error") + first
    }

    /// `needed by: pay, cancel (not sent)`
    private var consumersLine: [String] {
        guard !consumers.isEmpty else { return [] }
        let names = consumers.prefix(4).map(\.rawValue).joined(separator: ", ")
        return ["needed by: \(names)\(consumers.count > 4 ? " and \(consumers.count - 4) more" : "") (not sent)"]
    }

    /// `poll 3 at 2s: 200, body .state running`; none for what is sent once. Of very many the first and the last.
    var pollLines: [String] {
        guard let polls = result?.polling?.polls, polls.count > 1 else { return [] }
        let lines = polls.enumerated().map { number, poll in
            let status = poll.status.map { "\($0.code), " } ?? ""
            return "poll \(number + 1) at \(Figures.duration(poll.start)): \(status)\(result?.redactor.text(poll.found) ?? "")"
        }
        guard lines.count > 100 else { return lines }
        return lines.prefix(50) + ["… \(lines.count - 100) more …"] + lines.suffix(50)
    }

    var exitStatus: ExitStatus {
        if verdict == .failed { return .expectationFailed }
        if let failure = result?.failure, result?.response?.error == nil || failure.reason == .cancelled {
            switch failure.reason {
            case .cancelled: return .cancelled
            case .capture: return .template
            case .save: return .file
            case .until, .demand: return .expectationFailed
            case .need: return needStatus ?? .template
            case .condition: return .success
            case .resolution(let code):
                switch code {
                case .environment, .definition, .cycle, .url: return .usage
                case .secret, .authentication: return .authentication
                case .file: return .file
                case .notAllowed: return .notAllowed
                case .template, .condition, .variable, .unmet, .header, .body, .unsupported: return .template
                }
            }
        }
        return result?.response?.error.map { ExitStatus($0) } ?? .expectationFailed
    }

    /// The status of the needed request that failed, which is why this one failed, too.
    private var needStatus: ExitStatus? {
        guard let needed = result?.needed.first(where: { !$0.isUsable }) else { return nil }
        let status = RunOutcome.Entry(job: job, result: needed).exitStatus
        return status == .success ? nil : status
    }
}
