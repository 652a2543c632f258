import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing

@testable import History

@Suite struct HistoryTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path()
        var database: String { "\(path)/state/history.sqlite" }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// Everything that SQLite keeps of it.
        var bytes: Data {
            ["", "-wal", "-shm"].reduce(into: Data()) { $0 += (try? Data(contentsOf: URL(filePath: database + $1))) ?? Data() }
        }
    }

    private func response(_ script: EventScript, body: Data? = nil) -> Response {
        let metrics = script.metrics
        let last = metrics.attempts.last
        let info = last?.head.map { head in
            ResponseInfo(finalRequest: last!.request, head: head, body: body.map(ResponseBody.data) ?? .none)
        }
        return Response(
            originalRequest: metrics.attempts.first?.request ?? EventScript.request(), error: metrics.error, info: info,
            metrics: metrics)
    }

    private func run(
        _ id: String = "orders/create", _ script: EventScript = .success(), body: String? = "{}", secrets: [String] = [],
        in collection: String = "/shop"
    ) -> FinishedRun {
        var definition = RequestDefinition(
            id: RequestID(rawValue: id), method: "GET", url: "{{host}}/\(id)",
            location: SourceLocation(path: "shop.yaml", line: 1, column: 1))
        definition.name = id == "login" ? "Log in" : nil
        return FinishedRun(
            of: definition, in: collection, environment: "local", response: response(script, body: body.map { Data($0.utf8) }),
            redactor: Redactor(secrets))
    }

    @Test func `what was different is kept, and how long a run waited is found`() throws {
        let folder = Folder()
        let history = try History(path: folder.database)
        var noted = run(secrets: ["hunter2"])
        noted.note = "what if: auth off, hunter2"
        let first = try history.record(noted)
        let second = try history.record(run("orders/list"))
        #expect(try history.runs().map(\.note) == [nil, "what if: auth off, ••••••"])
        #expect(try history.record(first)?.run.note == "what if: auth off, ••••••")
        let waits = try history.waits(of: RequestID(rawValue: "orders/create"), in: "/shop")
        #expect(Array(waits.keys) == [first] && waits[second] == nil)
        #expect(waits[first].map { $0 > .milliseconds(100) && $0 < .milliseconds(374) } == true)
        let totals = try history.totals(of: RequestID(rawValue: "orders/create"), in: "/shop")
        #expect(Array(totals.keys) == [first] && totals[first] == .milliseconds(374))
    }

    /// The secrets of bodies in other encodings stood in the file as they came.
    @Test func `no encoding of a body leaves its secret in the file`() throws {
        let secrets = ["пароль-Журавль", "hunter2hunter2"]
        for (type, encoding) in [
            ("text/plain; charset=windows-1251", String.Encoding.windowsCP1251),
            ("text/plain; charset=utf-16le", .utf16LittleEndian), ("text/plain", .utf8),
        ] {
            let folder = Folder()
            let history = try History(path: folder.database)
            let script = EventScript.success()
            let text = "Ваш ключ: \(secrets[0]), \(secrets[1]), \(Data(secrets[0].utf8).base64EncodedString())."
            let encoded: Data? = text.data(using: encoding)
            let body = try #require(encoded)
            var finished = run(secrets: secrets)
            finished.response = response(script, body: body)
            finished.response.info?.head.headers[.contentType] = type
            finished.response.originalRequest.headers[.contentType] = type
            finished.response.originalRequest.body = .data(body)
            let id = try history.record(finished)
            let kept = try #require(try history.body(of: id))
            let mark = encoding == .utf8 ? "" : "\u{FEFF}"
            #expect(kept == Data((mark + "Ваш ключ: ••••••, ••••••, ••••••.").utf8))
            for secret in secrets {
                for form in [String.Encoding.utf8, .windowsCP1251, .utf16LittleEndian, .utf16BigEndian] {
                    let bytes = try #require(secret.data(using: form))
                    #expect(folder.bytes.range(of: bytes) == nil, "\(secret) in \(form), \(type)")
                    #expect(folder.bytes.range(of: Data(bytes.base64EncodedString().dropLast(4).utf8)) == nil)
                }
            }
        }
    }

    private func makeOldFile(_ folder: Folder, _ statements: [(String, [SQLiteValue?])]) throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/state", withIntermediateDirectories: true)
        let connection = try SQLiteConnection(path: folder.database, patience: .seconds(1))
        try connection.execute(
            """
            CREATE TABLE run (
                id INTEGER PRIMARY KEY AUTOINCREMENT, date DOUBLE NOT NULL, collection TEXT NOT NULL, request TEXT NOT NULL,
                name TEXT, environment TEXT, method TEXT NOT NULL, url TEXT NOT NULL, outcome TEXT NOT NULL, status INTEGER,
                error TEXT, duration_us INTEGER, attempts INTEGER NOT NULL, body_bytes INTEGER NOT NULL,
                definition TEXT NOT NULL, response TEXT NOT NULL, body BLOB)
            """)
        try connection.execute("CREATE INDEX run_by_request ON run (collection, request)")
        for (statement, values) in statements { try connection.execute(statement, values) }
    }

    @Test func `a file of the first version is read, and written on`() throws {
        let folder = Folder()
        let row = """
            INSERT INTO run VALUES (7, 1.5, '/shop', 'old', NULL, 'local', 'GET', 'http://h/', 'failed', 404, 'was 404', 12, 1, 0,
                '{}', '{}', NULL)
            """
        try makeOldFile(folder, [(row, [])])
        let history = try History(path: folder.database)
        #expect(try history.record(run()) == 8)
        let runs = try history.runs()
        #expect(runs.map(\.title) == ["orders/create", "old"])
        #expect(runs.map(\.errorType) == [nil, nil])
        #expect(runs.last?.status == 404)
        #expect(runs.last?.duration == .microseconds(12))
    }

    /// Each run had its whole record in its row until version 5, and what stood in other tables is its own now.
    @Test func `a file of version 4 is moved on, with all that is in it`() throws {
        let folder = Folder()
        let old = run()
        var response = old.response
        response.info?.body = .none
        let row = """
            INSERT INTO run VALUES (7, 1.5, '/shop', 'orders/create', 'Create', 'local', 'GET', 'http://h/', 'failed', 200, 'why', 12, 1, 4,
                ?, ?, ?)
            """
        let values: [SQLiteValue?] = [
            .text(try RecordEncoder.text(old.definition, Redactor())), .text(try RecordEncoder.text(response, Redactor())),
            .bytes(Data("body".utf8)),
        ]
        let others = [
            "CREATE TABLE run_error (run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE, type TEXT NOT NULL)",
            "CREATE TABLE run_note (run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE, text TEXT NOT NULL)",
            "CREATE TABLE kept (runs INTEGER NOT NULL, body_bytes INTEGER NOT NULL)", "INSERT INTO kept VALUES (1, 4)",
            "CREATE TRIGGER run_added AFTER INSERT ON run BEGIN UPDATE kept SET runs = runs + 1; END",
            "INSERT INTO run_error VALUES (7, 'expectation')", "INSERT INTO run_note VALUES (7, 'auth off')",
            "UPDATE sqlite_sequence SET seq = 41", "PRAGMA user_version = 4",
        ]
        try makeOldFile(folder, [(row, values)] + others.map { ($0, []) })
        for _ in 0..<2 {
            let history = try History(path: folder.database)
            let found = try #require(try history.runs(HistoryQuery(collection: "/shop", text: "Create")).last)
            #expect(found.id == 7 && found.note == "auth off" && found.errorType == "expectation" && found.error == "why")
            #expect(found.date == Date(timeIntervalSince1970: 1.5) && found.bodyBytes == 4 && found.environment == "local")
            #expect(try history.body(of: 7) == Data("body".utf8))
            let record = try #require(try history.record(7))
            #expect(record.definition == old.definition)
            #expect(record.response.metrics == old.response.metrics && record.response.info?.head == old.response.info?.head)
            #expect(try history.waits(of: old.definition.id, in: "/shop")[7] != nil)
            try expectRightCounts(history, after: "it was moved on")
        }
        #expect(try History(path: folder.database).record(run()) == 42)
    }

    @Test func `alike runs share a record, and each comes back as it was`() throws {
        let folder = Folder()
        let history = try History(path: folder.database)
        func records() throws -> Int64? {
            try history.database.run { try $0.rows("SELECT COUNT(*) FROM record") { $0.integer(0) ?? 0 }.first }
        }
        var later = run()
        later.response.metrics.exchangeNumbers { $0 += 77 }
        #expect(later.response.metrics != run().response.metrics)
        var other = run()
        other.response.info?.head.status = .created
        // Whoever asks at the same time has a record of its own.
        let beside = try History(path: folder.database)
        let all = [run(), later, run("orders/list"), other, later]
        for run in all { try history.record(run) }
        #expect(try records() == 3)
        try beside.record([later, later])
        #expect(try records() == 4)
        for (number, run) in (all + [later, later]).enumerated() {
            let kept = try #require(try history.record(Int64(number + 1)))
            #expect(kept.response.metrics == run.response.metrics)
            #expect(kept.response.info?.head == run.response.info?.head)
            #expect(kept.response.originalRequest == run.response.originalRequest)
            #expect(kept.definition.id == run.definition.id && kept.run.request == run.definition.id)
        }
        // It goes with the last run that has it, and comes back when it is needed again.
        try history.forget([6])
        #expect(try records() == 4)
        try history.forget([4, 7])
        #expect(try records() == 2)
        try beside.record(later)
        #expect(try records() == 3)
        try history.forget()
        #expect(try records() == 0)
        #expect(try beside.record(later) == 9)
        #expect(try history.record(9)?.response.metrics == later.response.metrics)
    }

    private func expectRightCounts(_ history: History, after what: Comment) throws {
        let columns = "runs, body_bytes, (SELECT COUNT(*) FROM run), (SELECT COALESCE(SUM(LENGTH(body)), 0) FROM run)"
        let counts = try history.database.run { connection in
            try connection.rows("SELECT \(columns) FROM kept") { row in (0..<4).map { row.integer(Int32($0)) ?? 0 } }
        }
        #expect(counts.count == 1 && counts[0][0] == counts[0][2] && counts[0][1] == counts[0][3], what)
    }

    @Test func `runs come back as they were, the newest first`() throws {
        let folder = Folder()
        let history = try History(path: folder.database)
        let first = run()
        let ids = [try history.record(first), try history.record(run("login", .tlsFailure(), body: nil))]
        #expect(ids == [1, 2])

        let again = try History(path: folder.database)
        let runs = try again.runs()
        #expect(runs.map(\.id) == [2, 1])
        #expect(runs.map(\.title) == ["Log in", "orders/create"])
        #expect(runs.map(\.outcome) == [.failed, .succeeded])
        #expect(runs.map(\.status) == [nil, first.response.info?.head.status.code])
        #expect(runs.map(\.isBodyKept) == [false, true])
        #expect(runs[0].error == run("login", .tlsFailure()).response.error?.message)
        #expect(runs[1].duration == first.response.metrics.total)
        #expect(runs[1].date == first.response.metrics.enqueuedDate)

        let record = try #require(try again.record(1))
        #expect(record.run == runs[1])
        #expect(record.definition.withoutLocations == first.definition.withoutLocations)
        #expect(record.response.metrics == first.response.metrics)
        #expect(record.response.info?.head == first.response.info?.head)
        #expect(try again.body(of: 1) == Data("{}".utf8))
        #expect(try again.body(of: 2) == nil)
        #expect(try again.record(3) == nil)
    }

    @Test func `what was named from a directory is found from any other`() throws {
        let folder = Folder()
        let history = try History(path: folder.database)
        let id = try history.record(run(in: "shop.yaml"))
        let record = try #require(try History(path: folder.database).record(id))
        let here = FileManager.default.currentDirectoryPath
        #expect(record.run.collection == "\(here)/shop.yaml")
        #expect(record.definition.location == SourceLocation(path: "\(here)/shop.yaml", line: 1, column: 1))
    }

    @Test func `a query takes its part of them`() throws {
        let folder = Folder()
        let history = try History(path: folder.database)
        for id in ["login", "orders/create", "orders/100%", "login"] { try history.record(run(id)) }
        try history.record(run("login", .cancelled(), in: "/other"))
        func ids(_ query: HistoryQuery) throws -> [Int64] { try history.runs(query).map(\.id) }
        #expect(try ids(HistoryQuery(collection: "/shop")) == [4, 3, 2, 1])
        #expect(try ids(HistoryQuery(text: "LOGIN")) == [5, 4, 1])
        #expect(try ids(HistoryQuery(text: "100%")) == [3])
        #expect(try ids(HistoryQuery(text: "log in")) == [5, 4, 1])
        #expect(try ids(HistoryQuery(outcome: .cancelled)) == [5])
        #expect(try ids(HistoryQuery(before: 4, limit: 2)) == [3, 2])
        #expect(try ids(HistoryQuery(since: Date(timeIntervalSinceReferenceDate: 1e12))) == [])
        let status = try #require(try history.runs(HistoryQuery(limit: 5)).last?.status)
        #expect(try ids(HistoryQuery(status: status / 100)) == [4, 3, 2, 1])
        #expect(try ids(HistoryQuery(status: 599)) == [])
    }

    /// Nobody said that these are secrets; where they stand says it.
    @Test func `credentials that stand in the file as they are don't get into the history`() throws {
        let folder = Folder()
        let history = try History(path: folder.database)
        var run = run()
        run.definition.url = "http://ada:hunter2@h/?token=hunter2"
        run.definition.headers = [
            .init(name: "Authorization", value: "Bearer hunter2"), .init(name: "x-api-key", value: "{{key}}"),
        ]
        run.definition.cookies = [.init(name: "sid", value: "hunter2")]
        run.definition.query = [.init(name: "api_key", value: "hunter2"), .init(name: "page", value: "1")]
        run.definition.body = .form([.init(name: "password", value: "hunter2"), .init(name: "user", value: "ada")])
        run.definition.auth = .basic(user: "ada", password: "hunter2")
        run.definition.settings.proxy = "http://ada:hunter2@proxy:1"
        run.definition.settings.passphrase = "hunter2"
        let request = Request(
            url: URL(string: "http://ada:hunter2@h/?token=hunter2&api_key=hunter2&page=1")!, method: .post,
            headers: [
                .authorization: "Bearer hunter2", .cookie: "sid=hunter2", .contentType: "application/x-www-form-urlencoded",
                HTTPField.Name("x-api-key")!: "hunter2",
            ], body: .data(Data("password=hunter2&user=ada".utf8)))
        let head = ResponseHead(
            status: .ok, headers: [.setCookie: "sid=hunter2; Path=/"],
            raw: Data("HTTP/1.1 200 OK\r\nSet-Cookie: sid=hunter2; Path=/\r\n\r\n".utf8))
        var script = EventScript()
        script.start()
        script.attempt(at: 1, request)
        script.at(2, .requestHeadSent("GET /?token=hunter2 HTTP/1.1\r\nAuthorization: Bearer hunter2\r\n\r\n"))
        script.at(3, .head(head))
        script.endAttempt(at: 4)
        script.end(at: 5, .succeeded)
        run.response = response(script, body: Data("{}".utf8))
        run.response.info?.finalRequest = request
        try history.record(run)
        #expect(folder.bytes.range(of: Data("hunter2".utf8)) == nil)
        let kept = try #require(try history.record(1))
        #expect(kept.response.originalRequest.headers[.authorization] == "Bearer ******")
        #expect(kept.response.originalRequest.body == .data(Data("password=******&user=ada".utf8)))
        #expect(kept.response.metrics.attempts[0].sentHead == "GET /?token=****** HTTP/1.1\r\nAuthorization: Bearer ******\r\n\r\n")
        #expect(kept.definition.headers.map(\.value) == ["******", "{{key}}"])
        // As it is sent again, they are those of the file.
        #expect(kept.definition.restoringCredentials(from: run.definition)?.withoutLocations == run.definition.withoutLocations)
        var changed = run.definition
        changed.auth = nil
        #expect(kept.definition.restoringCredentials(from: changed) == nil)
        #expect(kept.definition.restoringCredentials(from: nil) == nil)
        var moved = run.definition
        moved.url = "http://ada:hunter2@elsewhere/?token=hunter2"
        #expect(kept.definition.restoringCredentials(from: moved) == nil)
    }

    @Test func `no secret gets into the file, in any form`() throws {
        let folder = Folder()
        let history = try History(path: folder.database)
        let secret = "s3cr\"t/wörd"
        var run = run(body: #"{"echo":"s3cr\"t/wörd"}"#, secrets: [secret])
        run.definition.headers = [RequestDefinition.Row(name: "x-key", value: secret)]
        run.response.originalRequest.body = .data(Data("key=\(secret)".utf8))
        run.response.originalRequest.headers[.authorization] = "Basic " + Data("me:\(secret)".utf8).base64EncodedString()
        try history.record(run)
        for form in [secret, #"s3cr\"t/wörd"#, "s3cr%22t%2Fw%C3%B6rd", Data("me:\(secret)".utf8).base64EncodedString()] {
            #expect(folder.bytes.range(of: Data(form.utf8)) == nil, "\(form)")
        }
        let record = try #require(try history.record(1))
        #expect(record.definition.headers == [RequestDefinition.Row(name: "x-key", value: "******")])
        #expect(record.response.originalRequest.body == .data(Data("key=\(Redactor.mask)".utf8)))
        #expect(try history.body(of: 1) == Data("{\"echo\":\"\(Redactor.mask)\"}".utf8))
    }

    @Test func `only its user can read it`() throws {
        let folder = Folder()
        let history = try History(path: folder.database)
        try history.record(run())
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state") {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/state/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test func `the oldest runs go, and the oldest bodies before them`() throws {
        let folder = Folder()
        let history = try History(path: folder.database, retention: HistoryRetention(runs: 4, bodyBytes: 25, longestBody: 12))
        for number in 0..<6 { try history.record(run(body: String(repeating: "\(number)", count: 10))) }
        try history.record(run(body: String(repeating: "x", count: 13)))
        let runs = try history.runs()
        #expect(runs.map(\.id) == [7, 6, 5, 4])
        #expect(runs.map(\.isBodyKept) == [false, true, true, false])
        #expect(runs.map(\.bodyBytes) == [13, 10, 10, 10])
    }

    @Test func `the more is kept, the less often the old ones are looked for`() throws {
        let folder = Folder()
        let history = try History(path: folder.database, retention: HistoryRetention(runs: 300, bodyBytes: 1000))
        for _ in 0..<302 { try history.record(run(body: "x")) }
        #expect(try history.count() == 302)
        try history.record(run(body: "x"))
        #expect(try history.count() == 300)
    }

    @Test func `what is kept is counted as it changes, whoever changes it`() throws {
        let folder = Folder()
        let retention = HistoryRetention(runs: 4, bodyBytes: 25, longestBody: 12)
        do {
            let history = try History(path: folder.database, retention: retention)
            try expectRightCounts(history, after: "nothing")
            for number in 0..<7 {
                try history.record(run(body: number % 3 == 0 ? nil : String(repeating: "x", count: 10)))
                try expectRightCounts(history, after: "run \(number)")
            }
            try history.forget([5])
            try expectRightCounts(history, after: "forgetting one")
            try history.database.run { try $0.execute("UPDATE run SET body = 'longer than before' WHERE id = 6") }
            try expectRightCounts(history, after: "another program")
        }
        let history = try History(path: folder.database, retention: retention)
        try expectRightCounts(history, after: "opening it again")
        try history.database.run { try $0.execute("DELETE FROM kept") }
        try history.record(run())
        try expectRightCounts(history, after: "the loss of the count")
        try history.forget()
        try expectRightCounts(history, after: "forgetting all")
    }

    @Test func `a file whose version is negative is prepared anew`() throws {
        let folder = Folder()
        do {
            let history = try History(path: folder.database)
            try history.record(run())
            try history.database.run { try $0.execute("PRAGMA user_version = -1") }
        }
        #expect(try History(path: folder.database).runs().count == 1)
    }

    @Test func `a heavy body makes room for itself at once`() throws {
        let folder = Folder()
        let history = try History(path: folder.database, retention: HistoryRetention(runs: 300, bodyBytes: 1000))
        for _ in 0..<5 { try history.record(run(body: String(repeating: "x", count: 300))) }
        #expect(try history.runs().map(\.isBodyKept) == [true, true, true, false, false])
    }

    @Test func `what is forgotten is gone from the file, and its id is not given again`() throws {
        let folder = Folder()
        let history = try History(path: folder.database)
        for text in ["first body", "second body"] { try history.record(run(body: text)) }
        #expect(try history.forget([1, 9]) == 1)
        #expect(folder.bytes.range(of: Data("first body".utf8)) == nil)
        #expect(folder.bytes.range(of: Data("second body".utf8)) != nil)
        #expect(try history.forget() == 1)
        #expect(try history.record(run()) == 3)
    }

    @Test func `two programs may write at the same time`() async throws {
        let folder = Folder()
        let histories = [try History(path: folder.database), try History(path: folder.database)]
        try await withThrowingTaskGroup { group in
            for history in histories {
                group.addTask { for _ in 0..<50 { try history.record(self.run()) } }
            }
            try await group.waitForAll()
        }
        #expect(try histories[0].count() == 100)
    }

    @Test func `a damaged file is named, with the way out`() throws {
        let folder = Folder()
        _ = try History(path: folder.database)
        try Data(String(repeating: "rubbish ", count: 1_000).utf8).write(to: URL(filePath: folder.database))
        #expect(throws: HistoryError("the history \(folder.database) is damaged; move it away, and a new one is made")) {
            try History(path: folder.database)
        }
    }
}
