import FoundationEssentials
import HTTPTypes
import NetworkLayer
import RequestCollections

/// A whole row as it is written.
struct RunRow {
    private let values: [SQLiteValue?]
    /// For the table `run_error`.
    private let errorType: String?
    let bodyCount: Int

    init(_ finished: FinishedRun, longestBody: Int) throws {
        // Credentials by their names and places first, also those that nobody said to be secret.
        let response = Redaction.standard.kept(finished.redactor.response(finished.response))
        let metrics = response.metrics
        let redactor = finished.redactor
        let sent = metrics.attempts.first?.request ?? response.originalRequest
        let kept = finished.response.info?.body ?? .none
        var bodiless = response
        bodiless.info?.body = .none
        let body = kept.count > 0 && kept.count <= longestBody ? redactor.bytes(try kept.contents()) : nil
        bodyCount = body?.count ?? 0
        errorType = finished.complaint == nil ? response.error?.type : ExpectationResult.errorType
        values = [
            .real((metrics.enqueuedDate ?? Date()).timeIntervalSince1970),
            .text(URL(filePath: finished.collection).standardized.path(percentEncoded: false)),
            .text(finished.definition.id.rawValue),
            finished.definition.name.map { .text($0) },
            finished.environment.map { .text($0) },
            .text(sent.method.rawValue),
            .text(redactor.text(sent.url.absoluteString)),
            .text(HistoryRun.Outcome(metrics.state, isGood: finished.complaint == nil).rawValue),
            metrics.attempts.last?.head.map { .integer(Int64($0.status.code)) },
            (finished.complaint ?? response.error?.message).map { .text(redactor.text($0)) },
            metrics.total.map { .integer($0.wholeMicroseconds) },
            .integer(Int64(metrics.attempts.count)),
            .integer(Int64(kept.count)),
            .text(try RedactedJSON.text(finished.definition.withoutCredentials, redactor)),
            .text(try RedactedJSON.text(bodiless, redactor)),
            body.map { .bytes($0) },
        ]
    }

    /// - Returns: the id of the row.
    func insert(into connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try connection.execute("INSERT INTO run (\(RunSummary.columns), definition, response, body) VALUES (\(marks))", values)
        let id = connection.lastRow
        if let errorType {
            try connection.execute("INSERT INTO run_error (run, type) VALUES (?, ?)", [.integer(id), .text(errorType)])
        }
        return id
    }
}

extension HistoryRun.Outcome {
    fileprivate init(_ state: RequestOperation.State, isGood: Bool) {
        self =
            switch state {
            case .succeeded: isGood ? .succeeded : .failed
            case .cancelled: .cancelled
            default: .failed
            }
    }
}
