import Base
import Dispatch
import NetworkLayer
package import RequestCollections
import Synchronization

/// Another process of this program that runs programs for jq: one for all of them, until one takes too long or takes it down.
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

    /// What is found in a body, in the order of the programs: all of them have the timeout together. Cancelling the task ends the process.
    package func ask(
        _ programs: [String], about body: BodyFilter.Body, limits: BodyFilter.Limits
    ) async -> [BodyAnswer] {
        await ask(programs, body as BodyFilter.Body?, limits)
    }

    /// What is wrong with programs themselves, whatever they are asked about.
    func complaints(about programs: [String], limits: BodyFilter.Limits = .init()) async -> [String: String] {
        var complaints: [String: String] = [:]
        for (program, answer) in zip(programs, await ask(programs, nil, limits)) {
            if case .failure(let error) = answer { complaints[program] = error.message }
        }
        return complaints
    }

    /// Together, as that is faster; when one of them is at fault, each alone. They have the timeout together: half of it for all, the other half for
    /// finding out which doesn't end.
    private func ask(_ programs: [String], _ body: BodyFilter.Body?, _ limits: BodyFilter.Limits) async -> [BodyAnswer] {
        guard !programs.isEmpty else { return [] }
        let clock = AnswerClock(limits.time * 2)
        switch await askOnce(programs, body, limits, limits.time) {
        case .success(let answers): return answers
        case .failure(let error) where programs.count == 1: return [.failure(error)]
        case .failure: break
        }
        var answers: [BodyAnswer] = []
        for program in programs {
            let share = clock.share(of: programs.count - answers.count)
            answers.append(await askOnce([program], body, limits, share).flatMap { $0[0] })
        }
        return answers
    }

    private func askOnce(
        _ programs: [String], _ body: BodyFilter.Body?, _ limits: BodyFilter.Limits, _ share: Duration
    ) async -> Result<[BodyAnswer], BodyFilterError> {
        let sheet = QuestionSheet(
            programs: programs, body: body, limit: limits.output, seconds: Int(min(limits.timeout / .seconds(1), 1e8)) + 5)
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
        guard share > .zero else { return .failure(BodyFilterError(sentence(about: .late, limits))) }
        guard program != nil else {
            guard let body = sheet.body else { return .success(Answering().complaints(about: sheet.programs)) }
            do throws(JSONFilterError) {
                return .success(
                    Answering().answers(to: sheet.programs, about: try body.contents(), limit: sheet.limit))
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
        let most = limits.output * max(2, sheet.programs.count)
        switch child.exchange(sheet.frame.bytes, until: SystemTimeSource.now + share, outputLimit: most) {
        case .answer(let bytes):
            guard let answers = QuestionFrame(bytes)?.answers(count: sheet.programs.count) else { break }
            return .success(answers)
        case .ended(let end):
            state.withLock { $0.child = nil }
            // It died while it had nothing to do, or of what was asked before: that is no fault of these questions.
            if !isNew, end.reason == .itself { return answers(to: sheet, limits, share) }
            return .failure(BodyFilterError(sentence(about: end.reason, limits)))
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

    private func sentence(about reason: ChildProcess.End.Reason, _ limits: BodyFilter.Limits) -> String {
        switch reason {
        case .late: "jq took longer than the \(limits.timeout / .seconds(1)) s that all filters of a response have together"
        case .cancelled: "jq was cancelled"
        case .tooLong: BodyFilterError.tooLong(limits.output).message
        // It exits when it can't get more memory, and aborts where it finds a fault of its own, as jq does in `1e20 | todate`.
        case .itself:
            "jq needed more than \(memory >> 20) MiB of memory or too many steps, or met a fault of its own, and was ended"
        }
    }
}

extension BodyFilterError {
    static let unanswered = BodyFilterError("it could not be asked")

    static func tooLong(_ limit: Int) -> BodyFilterError { BodyFilterError("what it finds is longer than \(limit >> 20) MiB") }
}

extension QuestionWorker {
    /// What is wrong with filters themselves, at the place of each.
    package func complaints(about placed: [(filter: JSONFilter, location: SourceLocation)]) async -> [CollectionProblem] {
        var programs: [String] = []
        // What is evaluated here is a program.
        for (filter, _) in placed where filter.language == .jq && PlainProgram(filter) == nil {
            if !programs.contains(where: { $0.hasBytes(of: filter.source) }) { programs.append(filter.source) }
        }
        let complaints = await complaints(about: programs)
        return placed.compactMap { filter, location in
            let complaint =
                if case .xpath(let expression) = filter.language { XMLText.complaint(about: expression) } else {
                    complaints[filter.source]
                }
            return complaint.map { CollectionProblem(location: location, message: "`\(filter.source)`: \($0)") }
        }
    }
}

/// One timeout for several that wait for it one after another.
struct AnswerClock {
    private let start = SystemTimeSource.now
    private let timeout: Duration

    init(_ timeout: Duration) { self.timeout = timeout }

    /// What each of so many may take of the rest.
    func share(of count: Int) -> Duration { max(.zero, timeout - (SystemTimeSource.now - start)) / max(1, count) }
}
