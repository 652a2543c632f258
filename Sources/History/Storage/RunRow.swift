import FoundationEssentials
import GRDB
import HTTPTypes
import NetworkLayer
import RequestCollections

/// What the columns of a list hold.
struct RunSummary: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "run"

    var id: Int64?
    /// Seconds since 1970.
    var date: Double
    var collection: String
    var request: String
    var name: String?
    var environment: String?
    var method: String
    var url: String
    var outcome: String
    var status: Int?
    var error: String?
    var durationInMicroseconds: Int64?
    var attempts: Int
    var bodyBytes: Int64
    var isBodyKept: Bool

    enum CodingKeys: String, CodingKey {
        case id, date, collection, request, name, environment, method, url, outcome, status, error, attempts
        case durationInMicroseconds = "duration_us"
        case bodyBytes = "body_bytes"
        case isBodyKept = "body_kept"
    }

    static var databaseSelection: [any SQLSelectable] {
        [
            Column("id"), Column("date"), Column("collection"), Column("request"), Column("name"), Column("environment"),
            Column("method"), Column("url"), Column("outcome"), Column("status"), Column("error"), Column("duration_us"),
            Column("attempts"), Column("body_bytes"), (Column("body") != nil).forKey("body_kept"),
        ]
    }

    static func matching(_ query: HistoryQuery) -> QueryInterfaceRequest<RunSummary> {
        var request = RunSummary.order(Column("id").desc).limit(query.limit)
        if let collection = query.collection { request = request.filter(Column("collection") == collection) }
        if let outcome = query.outcome { request = request.filter(Column("outcome") == outcome.rawValue) }
        if let status = query.status {
            let codes = status < 10 ? status * 100...status * 100 + 99 : status...status
            request = request.filter(codes.contains(Column("status")))
        }
        if let since = query.since { request = request.filter(Column("date") >= since.timeIntervalSince1970) }
        if let before = query.before { request = request.filter(Column("id") < before) }
        if let text = query.text, !text.isEmpty {
            let escaped = text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
            let columns = ["request", "name", "url"].map { Column($0).like("%\(escaped)%", escape: "\\") }
            request = request.filter(columns.joined(operator: .or))
        }
        return request
    }

    var run: HistoryRun {
        HistoryRun(
            id: id ?? 0, date: Date(timeIntervalSince1970: date), collection: collection, request: RequestID(rawValue: request),
            name: name, environment: environment, method: method, url: url,
            outcome: HistoryRun.Outcome(rawValue: outcome) ?? .failed, status: status, error: error,
            duration: durationInMicroseconds.map { .microseconds($0) }, attempts: attempts, bodyBytes: bodyBytes,
            isBodyKept: isBodyKept)
    }
}

/// A whole row, its body only when it is written.
struct RunRow: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "run"

    var id: Int64?
    var date: Double
    var collection: String
    var request: String
    var name: String?
    var environment: String?
    var method: String
    var url: String
    var outcome: String
    var status: Int?
    var error: String?
    var durationInMicroseconds: Int64?
    var attempts: Int
    var bodyBytes: Int64
    /// JSON.
    var definition: String
    /// JSON.
    var response: String
    var body: Data?

    enum CodingKeys: String, CodingKey {
        case id, date, collection, request, name, environment, method, url, outcome, status, error, attempts, definition, response,
            body
        case durationInMicroseconds = "duration_us"
        case bodyBytes = "body_bytes"
    }

    mutating func didInsert(_ inserted: InsertionSuccess) {
        id = inserted.rowID
    }

    init(_ finished: FinishedRun, longestBody: Int) throws {
        let response = finished.response
        let metrics = response.metrics
        let redactor = finished.redactor
        date = (metrics.enqueuedDate ?? Date()).timeIntervalSince1970
        collection = URL(filePath: finished.collection).standardized.path(percentEncoded: false)
        request = finished.definition.id.rawValue
        name = finished.definition.name
        environment = finished.environment
        let sent = metrics.attempts.first?.request ?? response.originalRequest
        method = sent.method.rawValue
        url = redactor.text(sent.url.absoluteString)
        outcome =
            switch metrics.state {
            case .succeeded: HistoryRun.Outcome.succeeded.rawValue
            case .cancelled: HistoryRun.Outcome.cancelled.rawValue
            default: HistoryRun.Outcome.failed.rawValue
            }
        status = metrics.attempts.last?.head?.status.code
        error = response.error.map { redactor.text($0.message) }
        durationInMicroseconds = metrics.total.map { Int64($0 / .microseconds(1)) }
        attempts = metrics.attempts.count
        let kept = response.info?.body ?? .none
        bodyBytes = Int64(kept.count)
        body = kept.count > 0 && kept.count <= longestBody ? redactor.bytes(try kept.contents()) : nil
        definition = try RedactedJSON.text(finished.definition, redactor)
        var bodiless = response
        bodiless.info?.body = .none
        self.response = try RedactedJSON.text(bodiless, redactor)
    }

    var record: HistoryRecord {
        get throws {
            let decoder = JSONDecoder()
            return HistoryRecord(
                run: summary.run, definition: try decoder.decode(RequestDefinition.self, from: Data(definition.utf8)),
                response: try decoder.decode(Response.self, from: Data(response.utf8)))
        }
    }

    private var summary: RunSummary {
        RunSummary(
            id: id, date: date, collection: collection, request: request, name: name, environment: environment, method: method,
            url: url, outcome: outcome, status: status, error: error, durationInMicroseconds: durationInMicroseconds,
            attempts: attempts, bodyBytes: bodyBytes, isBodyKept: body != nil)
    }
}
