import Base
import HTTPTypes
import NetworkLayer
import RequestCollections

/// A whole row as it is written.
struct RunRow {
    private let values: [SQLiteValue?]
    /// For the table `run_error`.
    private let errorType: String?
    /// For the table `run_note`.
    private let note: String?
    let bodyCount: Int

    init(_ finished: FinishedRun, longestBody: Int, _ texts: inout RunTexts) throws {
        let redactor = finished.redactor
        let kept = finished.response.info?.body ?? .none
        let contentType = finished.response.info?.head.headers[.contentType]
        var bodiless = finished.response
        bodiless.info?.body = .none
        // Credentials by their names and places first, also those that nobody said to be secret.
        let response = Redaction.standard.kept(redactor.response(bodiless))
        let metrics = response.metrics
        let sent = metrics.attempts.first?.request ?? response.originalRequest
        let body =
            kept.count > 0 && kept.count <= longestBody ? redactor.bytes(try kept.contents(), contentType: contentType) : nil
        bodyCount = body?.count ?? 0
        note = finished.note.map { redactor.text($0) }
        errorType = response.error?.type ?? (finished.complaint == nil ? nil : ExpectationResult.errorType)
        values = [
            .real((metrics.enqueuedDate ?? Date()).timeIntervalSince1970),
            .text(texts.path(of: finished.collection)),
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
            .text(try texts.definition(finished.definition, redactor)),
            .text(try RecordEncoder.text(response, redactor)),
            body.map { .bytes($0) },
        ]
    }

    private static let insertion = """
        INSERT INTO run (\(RunSummary.columns), definition, response, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// - Returns: the id of the row.
    func insert(into connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        try connection.execute(Self.insertion, values, keepsStatement: true)
        let id = connection.lastRow
        if let errorType {
            try connection.execute(
                "INSERT INTO run_error (run, type) VALUES (?, ?)", [.integer(id), .text(errorType)], keepsStatement: true)
        }
        if let note {
            try connection.execute(
                "INSERT INTO run_note (run, text) VALUES (?, ?)", [.integer(id), .text(note)], keepsStatement: true)
        }
        return id
    }
}

/// The texts that are the same in the rows of many runs, as they were made last.
struct RunTexts: Sendable {
    private var path: (given: String, text: String)?
    private var definition: (given: RequestDefinition, redactor: Redactor, text: String)?

    mutating func path(of collection: String) -> String {
        if let path, path.given == collection { return path.text }
        let text = Self.absolute(collection)
        path = (collection, text)
        return text
    }

    /// What is read later is read elsewhere.
    private static func absolute(_ path: String) -> String {
        URL(filePath: path).standardized.path(percentEncoded: false)
    }

    mutating func definition(_ definition: RequestDefinition, _ redactor: Redactor) throws -> String {
        if let known = self.definition, known.given == definition, known.redactor == redactor { return known.text }
        var paths: [String: String] = [:]
        let placed = definition.mappingLocations { location in
            guard !location.path.isEmpty else { return location }
            var location = location
            let path = paths[location.path] ?? Self.absolute(location.path)
            paths[location.path] = path
            location.path = path
            return location
        }
        let text = try RecordEncoder.text(placed.withoutCredentials, redactor)
        self.definition = (definition, redactor, text)
        return text
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
