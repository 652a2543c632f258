import Base
import NetworkLayer
package import RequestCollections

/// What a list needs of a run, in the columns of its row.
enum RunSummary {
    /// What ``run(_:)`` reads, in its order.
    static let selection = """
        run.id, date, collection, request, name, environment, method, url, outcome, status, error, error_type, note, duration_us, attempts,
        body_bytes, body IS NOT NULL
        """
    /// The first column behind them.
    static let columnCount: Int32 = 17
    static let tables = "run JOIN record ON record.id = run.record"

    static func run(_ row: SQLiteRow) -> HistoryRun {
        HistoryRun(
            id: row.integer(0) ?? 0, date: Date(timeIntervalSince1970: row.real(1) ?? 0), collection: row.text(2) ?? "",
            request: RequestID(rawValue: row.text(3) ?? ""), name: row.text(4), environment: row.text(5), method: row.text(6) ?? "",
            url: row.text(7) ?? "", outcome: HistoryRun.Outcome(rawValue: row.text(8) ?? "") ?? .failed,
            status: row.integer(9).map { Int($0) }, error: row.text(10), errorType: row.text(11),
            duration: row.integer(13).map { .microseconds($0) },
            attempts: Int(row.integer(14) ?? 0), bodyBytes: row.integer(15) ?? 0, isBodyKept: row.integer(16) == 1,
            note: row.text(12))
    }

    static func matching(_ query: HistoryQuery, _ connection: SQLiteConnection) throws(SQLiteError) -> [HistoryRun] {
        var conditions = ["TRUE"]
        var values: [SQLiteValue] = []
        func require(_ condition: String, _ arguments: SQLiteValue...) {
            conditions.append(condition)
            values += arguments
        }
        if let collection = query.collection { require("collection = ?", .text(collection)) }
        if let outcome = query.outcome { require("outcome = ?", .text(outcome.rawValue)) }
        if let status = query.status {
            let codes = status < 10 ? status * 100...status * 100 + 99 : status...status
            require("status BETWEEN ? AND ?", .integer(Int64(codes.lowerBound)), .integer(Int64(codes.upperBound)))
        }
        if let since = query.since { require("date >= ?", .real(since.timeIntervalSince1970)) }
        if let before = query.before { require("run.id < ?", .integer(before)) }
        if let text = query.text, !text.isEmpty {
            let pattern = SQLiteValue.text("%\(text.escaping("\\", "%", "_"))%")
            require(#"(request LIKE ? ESCAPE '\' OR name LIKE ? ESCAPE '\' OR url LIKE ? ESCAPE '\')"#, pattern, pattern, pattern)
        }
        return try connection.rows(
            """
            SELECT \(selection) FROM \(tables) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY run.id DESC LIMIT \(query.limit)
            """, values, run)
    }
}

extension HistoryRecord {
    /// Everything of a row but the body, which is read by itself.
    static func find(_ id: Int64, _ connection: SQLiteConnection) throws -> HistoryRecord? {
        let found = try connection.rows(
            """
            SELECT \(RunSummary.selection), definition, response, numbers FROM \(RunSummary.tables) WHERE run.id = ?
            """, [.integer(id)]
        ) { row in
            let blobs = (0..<3).map { row.bytes(RunSummary.columnCount + $0) ?? Data() }
            return (RunSummary.run(row), definition: blobs[0], response: blobs[1], numbers: blobs[2])
        }
        guard let (run, definition, response, numbers) = found.first else { return nil }
        let json = JSONDecoder()
        var record = HistoryRecord(
            run: run, definition: try json.decode(RequestDefinition.self, from: definition),
            response: try json.decode(Response.self, from: response))
        record.response.metrics.fill(numbers)
        return record
    }
}

extension OperationMetrics {
    /// - Parameter numbers: as ``RunRow`` writes them; none in a file of earlier versions, whose records have the numbers in place.
    fileprivate mutating func fill(_ numbers: Data) {
        var rest = numbers[...]
        exchangeNumbers { number in
            guard rest.count >= 8 else { return }
            number = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
            rest = rest.dropFirst(8)
        }
    }
}

extension History {
    /// How long each of the newest runs of a request took that ended well, by the runs' numbers.
    package func totals(of request: RequestID, in collection: String, limit: Int = 12) throws(HistoryError) -> [Int64: Duration] {
        do {
            let rows = try database.run { connection in
                try connection.rows(
                    """
                    SELECT run.id, duration_us FROM \(RunSummary.tables) WHERE collection = ? AND request = ?
                    AND outcome = 'succeeded' AND duration_us IS NOT NULL ORDER BY run.id DESC LIMIT \(limit)
                    """,
                    [.text(collection), .text(request.rawValue)]
                ) { ($0.integer(0) ?? 0, Duration.microseconds($0.integer(1) ?? 0)) }
            }
            return Dictionary(rows) { first, _ in first }
        } catch {
            throw Self.failure("can't be read", path, error)
        }
    }

    /// How long the answer's first byte was waited for in each of the newest runs of a request, all attempts together, by the runs' numbers.
    ///
    /// It stands in what is kept of the attempts, so that it is read where somebody asks, and not with every list.
    package func waits(of request: RequestID, in collection: String, limit: Int = 300) throws(HistoryError) -> [Int64: Duration] {
        let rows: [(id: Int64, record: Int64, response: Data, numbers: Data)]
        do {
            rows = try database.run { connection in
                try connection.rows(
                    """
                    SELECT run.id, record, response, numbers FROM \(RunSummary.tables) WHERE collection = ? AND request = ?
                    ORDER BY run.id DESC LIMIT \(limit)
                    """,
                    [.text(collection), .text(request.rawValue)]
                ) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0, $0.bytes(2) ?? Data(), $0.bytes(3) ?? Data()) }
            }
        } catch {
            throw Self.failure("can't be read", path, error)
        }
        var records: [Int64: OperationMetrics] = [:]
        var waits: [Int64: Duration] = [:]
        for (id, record, response, numbers) in rows {
            let known = try? records[record] ?? JSONDecoder().decode(Response.self, from: response).metrics
            guard var metrics = known else { continue }
            records[record] = metrics
            metrics.fill(numbers)
            let phases = metrics.attempts.compactMap { $0.phases.wait?.duration }
            if !phases.isEmpty { waits[id] = phases.reduce(.zero, +) }
        }
        return waits
    }
}
