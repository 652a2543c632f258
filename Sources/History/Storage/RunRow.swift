import Base
import HTTPTypes
import NetworkLayer
import RequestCollections

/// A whole row as it is written, with the record that it refers to.
struct RunRow {
    private let record: RunRecord
    private let values: [SQLiteValue?]
    let bodyCount: Int

    init(_ finished: FinishedRun, longestBody: Int, _ records: inout RunRecords) throws {
        let (redactor, metrics) = (finished.redactor, finished.response.metrics)
        let kept = finished.response.info?.body ?? .none
        let contentType = finished.response.info?.head.headers[.contentType]
        let body =
            kept.count > 0 && kept.count <= longestBody ? redactor.bytes(try kept.contents(), contentType: contentType) : nil
        bodyCount = body?.count ?? 0
        var response = finished.response
        response.info?.body = .none
        var numbers: [Int64] = []
        numbers.reserveCapacity(64)
        response.metrics.exchangeNumbers { number in
            numbers.append(number.littleEndian)
            number = 0
        }
        record = try records.record(of: finished, answeredLike: response)
        values = [
            .real((metrics.enqueuedDate ?? Date()).timeIntervalSince1970),
            .text(HistoryRun.Outcome(metrics.state, isGood: finished.complaint == nil).rawValue),
            metrics.attempts.last?.head.map { .integer(Int64($0.status.code)) },
            (finished.complaint ?? response.error?.message).map { .text(redactor.text($0)) },
            (response.error?.type ?? (finished.complaint == nil ? nil : ExpectationResult.errorType)).map { .text($0) },
            finished.note.map { .text(redactor.text($0)) },
            metrics.total.map { .integer($0.wholeMicroseconds) },
            .integer(Int64(metrics.attempts.count)),
            .integer(Int64(kept.count)),
            .bytes(numbers.withUnsafeBytes { Data($0) }),
            body.map { .bytes($0) },
            .integer(record.id),
        ]
    }

    private static let insertion = """
        INSERT INTO run (record, date, outcome, status, error, error_type, note, duration_us, attempts, body_bytes, numbers, body)
        SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM record WHERE id = ?
        """

    /// Writes the record too, unless it is there: runs before may have brought it, and it goes with the last run that has it.
    ///
    /// - Returns: the id of the row.
    func insert(into connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        try connection.execute(Self.insertion, values, keepsStatement: true)
        if connection.changes == 0 {
            try record.insert(into: connection)
            try connection.execute(Self.insertion, values, keepsStatement: true)
        }
        return connection.lastRow
    }
}

/// What the runs of a request share that are answered alike: everything but the numbers. It is written once.
struct RunRecord: Sendable {
    /// At random, so that it never stands for another record, whoever writes and deletes.
    let id = Int64.random(in: 1...Int64.max)
    private let definition: RequestDefinition
    private let collection: String
    private let environment: String?
    private let redactor: Redactor
    private let response: Response
    /// The definition's.
    private let text: String
    private let values: [SQLiteValue?]

    /// - Parameters:
    ///   - response: has no body, and 0 for each number.
    ///   - earlier: may have the definition's text already.
    fileprivate init(_ finished: FinishedRun, _ response: Response, earlier: RunRecord?) throws {
        let (definition, redactor) = (finished.definition, finished.redactor)
        (self.definition, collection, environment) = (definition, finished.collection, finished.environment)
        (self.redactor, self.response) = (redactor, response)
        // Credentials by their names and places first, also those that nobody said to be secret.
        let kept = Redaction.standard.kept(redactor.response(response))
        let sent = kept.metrics.attempts.first?.request ?? kept.originalRequest
        let known = earlier.flatMap { $0.definition == definition && $0.redactor == redactor ? $0.text : nil }
        let text = try known ?? Self.text(definition, redactor)
        self.text = text
        values = [
            .integer(id), .text(Self.absolute(collection)), .text(definition.id.rawValue), definition.name.map { .text($0) },
            environment.map { .text($0) }, .text(sent.method.rawValue), .text(redactor.text(sent.url.absoluteString)), .text(text),
            .text(try RecordEncoder.text(kept, redactor)),
        ]
    }

    private static func text(_ definition: RequestDefinition, _ redactor: Redactor) throws -> String {
        var paths: [String: String] = [:]
        let placed = definition.mappingLocations { location in
            guard !location.path.isEmpty else { return location }
            var location = location
            let path = paths[location.path] ?? absolute(location.path)
            paths[location.path] = path
            location.path = path
            return location
        }
        return try RecordEncoder.text(placed.withoutCredentials, redactor)
    }

    /// What is read later is read elsewhere.
    private static func absolute(_ path: String) -> String {
        URL(filePath: path).standardized.path(percentEncoded: false)
    }

    fileprivate func isSame(_ finished: FinishedRun, _ other: Response) -> Bool {
        let (info, others) = (response.info, other.info)
        return response.metrics == other.metrics && definition == finished.definition && redactor == finished.redactor
            && collection == finished.collection && environment == finished.environment
            && response.originalRequest == other.originalRequest && response.error == other.error
            && (info?.finalRequest, info?.head, info?.retryAfter, info?.source, info?.hash)
                == (others?.finalRequest, others?.head, others?.retryAfter, others?.source, others?.hash)
    }

    func insert(into connection: SQLiteConnection) throws(SQLiteError) {
        try connection.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values, keepsStatement: true)
    }
}

/// The latest records of the latest requests: one that waits for a place is answered in other steps than one that doesn't.
struct RunRecords: Sendable {
    private var known: [RequestID: [RunRecord]] = [:]

    /// Each record takes some 10 KB.
    private static let mostRequests = 256
    private static let mostOfOne = 3

    mutating func record(of finished: FinishedRun, answeredLike response: Response) throws -> RunRecord {
        let earlier = known[finished.definition.id] ?? []
        if let same = earlier.first(where: { $0.isSame(finished, response) }) { return same }
        let record = try RunRecord(finished, response, earlier: earlier.last)
        if known.count >= Self.mostRequests { known = [:] }
        known[finished.definition.id] = earlier.suffix(Self.mostOfOne - 1) + [record]
        return record
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
