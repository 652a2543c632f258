/// The tables, version by version. A version that was published is never changed: another follows it.
enum HistorySchema {
    /// The statements that lead to each version. SQLite's `user_version` says in the file how many have been run.
    private static let steps = [
        [run, "CREATE INDEX IF NOT EXISTS run_by_request ON run (collection, request)"],
        [error],
        [note],
    ]

    /// Prepares a file, which may be new, for this version of the program.
    static func migrate(_ database: SQLiteDatabase) throws {
        try database.run { connection in
            // Readers don't wait for a writer, nor it for them.
            try connection.execute("PRAGMA journal_mode = WAL")
            try connection.execute("PRAGMA synchronous = NORMAL")
            try connection.execute("PRAGMA foreign_keys = ON")
        }
        try database.transaction { connection in
            let version = try connection.rows("PRAGMA user_version") { Int($0.integer(0) ?? 0) }.first ?? 0
            for statement in steps.dropFirst(version).joined() { try connection.execute(statement) }
            try connection.execute("PRAGMA user_version = \(max(version, steps.count))")
        }
    }

    /// An id is never given twice, so that one that someone noted means one run. The body stands last, so that lists never read over it.
    private static let run = """
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

    /// Not a column of `run`: it would lie behind the body, and lists would read over that.
    private static let error = """
        CREATE TABLE IF NOT EXISTS run_error (
            run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
            type TEXT NOT NULL
        )
        """

    /// Only few runs have one.
    private static let note = """
        CREATE TABLE IF NOT EXISTS run_note (
            run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
            text TEXT NOT NULL
        )
        """
}
