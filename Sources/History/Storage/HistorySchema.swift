/// The tables, version by version. A version that was published is never changed: another follows it.
enum HistorySchema {
    /// The statements that lead to each version. SQLite's `user_version` says in the file how many have been run.
    private static let steps = [
        [run, "CREATE INDEX IF NOT EXISTS run_by_request ON run (collection, request)"],
        [error],
        [note],
        [total, count, added, removed, changed],
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
            for statement in steps.dropFirst(max(version, 0)).joined() { try connection.execute(statement) }
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

    /// One row: how many runs are kept, and how many bytes their bodies have together. Counted anew, that would read the whole file. The
    /// triggers keep it right whoever writes, also an earlier version of the program.
    private static let total = "CREATE TABLE IF NOT EXISTS kept (runs INTEGER NOT NULL, body_bytes INTEGER NOT NULL)"
    /// Adds the row of `kept` where it is missing, with what the whole table has. Without that row, nothing would ever be pruned.
    static let count = """
        INSERT INTO kept SELECT (SELECT COUNT(*) FROM run), (SELECT COALESCE(SUM(LENGTH(body)), 0) FROM run)
        WHERE NOT EXISTS (SELECT 1 FROM kept)
        """

    private static let added = """
        CREATE TRIGGER IF NOT EXISTS run_added AFTER INSERT ON run BEGIN
            UPDATE kept SET runs = runs + 1, body_bytes = body_bytes + COALESCE(LENGTH(NEW.body), 0);
        END
        """
    private static let removed = """
        CREATE TRIGGER IF NOT EXISTS run_removed AFTER DELETE ON run BEGIN
            UPDATE kept SET runs = runs - 1, body_bytes = body_bytes - COALESCE(LENGTH(OLD.body), 0);
        END
        """
    private static let changed = """
        CREATE TRIGGER IF NOT EXISTS run_changed AFTER UPDATE OF body ON run BEGIN
            UPDATE kept SET body_bytes = body_bytes - COALESCE(LENGTH(OLD.body), 0) + COALESCE(LENGTH(NEW.body), 0);
        END
        """
}
