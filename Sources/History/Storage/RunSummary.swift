import Base
import NetworkLayer
package import RequestCollections

/// What a list needs of a run, in the columns of its row.
enum RunSummary {
    /// Without the id; ``RunRow`` writes them in this order.
    static let columns = """
        date, collection, request, name, environment, method, url, outcome, status, error, duration_us, attempts, body_bytes
        """
    /// What ``run(_:)`` reads, in its order.
    static let selection = """
        id, \(columns), body IS NOT NULL, (SELECT type FROM run_error WHERE run_error.run = run.id),
        (SELECT text FROM run_note WHERE run_note.run = run.id)
        """
    /// The first column behind them.
    static let columnCount: Int32 = 17

    static func run(_ row: SQLiteRow) -> HistoryRun {
        HistoryRun(
            id: row.integer(0) ?? 0, date: Date(timeIntervalSince1970: row.real(1) ?? 0), collection: row.text(2) ?? "",
            request: RequestID(rawValue: row.text(3) ?? ""), name: row.text(4), environment: row.text(5), method: row.text(6) ?? "",
            url: row.text(7) ?? "", outcome: HistoryRun.Outcome(rawValue: row.text(8) ?? "") ?? .failed,
            status: row.integer(9).map { Int($0) }, error: row.text(10), errorType: row.text(15),
            duration: row.integer(11).map { .microseconds($0) },
            attempts: Int(row.integer(12) ?? 0), bodyBytes: row.integer(13) ?? 0, isBodyKept: row.integer(14) == 1,
            note: row.text(16))
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
        if let before = query.before { require("id < ?", .integer(before)) }
        if let text = query.text, !text.isEmpty {
            let pattern = SQLiteValue.text("%\(text.escaping("\\", "%", "_"))%")
            require(#"(request LIKE ? ESCAPE '\' OR name LIKE ? ESCAPE '\' OR url LIKE ? ESCAPE '\')"#, pattern, pattern, pattern)
        }
        return try connection.rows(
            """
            SELECT \(selection) FROM run WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC LIMIT \(query.limit)
            """, values, run)
    }
}

extension HistoryRecord {
    /// Everything of a row but the body, which is read by itself.
    static func find(_ id: Int64, _ connection: SQLiteConnection) throws -> HistoryRecord? {
        let found = try connection.rows(
            "SELECT \(RunSummary.selection), definition, response FROM run WHERE id = ?", [.integer(id)]
        ) { row in
            (
                RunSummary.run(row), definition: row.bytes(RunSummary.columnCount) ?? Data(),
                response: row.bytes(RunSummary.columnCount + 1) ?? Data()
            )
        }
        guard let (run, definition, response) = found.first else { return nil }
        let json = JSONDecoder()
        return HistoryRecord(
            run: run, definition: try json.decode(RequestDefinition.self, from: definition),
            response: try json.decode(Response.self, from: response))
    }
}

extension History {
    /// How long each of the newest runs of a request took that ended well, by the runs' numbers.
    package func totals(of request: RequestID, in collection: String, limit: Int = 12) throws(HistoryError) -> [Int64: Duration] {
        do {
            let rows = try database.run { connection in
                try connection.rows(
                    """
                    SELECT id, duration_us FROM run WHERE collection = ? AND request = ? AND outcome = 'succeeded'
                    AND duration_us IS NOT NULL ORDER BY id DESC LIMIT \(limit)
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
        let rows: [(id: Int64, response: Data)]
        do {
            rows = try database.run { connection in
                try connection.rows(
                    "SELECT id, response FROM run WHERE collection = ? AND request = ? ORDER BY id DESC LIMIT \(limit)",
                    [.text(collection), .text(request.rawValue)]
                ) { ($0.integer(0) ?? 0, $0.bytes(1) ?? Data()) }
            }
        } catch {
            throw Self.failure("can't be read", path, error)
        }
        var waits: [Int64: Duration] = [:]
        for (id, response) in rows {
            guard let metrics = try? JSONDecoder().decode(Response.self, from: response).metrics else { continue }
            let phases = metrics.attempts.compactMap { $0.phases.wait?.duration }
            if !phases.isEmpty { waits[id] = phases.reduce(.zero, +) }
        }
        return waits
    }
}
