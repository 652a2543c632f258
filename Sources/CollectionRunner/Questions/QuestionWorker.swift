import Base
import Dispatch
import NetworkLayer
package import RequestCollections
import Synchronization

/// Another process of this program that answers questions: one for all of them, until one takes too long or takes it down.
package final class QuestionWorker: Sendable {
    private let program: String?
    private let memory: Int
    /// One question sheet after another.
    private let queue = DispatchQueue(label: "turnstone.queue")
    private let state = Mutex(State())

    private struct State {
        var child: ChildProcess?
        /// The caller that is being answered.
        var asker: UUID?
        var isStopped = false
    }

    /// - Parameters:
    ///   - program: this program; `nil`: questions are answered in this process, however long that takes.
    ///   - memory: bytes that it may reserve.
    package init(program: String?, memory: Int = BodyFilter.Limits.defaultMemory) {
        self.program = program
        self.memory = memory
    }

    /// Ends what is being answered, and answers nothing more: whoever runs the program wants it to end.
    package func stop() {
        state.withLock { state in
            state.isStopped = true
            // Whoever asks after ``resume()`` gets another one.
            return state.child.take()
        }?.end(.cancelled)
    }

    /// Answers again.
    func resume() { state.withLock { $0.isStopped = false } }

    /// What is found in a body, in the order of the questions: all of them have the timeout together. Cancelling the task ends the process.
    package func ask(
        _ questions: [BodyQuestion], about body: BodyFilter.Body, limits: BodyFilter.Limits
    ) async -> [BodyAnswer] {
        await ask(questions, body as BodyFilter.Body?, limits)
    }

    /// What is wrong with programs themselves, whatever they are asked about.
    package func complaints(about questions: [BodyQuestion], limits: BodyFilter.Limits = .init()) async -> [BodyQuestion: String] {
        var complaints: [BodyQuestion: String] = [:]
        for (question, answer) in zip(questions, await ask(questions, nil, limits)) {
            if case .failure(let error) = answer { complaints[question] = error.message }
        }
        return complaints
    }

    private func ask(_ questions: [BodyQuestion], _ body: BodyFilter.Body?, _ limits: BodyFilter.Limits) async -> [BodyAnswer] {
        guard !questions.isEmpty else { return [] }
        var answers: [BodyAnswer] = questions.map { $0.refusal.map { .failure($0) } ?? .failure(.unanswered) }
        await ask(questions, questions.indices.filter { questions[$0].refusal == nil }, body, limits, into: &answers)
        return answers
    }

    /// Together, as that is faster; when one of them is at fault, its half again and again, until it is alone. They have the timeout
    /// together: one that isn't answered in its part of what is left has had it.
    private func ask(
        _ questions: [BodyQuestion], _ indices: [Int], _ body: BodyFilter.Body?, _ limits: BodyFilter.Limits,
        into answers: inout [BodyAnswer]
    ) async {
        let clock = AnswerClock(limits.time * 2)
        var open = indices.isEmpty ? [] : [indices[...]]
        while !open.isEmpty {
            let group = open.removeFirst()
            let share = clock.share(of: group.count, others: open.count, isFirst: group.count == indices.count)
            switch await askOnce(group.map { questions[$0] }, body, limits, share) {
            case .success(let found): for (index, answer) in zip(group, found) { answers[index] = answer }
            case .failure(let error) where group.count == 1 || Task.isCancelled:
                for index in group { answers[index] = .failure(error) }
            case .failure:
                let middle = group.startIndex + group.count / 2
                open += [group[..<middle], group[middle...]]
            }
        }
    }

    private func askOnce(
        _ questions: [BodyQuestion], _ body: BodyFilter.Body?, _ limits: BodyFilter.Limits, _ share: Duration
    ) async -> Result<[BodyAnswer], BodyFilterError> {
        let sheet = QuestionSheet(
            questions: questions, body: body, limit: limits.output, seconds: Int(min(limits.timeout / .seconds(1), 1e8)) + 5)
        let asker = UUID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    self.state.withLock { $0.asker = asker }
                    continuation.resume(returning: self.answers(to: sheet, limits, share))
                }
            }
        } onCancel: {
            // Others wait for it, too.
            state.withLock { $0.asker == asker ? $0.child : nil }?.end(.cancelled)
        }
    }

    /// Blocks. On the queue.
    private func answers(
        to sheet: QuestionSheet, _ limits: BodyFilter.Limits, _ share: Duration
    ) -> Result<[BodyAnswer], BodyFilterError> {
        if state.withLock({ $0.isStopped }) { return .failure(BodyFilterError("it was cancelled")) }
        let language = sheet.questions[0].language
        guard share > .zero else { return .failure(BodyFilterError(sentence(about: .late, language, limits))) }
        guard program != nil else {
            guard let body = sheet.body else { return .success(Answering().complaints(about: sheet.questions)) }
            do throws(JSONFilterError) {
                return .success(
                    Answering().answers(to: sheet.questions, about: try body.contents(), body.markup, limit: sheet.limit))
            } catch {
                return .failure(BodyFilterError(error.message))
            }
        }
        let child: ChildProcess
        let isNew = state.withLock { $0.child == nil }
        do throws(CommandError) {
            child = try running()
        } catch {
            return .failure(BodyFilterError("the process that answers questions \(error.predicate)"))
        }
        // Twice the limit, as each answer may have it, and a text in JSON is longer than itself.
        let most = limits.output * max(2, sheet.questions.count)
        switch child.exchange(sheet.frame.bytes, until: SystemTimeSource.now + share, outputLimit: most) {
        case .answer(let bytes):
            guard let answers = QuestionFrame(bytes)?.answers(count: sheet.questions.count) else { break }
            return .success(answers)
        case .ended(let end):
            state.withLock { $0.child = nil }
            // It died while it had nothing to do, or of what was asked before: that is no fault of these questions.
            if !isNew, end.reason == .itself { return answers(to: sheet, limits, share) }
            return .failure(BodyFilterError(sentence(about: end.reason, language, limits)))
        }
        state.withLock { $0.child = nil }
        return .failure(.unanswered)
    }

    private func running() throws(CommandError) -> ChildProcess {
        if let child = state.withLock({ $0.child }) { return child }
        // It gets none of our environment, since what it finds may be shown, kept and sent.
        let command = Command(
            [program ?? "", Answering.word], environment: [:], input: .conversation, memoryLimit: memory)
        let child = try ChildProcess(command)
        state.withLock { $0.child = child }
        return child
    }

    private func sentence(about reason: ChildProcess.End.Reason, _ language: BodyQuestion.Language, _ limits: BodyFilter.Limits)
        -> String
    {
        let name =
            switch language {
            case .jq: "jq"
            case .xpath: "XPath"
            case .regex, .regexIgnoringCase, .find, .findIgnoringCase: "it"
            }
        switch reason {
        case .late where language != .jq && language != .xpath: return RegexQuestion.lateness(limits.timeout)
        case .late:
            return "\(name) took longer than the \(limits.timeout / .seconds(1)) s that all filters of a response have together"
        case .cancelled: return "\(name) was cancelled"
        case .tooLong: return BodyFilterError.tooLong(limits.output).message
        // It exits when it can't get more memory, and aborts where it finds a fault of its own, as jq does in `1e20 | todate`.
        case .itself:
            return
                "\(name) needed more than \(memory >> 20) MiB of memory or too many steps, or met a fault of its own, and was ended"
        }
    }
}

extension BodyQuestion {
    /// What reaches out of the body.
    var refusal: BodyFilterError? {
        guard language == .jq, let name = JSONFilter(program).refusedName else { return nil }
        return BodyFilterError(
            "`\(name)` reaches out of the body, which a filter may not: into the environment, into files, or into the process")
    }
}

extension BodyFilterError {
    static let unanswered = BodyFilterError("it could not be asked")

    static func tooLong(_ limit: Int) -> BodyFilterError { BodyFilterError("what it finds is longer than \(limit >> 20) MiB") }
}

extension QuestionWorker {
    /// The same of filters, at the place of each.
    package func complaints(about placed: [(filter: JSONFilter, location: SourceLocation)]) async -> [CollectionProblem] {
        var questions: [BodyQuestion] = []
        // What is read here is a program.
        let unread = placed.filter { PlainProgram($0.filter) == nil }
        for question in unread.compactMap({ BodyQuestion($0.filter) }) where !questions.contains(question) {
            questions.append(question)
        }
        let complaints = await complaints(about: questions)
        return placed.compactMap { filter, location in
            BodyQuestion(filter).flatMap { complaints[$0] }.map {
                CollectionProblem(location: location, message: "`\(filter.source)`: \($0)")
            }
        }
    }
}

/// One timeout for several that wait for it one after another.
struct AnswerClock {
    private let start = SystemTimeSource.now
    private let timeout: Duration

    init(_ timeout: Duration) {
        self.timeout = timeout
    }

    /// What is left of it.
    var rest: Duration {
        max(.zero, timeout - (SystemTimeSource.now - start))
    }

    /// What each of so many may take of it.
    func share(of count: Int) -> Duration { .milliseconds(Int(rest / .milliseconds(max(1, count)))) }

    /// What a group of questions may take. All together get half of the time; the other half is for finding out which of them doesn't end,
    /// by halves.
    func share(of count: Int, others: Int, isFirst: Bool) -> Duration {
        let halvings = Int.bitWidth - count.leadingZeroBitCount - 1
        if isFirst { return rest / 2 }
        return rest / (others + 1 + halvings)
    }
}
