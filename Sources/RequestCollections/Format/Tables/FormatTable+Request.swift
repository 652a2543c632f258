/// A request, and what is sent.
extension FormatTable {
    /// The methods that are keys of a request, in the order of the format's page.
    static let methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace", "query"]

    static let request = FormatTable(
        "a request",
        methods.filter { $0 != "query" }
            .map {
                FormatKey(
                    $0, .text,
                    "The URL of \($0 == "options" ? "an" : "a") \($0.uppercased()) request; `:name` in its path takes `path.name`.")
            }
            + [
                FormatKey("method", .text, "Any other method, with `url`."),
                FormatKey("url", .text, "The URL, with `method`."),
                FormatKey("name", .prose, "What the tree shows instead of the key."),
                FormatKey("description", .prose, "Shown and searched."),
                FormatKey("tags", .list(.prose), "Shown and searched."),
                FormatKey("variables", variables, "Values for templates of this request; the nearest of a name counts."),
                FormatKey("path", .rows, "Values for `:name` in the URL."),
                FormatKey("query", .either([.rows, .text]), "Parameters, added to the URL's; or the URL of a QUERY request."),
                FormatKey("headers", .rows, "Header fields."),
                FormatKey("cookies", .rows, "Sent as one `cookie` field."),
                FormatKey("auth", auth, "How the request shows who sends it."),
                FormatKey(
                    "body", .either([.oneOf(["none"]), .keys(body)]), "What is sent; sets the content type unless a header does."),
            ] + settings
            + [
                when("It is sent"),
                forEach("It is sent", loop),
                FormatKey("repeat", .count(1...ForEachDefinition.mostItems), "How often it is sent; `{{repeat}}` is 1, then 2."),
                FormatKey("needs", needs, "Run these first."),
                FormatKey(
                    "hydrate", .either([.notEmpty(.text), .notEmpty(.list(.text))]),
                    "A command that completes the request just before it is sent."),
                FormatKey("capture", .variables(.either([.captureSource, .keys(capture)])), "Variables from the response."),
                FormatKey("expect", .keys(expect), "What the response must be."),
                FormatKey(
                    "until", .either([.duration, .keys(until)]),
                    "Sends it again until the answer is as it should be: what `expect` says, for so long, or what is said here."),
                FormatKey(
                    "tear-down", steps,
                    "What undoes it: sent at the end of a run in which it was sent, whatever failed; the last one first."),
                FormatKey("mock", .keys(mock), "An answer without the network, when mocks are on."),
            ])

    private static let needs = FormatShape.either([.text, .list(.text), .named(.either([.keys(need), .oneOf(["null"])]))])
    private static let steps = FormatShape.either([.text, .list(.text)])

    /// Of a folder, or of a collection.
    static func steps(of what: String) -> [FormatKey] {
        [
            FormatKey("set-up", needs, "What a run sends before the first request of \(what); when it fails, these aren't sent."),
            FormatKey("tear-down", steps, "What a run sends after the last request of \(what), whatever failed."),
        ]
    }

    static func when(_ what: String) -> FormatKey {
        FormatKey(
            "when", .conditions,
            "\(what) only if the variables are so; otherwise it is skipped, with what takes something from it. `any` takes a list of "
                + "such maps, of which one must hold.")
    }

    static func forEach(_ what: String, _ loop: FormatTable = folderLoop) -> FormatKey {
        FormatKey(
            "for-each", .loop(loop),
            "\(what) once for each item of a list, of a range such as `1..5`, or of a file; for every combination of a list of loops."
        )
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

    static let body = FormatTable(
        "body",
        [
            FormatKey("text", .text, "The text; `text/plain`."),
            FormatKey("json", .anything, "Any value, or a text in JSON; `application/json`."),
            FormatKey("form", .rows, "Fields; `application/x-www-form-urlencoded`."),
            FormatKey("multipart", .parts, "Parts; `multipart/form-data`."),
            FormatKey("file", .text, "A path, relative to this file; the type goes by its ending."),
            FormatKey("graphql", .either([.text, .keys(graphql)]), "A query."),
        ], .exactlyOne(of: ["text", "json", "form", "multipart", "file", "graphql"]))

    static let graphql = FormatTable(
        "graphql",
        [
            FormatKey("query", .text, "The query."),
            FormatKey("file", .text, "A file with the query."),
            FormatKey("operation", .text, "Which operation of the query."),
            FormatKey("variables", .named(.anything), "Its variables."),
        ], .exactlyOne(of: ["query", "file"]))

    static let part = FormatTable(
        "a part",
        [
            FormatKey("value", .text, "The content."),
            FormatKey("file", .text, "A file with the content, relative to this file."),
            FormatKey("filename", .text, "The name that is sent; that of the file unless it is given."),
            FormatKey("type", .text, "The content type."),
            FormatKey("enabled", .boolean, "Whether it is sent."),
        ], .atMostOne(of: ["value", "file"]))

    static let need = FormatTable(
        "needs",
        [
            FormatKey("max-age", .duration, "How old its captures may be."),
            FormatKey(
                "if-skipped", .oneOf(NeedDefinition.IfSkipped.allCases.map(\.rawValue)),
                "When its `when` doesn't hold, this request isn't sent, and that is a failure."),
        ])
}
