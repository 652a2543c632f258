import FoundationEssentials
import RequestCollections

/// What a list needs of a run, in the columns of its row.
struct RunColumns: Codable {
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

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, date, collection, request, name, environment, method, url, outcome, status, error, attempts
        case durationInMicroseconds = "duration_us"
        case bodyBytes = "body_bytes"
    }

    func run(isBodyKept: Bool) -> HistoryRun {
        HistoryRun(
            id: id ?? 0, date: Date(timeIntervalSince1970: date), collection: collection, request: RequestID(rawValue: request),
            name: name, environment: environment, method: method, url: url,
            outcome: HistoryRun.Outcome(rawValue: outcome) ?? .failed, status: status, error: error,
            duration: durationInMicroseconds.map { .microseconds($0) }, attempts: attempts, bodyBytes: bodyBytes,
            isBodyKept: isBodyKept)
    }
}

/// What a list leaves out and a record has, in JSON.
struct RunContents: Codable {
    var definition: String
    var response: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case definition, response
    }
}
