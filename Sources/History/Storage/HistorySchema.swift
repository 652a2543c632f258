import GRDB

/// The tables, version by version. A version that was published is never changed: another follows it.
enum HistorySchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.create(table: "run") { table in
                // Never given twice, so that an id that someone noted means one run.
                table.autoIncrementedPrimaryKey("id")
                table.column("date", .double).notNull()
                table.column("collection", .text).notNull()
                table.column("request", .text).notNull()
                table.column("name", .text)
                table.column("environment", .text)
                table.column("method", .text).notNull()
                table.column("url", .text).notNull()
                table.column("outcome", .text).notNull()
                table.column("status", .integer)
                table.column("error", .text)
                table.column("duration_us", .integer)
                table.column("attempts", .integer).notNull()
                table.column("body_bytes", .integer).notNull()
                table.column("definition", .text).notNull()
                table.column("response", .text).notNull()
                // Last, so that lists never read over it.
                table.column("body", .blob)
            }
            try database.create(index: "run_by_request", on: "run", columns: ["collection", "request"])
        }
        return migrator
    }
}
