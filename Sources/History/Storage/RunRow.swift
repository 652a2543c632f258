import FoundationEssentials
import GRDB
import HTTPTypes
import NetworkLayer
import RequestCollections

/// A whole row as it is written.
struct RunRow: Encodable, MutablePersistableRecord {
    static let databaseTableName = RunSummary.databaseTableName

    private(set) var columns: RunColumns
    private let contents: RunContents
    let body: Data?

    private enum CodingKeys: String, CodingKey {
        case body
    }

    init(_ finished: FinishedRun, longestBody: Int) throws {
        // Credentials by their names and places first, also those that nobody said to be secret.
        let response = Redaction.standard.kept(finished.redactor.response(finished.response))
        let metrics = response.metrics
        let redactor = finished.redactor
        let sent = metrics.attempts.first?.request ?? response.originalRequest
        let kept = finished.response.info?.body ?? .none
        columns = RunColumns(
            date: (metrics.enqueuedDate ?? Date()).timeIntervalSince1970,
            collection: URL(filePath: finished.collection).standardized.path(percentEncoded: false),
            request: finished.definition.id.rawValue, name: finished.definition.name, environment: finished.environment,
            method: sent.method.rawValue, url: redactor.text(sent.url.absoluteString),
            outcome: HistoryRun.Outcome(metrics.state, isGood: finished.complaint == nil).rawValue,
            status: metrics.attempts.last?.head?.status.code,
            error: (finished.complaint ?? response.error?.message).map(redactor.text),
            durationInMicroseconds: metrics.total?.wholeMicroseconds, attempts: metrics.attempts.count,
            bodyBytes: Int64(kept.count))
        var bodiless = response
        bodiless.info?.body = .none
        contents = RunContents(
            definition: try RedactedJSON.text(finished.definition.withoutCredentials, redactor),
            response: try RedactedJSON.text(bodiless, redactor))
        body = kept.count > 0 && kept.count <= longestBody ? redactor.bytes(try kept.contents()) : nil
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { columns.id = inserted.rowID }

    func encode(to encoder: any Encoder) throws {
        try columns.encode(to: encoder)
        try contents.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(body, forKey: .body)
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
