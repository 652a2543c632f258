import CollectionRunner
import RequestCollections
import Synchronization

/// Asks the person in front of the explorer: its questions are mail to the loop, and the answers are effects.
final class MailingPrompter: Prompter {
    private let mailbox: Mailbox
    private let state = Mutex(State())

    private struct State {
        var count = 0
        var waiting: [Int: CheckedContinuation<QuestionAnswer, Never>] = [:]
        /// What ends sign-ins.
        var signIns: [Int: (notice: SignInNotice, decline: @Sendable () -> Void)] = [:]
        var isClosed = false
    }

    init(mailbox: Mailbox) {
        self.mailbox = mailbox
    }

    func ask(_ prompt: PromptRequirement) async throws(PromptError) -> String {
        try await answer(
            to: prompt.message, .text(proposal: prompt.defaultText ?? "", isSecret: prompt.isSecret))
    }

    func choose(_ select: SelectRequirement) async throws(PromptError) -> String {
        try await answer(to: select.message, .choice(options: select.options, proposal: select.defaultText))
    }

    func show(_ notice: SignInNotice, decline: @escaping @Sendable () -> Void) async throws(PromptError) {
        let id = state.withLock { state in
            state.count += 1
            state.signIns[state.count] = (notice, decline)
            return state.count
        }
        let code = notice.code.map { ["", "The code to enter there:", $0] } ?? []
        mailbox.post(
            .questionAsked(
                Question(
                    id: id, message: "Sign in for \(notice.server) in a browser:",
                    form: .signIn(lines: [notice.url] + code, url: notice.url))))
    }

    func hide(_ notice: SignInNotice) async {
        let ids = state.withLock { state in
            let ids = state.signIns.filter { $0.value.notice == notice }.map(\.key)
            for id in ids { state.signIns[id] = nil }
            return ids
        }
        for id in ids { mailbox.post(.questionWithdrawn(id)) }
    }

    /// What the person said.
    func deliver(_ answer: QuestionAnswer, to id: Int) {
        let (continuation, signIn) = state.withLock { state in
            (state.waiting.removeValue(forKey: id), state.signIns.removeValue(forKey: id))
        }
        continuation?.resume(returning: answer)
        signIn?.decline()
    }

    /// Ends all questions: nobody is there to answer them any more.
    func close() {
        let ids = state.withLock { state in
            state.isClosed = true
            return Array(state.waiting.keys) + Array(state.signIns.keys)
        }
        for id in ids { deliver(.declined, to: id) }
    }

    private func answer(
        to message: String, _ form: Question.Form, details: [String] = []
    ) async throws(PromptError) -> String {
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let isOver = state.isClosed || Task.isCancelled
                    if !isOver { state.waiting[id] = continuation }
                    return isOver
                }
                if isOver {
                    continuation.resume(returning: .declined)
                } else {
                    mailbox.post(.questionAsked(Question(id: id, message: message, details: details, form: form)))
                }
            }
        } onCancel: {
            deliver(.declined, to: id)
            mailbox.post(.questionWithdrawn(id))
        }
        guard case .text(let text) = answer else { throw PromptError("`\(message)` was not answered") }
        return text
    }
}

extension MailingPrompter: TrustAsker {
    func ask(about review: TrustReview) async -> TrustAnswer {
        let details = review.rows.flatMap { row in
            ["\(row.mark)  \(row.noted.want.kind)  \(row.noted.want.subject)", "    \(row.details.joined(separator: "   "))"]
        }
        let answers: [(title: String, answer: TrustAnswer)] = [
            ("Refuse", .refuse), ("Allow these once", .once), ("Allow these from now on", .these),
            ("Never, and don't ask again", .never),
        ]
        do throws(PromptError) {
            let chosen = try await answer(
                to: "\(review.name) wants what you have not allowed. Nothing was run, read or sent for it so far:",
                .choice(options: answers.map(\.title), proposal: answers[0].title), details: details)
            guard let answer = answers.first(where: { $0.title == chosen })?.answer else { return .refuse }
            guard answer == .once || answer == .these else { return answer }
            for host in review.changedHosts {
                let typed = try await self.answer(
                    to: "A secret would go to a server that did not get it before. Type its name to allow it:",
                    .text(proposal: "", isSecret: false), details: details)
                guard typed == host else { return .refuse }
            }
            return answer
        } catch {
            return .refuse
        }
    }
}
