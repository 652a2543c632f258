package import Base
import NetworkLayer
import RequestCollections
import Synchronization

/// Every run, kept: a SQLite file that several processes may use at once, readable by its user only.
///
/// Secrets never get in: each run brings a redactor, which everything that is written goes through, bodies included.
package final class History: Sendable {
    package let path: String
    let database: SQLiteDatabase
    private let retention: HistoryRetention
    private let records = Mutex(RunRecords())

    /// Opens the file, or makes it, with the directories above it.
    package init(path: String, retention: HistoryRetention = HistoryRetention()) throws(HistoryError) {
        self.path = path
        self.retention = retention
        do {
            let directory = URL(filePath: path).deletingLastPathComponent().path()
            try Self.makeDirectory(directory)
            // SQLite gives its journals the mode of the file.
            close(open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600))
            _ = chmod(path, 0o600)
            database = try SQLiteDatabase(path: path, patience: .seconds(5))
            try HistorySchema.migrate(database)
        } catch {
            throw Self.failure("can't be opened", path, error)
        }
    }

    /// Makes a directory and those above it, for their owner only.
    private static func makeDirectory(_ path: String) throws {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if access(path, F_OK) == 0 { return }
        if let slash = path.unicodeScalars.lastIndex(of: "/"), slash != path.startIndex {
            try makeDirectory(String(path[..<slash]))
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw DirectoryFailure(errno: errno) }
    }

    private struct DirectoryFailure: Error, CustomStringConvertible {
        var errno: Int32

        var description: String { String(cString: strerror(errno)) }
    }

    // MARK: Writing

    /// Keeps a run, and now and then lets go of the oldest ones beyond the retention.
    ///
    /// - Returns: its id.
    @discardableResult
    package func record(_ run: FinishedRun) throws(HistoryError) -> Int64 {
        do {
            let row = try self.row(of: run)
            return try database.transaction { try insert([row], $0) } ?? 0
        } catch {
            throw Self.failure("can't be written", path, error)
        }
    }

    /// Keeps several in one transaction: all of them, or none. One that can't be kept by itself is left out, and the others are.
    ///
    /// - Throws: why not all are kept.
    package func record(_ runs: [FinishedRun]) throws(HistoryError) {
        do {
            var rows: [RunRow] = []
            var failure: (any Error)?
            for run in runs {
                do { rows.append(try row(of: run)) } catch { failure = failure ?? error }
            }
            try insertPatiently(rows)
            if let failure { throw failure }
        } catch {
            throw Self.failure("can't be written", path, error)
        }
    }

    /// Many runs are at stake, so it waits longer than for one run when another program has the file locked.
    private func insertPatiently(_ rows: [RunRow]) throws {
        for patience in (0...5).reversed() {
            do {
                _ = try database.transaction { try insert(rows, $0) }
                return
            } catch let error as SQLiteError where error.isBusy && patience > 0 {}
        }
    }

    private func row(of run: FinishedRun) throws -> RunRow {
        try records.withLock { try RunRow(run, longestBody: retention.longestBody, &$0) }
    }

    /// - Returns: the id of the last one.
    private func insert(_ rows: [RunRow], _ connection: SQLiteConnection) throws -> Int64? {
        var last: Int64?
        var isDue = false
        for row in rows {
            let id = try row.insert(into: connection)
            isDue = isDue || retention.isDue(after: id, body: row.bodyCount)
            last = id
        }
        if isDue { try Self.prune(connection, retention) }
        return last
    }

    /// Forgets runs; the file shrinks.
    ///
    /// - Parameter ids: `nil` forgets all.
    /// - Returns: how many there were.
    @discardableResult
    package func forget(_ ids: [Int64]? = nil) throws(HistoryError) -> Int {
        do {
            let count = try database.transaction { connection in
                guard let ids else {
                    try connection.execute("DELETE FROM run")
                    return connection.changes
                }
                return try ids.reduce(0) { count, id in
                    try connection.execute("DELETE FROM run WHERE id = ?", [.integer(id)])
                    return count + connection.changes
                }
            }
            // What was deleted must not be found in the file's free pages.
            try database.run { connection in
                try connection.execute("VACUUM")
                try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
            return count
        } catch {
            throw Self.failure("can't be written", path, error)
        }
    }

    private static func prune(_ connection: SQLiteConnection, _ retention: HistoryRetention) throws(SQLiteError) {
        func kept(_ column: String) throws(SQLiteError) -> Int64 {
            try connection.rows("SELECT \(column) FROM kept") { $0.integer(0) ?? 0 }.first ?? 0
        }
        try connection.execute(HistorySchema.count)
        let excess = try kept("runs") - Int64(retention.runs)
        if excess > 0 {
            // The oldest come first, so that no others are read.
            try connection.execute("DELETE FROM run WHERE id IN (SELECT id FROM run ORDER BY id LIMIT ?)", [.integer(excess)])
        }
        guard try kept("body_bytes") > retention.bodyBytes else { return }
        // Counted from the newest on, each body as long as there is room.
        try connection.execute(
            """
            UPDATE run SET body = NULL WHERE id IN (
                SELECT id FROM (
                    SELECT id, SUM(LENGTH(body)) OVER (ORDER BY id DESC) AS total FROM run WHERE body IS NOT NULL
                ) WHERE total > ?)
            """, [.integer(Int64(retention.bodyBytes))])
    }

    // MARK: Reading

    package func runs(_ query: HistoryQuery = HistoryQuery()) throws(HistoryError) -> [HistoryRun] {
        do {
            return try database.run { try RunSummary.matching(query, $0) }
        } catch {
            throw Self.failure("can't be read", path, error)
        }
    }

    /// `nil`: there is no run with that id.
    package func record(_ id: Int64) throws(HistoryError) -> HistoryRecord? {
        do {
            return try database.run { try HistoryRecord.find(id, $0) }
        } catch {
            throw Self.failure("can't be read", path, error)
        }
    }

    /// The body of a run's response, as it came but without secrets; `nil` when it isn't kept.
    package func body(of id: Int64) throws(HistoryError) -> Data? {
        do {
            return try database.run { connection in
                try connection.rows("SELECT body FROM run WHERE id = ?", [.integer(id)]) { $0.bytes(0) }.first ?? nil
            }
        } catch {
            throw Self.failure("can't be read", path, error)
        }
    }

    package func count() throws(HistoryError) -> Int {
        do {
            return try database.run { try $0.rows("SELECT COUNT(*) FROM run") { Int($0.integer(0) ?? 0) }.first ?? 0 }
        } catch {
            throw Self.failure("can't be read", path, error)
        }
    }

    static func failure(_ predicate: String, _ path: String, _ error: any Error) -> HistoryError {
        if let error = error as? SQLiteError, error.isDamage {
            return HistoryError("the history \(path) is damaged; move it away, and a new one is made")
        }
        return HistoryError("the history \(path) \(predicate): \(error)")
    }
}
