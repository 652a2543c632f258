/// The tables, version by version. A version that was published is never changed: another follows it.
enum HistorySchema {
    /// Kept in the file, as SQLite's `user_version`.
    private static let version: Int64 = 1

    /// Prepares a file, which may be new, for this version of the program.
    static func migrate(_ database: SQLiteDatabase) throws {
        try database.run { connection in
            // Readers don't wait for a writer, nor it for them.
            try connection.execute("PRAGMA journal_mode = WAL")
            try connection.execute("PRAGMA synchronous = NORMAL")
        }
        try database.transaction { connection in
            let found = try connection.rows("PRAGMA user_version") { $0.integer(0) ?? 0 }.first ?? 0
            guard found < version else { return }
            try connection.execute(first)
            try connection.execute("CREATE INDEX IF NOT EXISTS run_by_request ON run (collection, request)")
            try connection.execute("PRAGMA user_version = \(version)")
        }
    }

    /// An id is never given twice, so that one that someone noted means one run. The body stands last, so that lists never read over it.
    private static let first = """
        CREATE TABLE IF NOT EXISTS run (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            date DOUBLE NOT NULL,
            collection TEXT NOT NULL,
            request TEXT NOT NULL,
            name TEXT,
            environment TEXT,
            method TEXT NOT NULL,
            url TEXT NOT NULL,
            outcome TEXT NOT NULL,
            status INTEGER,
            error TEXT,
            duration_us INTEGER,
            attempts INTEGER NOT NULL,
            body_bytes INTEGER NOT NULL,
            definition TEXT NOT NULL,
            response TEXT NOT NULL,
            body BLOB
        )
        """
}
