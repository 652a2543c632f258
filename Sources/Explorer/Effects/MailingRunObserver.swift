import CollectionRunner
import NetworkLayer
import RequestCollections
import Synchronization

/// Tells the loop of runs that others need, and of what every run found out.
final class MailingRunObserver: RunObserver {
    private let mailbox: Mailbox
    private let operations: OperationTable
    /// The last reason why runs are not kept: each is shown once.
    private let historyProblem = Mutex<String?>(nil)

    init(mailbox: Mailbox, operations: OperationTable) {
        self.mailbox = mailbox
        self.operations = operations
    }

    /// Only for what the runner sends by itself: what another request needs, and repetitions. The rest is announced by the code that
    /// sends it.
    func willSend(_ run: PreparedRun) {
        operations.add(run)
        var sent = SentRequest(run.job)
        sent.isNeeded = run.isNeeded
        mailbox.post(.operationEnqueued(run.id, sent))
    }

    func didFinish(_ result: RunResult) {
        guard let operation = result.operation else { return }
        if result.definition.isWebSocket, let response = result.response { operations.keep(response, of: operation) }
        if operations.finish(operation, result.redactor), let response = result.response {
            mailbox.post(.responseReady(operation, result.redactor.response(response)))
        }
        if let number = result.historyID {
            mailbox.post(.runRecorded(operation, number))
            let isKeptAgain = historyProblem.withLock { problem in
                defer { problem = nil }
                return problem != nil
            }
            if isKeptAgain { mailbox.post(.notice(Notice(.info, "runs are kept again"))) }
        }
        if let problem = result.historyProblem, historyProblem.withLock({ $0 != problem }) {
            historyProblem.withLock { $0 = problem }
            mailbox.post(.notice(Notice(.warning, "this run isn't kept: \(problem)")))
        }
        let report = RunReport(result)
        // A single time of several has no expectations of its own.
        if result.isPoll { return mailbox.post(.runReported(operation, RunReport())) }
        if !report.isEmpty { mailbox.post(.runReported(operation, report)) }
    }
}

extension SentRequest {
    init(_ job: RunJob) {
        self.init(
            job.definition, in: job.collection.path, environment: job.environment,
            priority: job.definition.settings.priority ?? .normal)
    }
}

extension RunReport {
    init(_ result: RunResult) {
        let captured = result.captured.sorted { $0.key < $1.key }.map { name, captured in
            Captured(
                name: name, text: captured.isSecret ? Redactor.mask : result.redactor.text(captured.value.plainText))
        }
        // Without an answer there was nothing to look at: why it didn't come is said once, by the operation.
        let isAnswered = result.response.map { $0.info != nil } ?? true
        let seen = isAnswered ? result.expectations : result.expectations.filter { $0.isMet || $0.subject == .error }
        let lacksAnswer = !isAnswered && result.failure?.reason == .capture
        // The operation itself reports that it was cancelled.
        let failure = result.failure.flatMap { $0.reason == .cancelled || lacksAnswer ? nil : $0 }
        self.init(
            expectations: seen, captured: captured, failure: failure?.description,
            missing: failure?.reason == .capture ? failure?.variable : nil)
        unseen = result.expectations.count - seen.count
        queryErrors = result.unexpectedQueryErrors?.count ?? 0
    }
}
