import Base
import CSQLite
import Synchronization

/// One connection to a SQLite file, which several processes may use at once. Calls of several threads wait for one another.
final class SQLiteDatabase: Sendable {
    private let connection: Mutex<SQLiteConnection>

    /// Opens the file, or makes it.
    ///
    /// - Parameter patience: for how long a statement waits for another process.
    init(path: String, patience: Duration) throws(SQLiteError) {
        connection = Mutex(try SQLiteConnection(path: path, patience: patience))
    }

    /// Runs statements one by one, each a transaction of its own.
    func run<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try connection.withLock { try body($0) }
    }

    /// Runs statements together: all hold, or none.
    func transaction<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try run { connection in
            // Locked at once: a transaction that begins by reading can't wait for another writer.
            try connection.execute("BEGIN IMMEDIATE", keepsStatement: true)
            do {
                let result = try body(connection)
                try connection.execute("COMMIT", keepsStatement: true)
                return result
            } catch {
                try? connection.execute("ROLLBACK")
                throw error
            }
        }
    }
}

/// What SQLite says when it can't do something.
struct SQLiteError: Error, CustomStringConvertible {
    /// SQLite's primary result code.
    var code: Int32
    var description: String

    /// Another program has the file locked.
    var isBusy: Bool { code == SQLITE_BUSY }

    /// The file isn't what it should be.
    var isDamage: Bool { code == SQLITE_NOTADB || code == SQLITE_CORRUPT }
}

enum SQLiteValue {
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes(Data)
}

final class SQLiteConnection {
    private var pointer: OpaquePointer?
    /// Compiled, by their texts.
    private var kept: [String: OpaquePointer] = [:]

    init(path: String, patience: Duration) throws(SQLiteError) {
        let code = sqlite3_open_v2(path, &pointer, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK else {
            let error = failure(code)
            sqlite3_close_v2(pointer)
            pointer = nil
            throw error
        }
        let (seconds, attoseconds) = patience.components
        sqlite3_busy_timeout(pointer, Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }

    deinit {
        for statement in kept.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(pointer)
    }

    /// The id of the row that was inserted last.
    var lastRow: Int64 { sqlite3_last_insert_rowid(pointer) }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes64(pointer)) }

    /// Runs a statement, and drops its rows.
    ///
    /// - Parameter keepsStatement: compiles it once: for those that are run again and again.
    func execute(_ statement: String, _ values: [SQLiteValue?] = [], keepsStatement: Bool = false) throws(SQLiteError) {
        _ = try rows(statement, values, keepsStatement: keepsStatement) { _ in }
    }

    /// Runs a query.
    ///
    /// - Parameter values: stand in place of the question marks; `nil` is `NULL`.
    func rows<Row>(
        _ query: String, _ values: [SQLiteValue?] = [], keepsStatement: Bool = false, _ row: (SQLiteRow) -> Row
    ) throws(SQLiteError) -> [Row] {
        let statement: OpaquePointer? = if let known = kept[query] { known } else { try compiled(query) }
        if keepsStatement { kept[query] = statement }
        defer {
            sqlite3_reset(statement)
            // What was bound is a copy, which may be large.
            sqlite3_clear_bindings(statement)
            if kept[query] == nil { sqlite3_finalize(statement) }
        }
        try bind(values, to: statement)
        var rows: [Row] = []
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW else {
                guard code == SQLITE_DONE else { throw failure(code) }
                return rows
            }
            rows.append(row(SQLiteRow(statement: statement)))
        }
    }

    private func compiled(_ statement: String) throws(SQLiteError) -> OpaquePointer? {
        var compiled: OpaquePointer?
        try check(sqlite3_prepare_v2(pointer, statement, -1, &compiled, nil))
        return compiled
    }

    private func bind(_ values: [SQLiteValue?], to statement: OpaquePointer?) throws(SQLiteError) {
        for (index, value) in values.enumerated() { try check(bind(value, at: Int32(index + 1), of: statement)) }
    }

    private func bind(_ value: SQLiteValue?, at index: Int32, of statement: OpaquePointer?) -> Int32 {
        switch value {
        case nil: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    turnstone_sqlite_bind_text(statement, index, $0.baseAddress, $0.count)
                }
            }
        case .bytes(let data):
            data.withUnsafeBytes { turnstone_sqlite_bind_bytes(statement, index, $0.baseAddress, $0.count) }
        }
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code & 0xFF, description: String(cString: pointer.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)))
    }
}

/// The current row of a query; columns count from 0.
struct SQLiteRow {
    fileprivate let statement: OpaquePointer?

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64? { isNull(column) ? nil : sqlite3_column_int64(statement, column) }

    func real(_ column: Int32) -> Double? { isNull(column) ? nil : sqlite3_column_double(statement, column) }

    func bytes(_ column: Int32) -> Data? {
        guard !isNull(column) else { return nil }
        // NULL also for no bytes.
        guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }

    func text(_ column: Int32) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }
}
