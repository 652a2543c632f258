/// The tables. A file of an earlier version is moved on when it is opened; `user_version` in the file is for versions to come.
enum HistorySchema {
    private static let version = 5

    static func migrate(_ database: SQLiteDatabase) throws {
        try database.run { connection in
            // Readers don't wait for a writer, nor it for them.
            try connection.execute("PRAGMA journal_mode = WAL")
            try connection.execute("PRAGMA synchronous = NORMAL")
        }
        try database.transaction { connection in
            let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") { $0.text(0) ?? "" }
            guard !tables.contains("record") else { return }
            let isOld = tables.contains("run")
            if isOld { for statement in setAside { try connection.execute(statement) } }
            for statement in current { try connection.execute(statement) }
            if isOld { for statement in moved { try connection.execute(statement) } }
            try connection.execute("PRAGMA user_version = \(version)")
        }
    }

    /// Adds the row of `kept` where it is missing, with what the whole table has. Without that row, nothing would ever be pruned.
    static let count = """
        INSERT INTO kept SELECT (SELECT COUNT(*) FROM run), (SELECT COALESCE(SUM(LENGTH(body)), 0) FROM run)
        WHERE NOT EXISTS (SELECT 1 FROM kept)
        """

    private static let current = [
        // What alike runs share, as JSON: the definition, and the response without its numbers.
        """
        CREATE TABLE record (
            id INTEGER PRIMARY KEY,
            collection TEXT NOT NULL,
            request TEXT NOT NULL,
            name TEXT,
            environment TEXT,
            method TEXT NOT NULL,
            url TEXT NOT NULL,
            definition TEXT NOT NULL,
            response TEXT NOT NULL
        )
        """,
        "CREATE INDEX record_by_request ON record (collection, request)",
        // An id is never given twice, so that one that someone noted means one run. The body stands last, so that lists never read over it.
        """
        CREATE TABLE run (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            record INTEGER NOT NULL,
            date DOUBLE NOT NULL,
            outcome TEXT NOT NULL,
            status INTEGER,
            error TEXT,
            error_type TEXT,
            note TEXT,
            duration_us INTEGER,
            attempts INTEGER NOT NULL,
            body_bytes INTEGER NOT NULL,
            numbers BLOB NOT NULL,
            body BLOB
        )
        """,
        "CREATE INDEX run_by_record ON run (record)",
        // One row: how many runs are kept, and how many bytes their bodies have together. Counted anew, that would read the whole file.
        // The triggers keep it right whoever writes.
        "CREATE TABLE kept (runs INTEGER NOT NULL, body_bytes INTEGER NOT NULL)",
        count,
        """
        CREATE TRIGGER run_added AFTER INSERT ON run BEGIN
            UPDATE kept SET runs = runs + 1, body_bytes = body_bytes + COALESCE(LENGTH(NEW.body), 0);
        END
        """,
        """
        CREATE TRIGGER run_removed AFTER DELETE ON run BEGIN
            UPDATE kept SET runs = runs - 1, body_bytes = body_bytes - COALESCE(LENGTH(OLD.body), 0);
            DELETE FROM record WHERE id = OLD.record AND NOT EXISTS (SELECT 1 FROM run WHERE record = OLD.record);
        END
        """,
        """
        CREATE TRIGGER run_changed AFTER UPDATE OF body ON run BEGIN
            UPDATE kept SET body_bytes = body_bytes - COALESCE(LENGTH(OLD.body), 0) + COALESCE(LENGTH(NEW.body), 0);
        END
        """,
    ]

    /// Until version 5, each run had a whole record in its row, and its note and the type of its error in tables of their own.
    private static let setAside =
        ["run_added", "run_removed", "run_changed"].map { "DROP TRIGGER IF EXISTS \($0)" } + [
            "DROP TABLE IF EXISTS kept", "DROP INDEX IF EXISTS run_by_request", "ALTER TABLE run RENAME TO old_run",
            "CREATE TABLE IF NOT EXISTS run_error (run INTEGER PRIMARY KEY, type TEXT NOT NULL)",
            "CREATE TABLE IF NOT EXISTS run_note (run INTEGER PRIMARY KEY, text TEXT NOT NULL)",
        ]

    private static let moved = [
        """
        INSERT INTO record SELECT id, collection, request, name, environment, method, url, definition, response FROM old_run
        """,
        """
        INSERT INTO run SELECT id, id, date, outcome, status, error, type, text, duration_us, attempts, body_bytes, x'', body
        FROM old_run LEFT JOIN run_error ON run_error.run = id LEFT JOIN run_note ON run_note.run = id ORDER BY id
        """,
        "DELETE FROM sqlite_sequence WHERE name = 'run'",
        "INSERT INTO sqlite_sequence SELECT 'run', seq FROM sqlite_sequence WHERE name = 'old_run'",
        "DROP TABLE run_error", "DROP TABLE run_note", "DROP TABLE old_run",
    ]
}
