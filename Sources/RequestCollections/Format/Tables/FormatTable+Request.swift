/// A request, and what is sent.
extension FormatTable {
    /// The methods that are keys of a request, in the order of the format's page.
    static let methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace", "query", "websocket"]

    static let request = FormatTable(
        "a request",
        targets + (RequestKey.about + RequestKey.sent).map { FormatKey($0) } + settings + RequestKey.around.map { FormatKey($0) })

    private static let targets: [FormatKey] =
        methods.filter { $0 != "query" && $0 != "websocket" }
        .map {
            FormatKey(
                $0, .text,
                "The URL of \($0 == "options" ? "an" : "a") \($0.uppercased()) request; `:name` in its path takes `path.name`.")
        } + [
            FormatKey("websocket", .text, "The URL of a WebSocket: `ws://`, `wss://`, `http://` or `https://`."),
            FormatKey("method", .text, "Any other method, with `url`."),
            FormatKey("url", .text, "The URL, with `method`."),
        ]

    fileprivate static let needs = FormatShape.either([.text, .list(.text), .named(.either([.keys(need), .oneOf(["null"])]))])
    fileprivate static let steps = FormatShape.either([.text, .list(.text)])

    /// The steps of a folder, or of a collection.
    static func steps(of what: String) -> [FormatKey] {
        [
            FormatKey("set-up", needs, "What a run sends before the first request of \(what); when it fails, these aren't sent."),
            FormatKey("tear-down", steps, "What a run sends after the last request of \(what), whatever failed."),
        ]
    }

    /// The help for `when`, of a folder or of a request.
    static func when(_ what: String) -> String {
        "\(what) only if these conditions on variables hold; otherwise it is skipped, with what takes something from it. "
            + "`any` takes a list of such maps, of which one must hold."
    }

    static func forEach(_ what: String) -> String {
        "\(what) once for each item of a list, of a range such as `1..5`, or of a file; for every combination of a list of loops."
    }

    /// The long form of a request's `for-each`.
    static let loop = FormatTable(
        "a loop", loopKeys(.either([.list(.anything), .keys(items), .text])), .required(["as", "in"]))

    static let folderLoop = FormatTable(
        "a loop of a folder", loopKeys(.either([.list(.anything), .keys(itemFile), .text])), .required(["as", "in"]))

    private static func loopKeys(_ items: FormatShape) -> [FormatKey] {
        let count = FormatShape.count(1...ForEachDefinition.mostItems)
        return [
            FormatKey("as", .text, "The variable that an item is called by."),
            FormatKey("in", items, "What it goes through."),
            FormatKey(
                "title", .text, "What an item is called where a run is shown, as in `{{user.name}}`; its value unless given."),
            FormatKey("jobs", count, "How many items are under way at a time, at most; as many as `--jobs` says unless given."),
            FormatKey("at-least", .count(0...ForEachDefinition.mostItems), "Fewer items than this are a failure."),
            FormatKey("at-most", count, "More items than this are a failure."),
        ]
    }

    private static let fileWords = FormatRule.exactlyOne(of: ItemFile.words)

    static let itemFile = FormatTable("items of a file", itemFileKeys, fileWords)

    private static let itemFileKeys = [
        FormatKey(
            "file", .text,
            "A file with the items, relative to this file: .csv, .tsv (each row a map), .json, .jsonl, .ndjson or .txt (each line a text)."
        ),
        FormatKey("csv", .text, "The same, whatever its name: rows, below the names of their columns."),
        FormatKey("json", .text, "The same: a list in JSON."),
        FormatKey("lines", .text, "The same: each line that isn't empty is a text."),
        FormatKey("at", .text, "Where the list is in a file in JSON, as in `.users`; the whole unless given."),
        FormatKey(
            "types", .named(.oneOf(ItemFile.CellType.allCases.map(\.rawValue))),
            "What the cells of a column of CSV are; texts unless given. An empty cell of another type is null."),
    ]

    /// What gives the items of one request.
    static let items = FormatTable(
        "items",
        itemFileKeys + [
            FormatKey("pages", .captureSource, "What of an answer leads to the next one: the next item, or a URL."),
            FormatKey("start", .anything, "The first item; an empty text unless given."),
            FormatKey("at-most", .integer, "More answers than this are a failure; 100 unless given."),
        ], .exactlyOne(of: ItemFile.words + ["pages"]))

    static let row = FormatTable(
        "a row",
        [
            FormatKey("value", .either([.text, .oneOf(["null"])]), "The value."),
            FormatKey("enabled", .boolean, "Whether it is sent."),
        ])

    static let need = FormatTable("needs", NeedDefinition.fields.map { FormatKey($0) })
}

extension NeedDefinition {
    static let fields: [MapField<NeedDefinition>] = [
        MapField("max-age", \.maxAge, .duration, "How old its captures may be."),
        MapField(
            "if-skipped", \.ifSkipped, .choice, "When its `when` doesn't hold, this request isn't sent, and that is a failure."),
    ]
}

extension RequestKey {
    package static let all: [RequestKey] = about + sent + around

    /// What it is; it stands before the URL.
    package static let about: [RequestKey] = [.name, .description, .tags, .variables]
    /// What is sent, besides the URL.
    static let sent: [RequestKey] = [.path, .query, .headers, .cookies, .auth, .body, .subprotocols, .session, .messages]
    /// When it is sent, and what comes of it.
    static let around: [RequestKey] = [.when, .forEach, .repeat, .needs, .hydrate, .capture, .expect, .until, .tearDown, .mock]
    /// When it is sent and how often, in the order of an editor.
    package static let flow: [RequestKey] = [.when, .forEach, .repeat, .until, .tearDown, .hydrate]

    static let name = RequestKey(
        "name", \.name, .prose, read: { _, pair, _ in pair.value.text }, write: { $1.map { .scalar($0, .text) } },
        "What the tree shows instead of the key.")

    package static let description = RequestKey(
        "description", \.description, .prose, example: "what it is for", read: { _, pair, _ in pair.value.text },
        write: { $1.map { .scalar($0, .text) } }, "Shown and searched.")

    package static let tags = RequestKey(
        "tags", \.tags, .list(.prose), example: "[smoke, slow]", read: { _, pair, _ in pair.value.items?.compactMap(\.text) ?? [] },
        write: { $1.isEmpty ? nil : .texts($1) }, "Shown and searched.")

    package static let variables = RequestKey(
        "variables", \.variables, FormatTable.variables, example: "{ page: 2 }", read: { $0.variables($1.value, problems: &$2) },
        write: { $1.isEmpty ? nil : CollectionWriter.value(of: $1) },
        "Values for templates of this request; the nearest of a name counts.")

    static let path = RequestKey(rows: "path", \.path, "Values for `:name` in the URL.")
    static let query = RequestKey(
        rows: "query", \.query, shape: .either([.rows, .text]), "Parameters, added to the URL's; or the URL of a QUERY request.")
    static let headers = RequestKey(rows: "headers", \.headers, "Header fields.")
    static let cookies = RequestKey(rows: "cookies", \.cookies, "Sent as one `cookie` field.")

    static let auth = RequestKey(
        "auth", \.auth, FormatTable.auth, place: { $0.key }, read: { $0.auth($1.value, problems: &$2) },
        write: { $1.map(RequestWriter.auth) }, "How the request shows who sends it.")

    static let body = RequestKey(
        "body", \.body, .either([.oneOf([RequestBodyKind.none.name]), .keys(FormatTable.body)]),
        place: { $0.value.pairs?.first?.value ?? $0.value }, read: { $0.body($1.value, problems: &$2) },
        write: { writer, body in body.map { writer.body($0) } }, "What is sent; sets the content type unless a header does.")

    package static let when = RequestKey(
        "when", \.when, .conditions, example: "{ plan: [pro, team] }", read: { $0.when($1, problems: &$2) },
        write: { $1.map(RequestWriter.when) }, FormatTable.when("It is sent"))

    package static let forEach = RequestKey(
        "for-each", \.forEach, .loop(FormatTable.loop),
        example: "{ sku: [A7, B9] }", read: { $0.forEach($1, problems: &$2) }, write: { $1.map(RequestWriter.forEach) },
        FormatTable.forEach("It is sent"))

    package static let `repeat` = RequestKey(
        "repeat", \.repeats, .count(1...ForEachDefinition.mostItems), example: "10", place: { $0.key },
        read: { reader, pair, _ in reader.repeats(pair.value) }, write: { $1.map { .scalar("\($0)", .literal) } },
        "How often it is sent; `{{repeat}}` is 1, then 2.")

    static let needs = RequestKey(
        "needs", \.needs, FormatTable.needs, read: { reader, pair, _ in reader.needs(pair.value) },
        write: { $1.isEmpty ? nil : RequestWriter.needs($1) }, "Run these first.")

    package static let hydrate = RequestKey(
        "hydrate", \.hydrate, .either([.notEmpty(.text), .notEmpty(.list(.text))]), example: "./sign.sh",
        read: { $0.hydrate($1.value, problems: &$2) }, write: { $1.map(RequestWriter.hydrate) },
        "A command that completes the request just before it is sent.")

    static let capture = RequestKey(
        "capture", \.captures, .variables(.either([.captureSource, .keys(FormatTable.capture)])),
        read: { $0.captures($1.value, problems: &$2) }, write: { $1.isEmpty ? nil : RequestWriter.captures($1) },
        "Variables from the response.")

    static let expect = RequestKey(
        "expect", \.expectations, .keys(FormatTable.expect), read: { reader, pair, _ in reader.expectations(pair.value) },
        write: { $1.isEmpty ? nil : ExpectationWriter.value($1) }, "What the response must be.")

    package static let until = RequestKey(
        "until", \.until, .either([.duration, .keys(FormatTable.until)]), example: "30s, or { status: 200, within: 60s }",
        read: { $0.until($1, problems: &$2) }, write: { $1.map(RequestWriter.until) },
        "Sends it again until the answer is as it should be: what `expect` says, for so long, or what is said here.")

    package static let tearDown = RequestKey(
        "tear-down", \.tearDown, FormatTable.steps, example: "delete", read: { reader, pair, _ in reader.needs(pair.value) },
        write: { $1.isEmpty ? nil : RequestWriter.needs($1) },
        "What undoes it: sent at the end of a run in which it was sent, whatever failed; the last one first.")

    static let mock = RequestKey(
        "mock", \.mock, .keys(FormatTable.mock), read: { $0.mock($1, problems: &$2) },
        write: { writer, mock in mock.map { writer.mock($0) } }, "An answer without the network, when mocks are on.")
}

extension FormatKey {
    fileprivate init(_ key: RequestKey) { self.init(key.name, key.shape, key.help) }
}
