import NetworkLayer

/// What is taken from a response and held against it, and what answers in its place.
extension FormatTable {
    static let capture = FormatTable(
        "a capture",
        [
            FormatKey("from", .captureSource, "A path into the body, `header:NAME`, `cookie:NAME`, `status`, `url` or `body`."),
            FormatKey("then", .steps, "What is done to it: `base64`, `json`, `.a.b`, `/id=(.*)/`, `number` and the like."),
            FormatKey("secret", .boolean, "Whether the value is masked wherever it could be shown."),
            FormatKey("default", .anything, "The value when the response has none."),
            FormatKey(
                "flat", .boolean, "Whether the lists that items of a `for-each` capture are one list for requests outside of it."),
        ], .required(["from"]))

    static let expect = FormatTable(
        "expect",
        [
            FormatKey("status", .matcher(.status), "Codes (`201`) or classes (`2xx`)."),
            FormatKey("header", .named(.matcher(.text)), "Header fields by name; one of several is enough."),
            FormatKey(
                "cookie", .named(.either([.keys(cookieFacts), .matcher(.text)])),
                "What `set-cookie` sets, by name, and its attributes."),
            FormatKey("body", .bodyMatcher, "The text, or by filter in jq's language, each of its values."),
            FormatKey("size", .matcher(.bytes), "Bytes of the decoded body."),
            FormatKey("time", .keys(times), "How long it took, by phase of the last attempt, and in all."),
            FormatKey("attempts", .matcher(.number), "How many, redirects and retries included."),
            FormatKey("redirects", .matcher(.number), "How many."),
            FormatKey("locations", .matcher(.text), "Where each redirect led; one of several is enough."),
            FormatKey("link", .named(.matcher(.text)), "Where the header field `link` leads, by relation: `next`."),
            FormatKey("ip", .matcher(.text), "The address that answered."),
            FormatKey("retries", .matcher(.number), "How many."),
            FormatKey("polls", .matcher(.number), "How often `until` sent it; `attempts` are those of the last time."),
            FormatKey("tls", .keys(tlsFacts), "The certificate and the connection."),
            FormatKey("http", .matcher(.text), "The version: `1.1`, `2`; also `HTTP/1.1`."),
            FormatKey("url", .matcher(.text), "Where the redirects led."),
            FormatKey(
                "contract", .notEmpty(.text),
                "A document of OpenAPI 3.0 or 3.1, relative to this file: what it says of the operation must be kept."),
            FormatKey(
                "error", .matcher(.failure),
                "The failure that is wanted: \(FailureKind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))."),
        ])

    /// The keys of `expect`, and how long to go on.
    static let until = FormatTable(
        "until",
        UntilDefinition.fields.map { FormatKey($0) } + [
            FormatKey(
                "give-up", .keys(expect),
                "An answer of which all of this holds ends it, and the request fails, unless the answer is also what is waited for."
            )
        ] + expect.keys, .notEmpty)

    static let times = FormatTable(
        "time",
        (Phases.Name.allCases.map(\.rawValue) + ["total"]).map {
            FormatKey($0, .matcher(.duration), $0 == "total" ? "From enqueue to the end." : "The phase `\($0)`.")
        })

    static let tlsFacts = FormatTable(
        "tls",
        [
            FormatKey("valid-for", .matcher(.duration), "How long the server's certificate is still valid."),
            FormatKey("version", .matcher(.text), "Such as `TLSv1.3`."),
            FormatKey("subject", .matcher(.text), "The server's certificate's."),
            FormatKey("issuer", .matcher(.text), "The server's certificate's."),
            FormatKey("serial", .matcher(.text), "The server's certificate's number."),
            FormatKey("valid-from", .matcher(.text), "The date from which the server's certificate is valid."),
            FormatKey("valid-until", .matcher(.text), "The date until which the server's certificate is valid."),
            FormatKey(
                "names", .matcher(.text), "Whom the server's certificate is for: `DNS:example.org`; one of several is enough."),
            FormatKey("key", .matcher(.text), "The server's certificate's: `RSA 2048`, `EC P-256`."),
            FormatKey("cipher", .matcher(.text), "Such as `TLS_AES_256_GCM_SHA384`."),
            FormatKey("verified", .matcher(.text), "`true` when the chain was checked and accepted."),
        ])

    /// The names of attributes are no words of ``matcher``.
    static let cookieFacts = FormatTable(
        "a cookie",
        [FormatKey("value", .matcher(.text), "Its value.")]
            + CookieAttribute.allCases.map { FormatKey($0.rawValue, .matcher($0.kind), $0.doc) } + plainMatcher.keys, .notEmpty)

    /// Whether a key in the map of a cookie is about the cookie, and none of the words for its value.
    static func isCookieFact(_ name: String) -> Bool { name == "value" || CookieAttribute(rawValue: name) != nil }

    /// Of what is no JSON, where nothing is a list or has a type.
    static let plainMatcher = FormatTable(
        "an expectation of a text",
        matcher.keys.compactMap { key in
            switch key.name {
            case "each", "any", "type": nil
            case "not": FormatKey(key.name, .matcher(.text), key.doc)
            case "all": FormatKey(key.name, .notEmpty(.list(.matcher(.text))), key.doc)
            default: key
            }
        }, .notEmpty)

    static let matcher = FormatTable(
        "an expectation",
        [
            FormatKey("equals", .anything, "The value itself, also when it looks like something else."),
            FormatKey("not", .matcher(.json), "The opposite."),
            FormatKey("one-of", .notEmpty(.list(.anything)), "One of these values."),
            FormatKey("all", .notEmpty(.list(.matcher(.json))), "All of these hold."),
            FormatKey("each", .matcher(.json), "Holds for each item of a list."),
            FormatKey("any", .matcher(.json), "Holds for an item of a list."),
            FormatKey("then", .steps, "What is done to the value first: `base64`, `json`, `.a.b`, `number` and the like."),
            FormatKey("matches", .text, "A regular expression that finds something in it."),
            FormatKey("contains", .anything, "A part of the text, an item of the list, members of the map."),
            FormatKey("starts-with", .text, "How the text begins."),
            FormatKey("ends-with", .text, "How the text ends."),
            FormatKey("type", .oneOf(Matcher.ValueType.allCases.map(\.rawValue)), "The type of JSON."),
            FormatKey("length", .matcher(.number), "The length of a text, list or map."),
            FormatKey("exists", .boolean, "Whether it is there at all."),
            FormatKey("schema", .text, "A file with a JSON Schema (draft 2020-12) that it must fit, relative to this file."),
        ], .notEmpty)

    static let mock = FormatTable(
        "mock",
        [FormatKey(MockDefinition.fields[0]), FormatKey("headers", .rows, "Header fields.")]
            + MockDefinition.fields.dropFirst().map { FormatKey($0) },
        .atMostOne(of: ["body", "file"]))
}

/// A field of a mock; its headers are rows.
package typealias MockField = MapField<MockDefinition>

extension MockDefinition {
    package static let fields: [MockField] = [
        MockField("status", \.status, .count(200...599), "The status; 200 unless given."),
        MockField(
            "body", \.bodyText, .anything, read: { reader, node, mock, problems in mock.body = reader.mockBody(node, &problems) },
            write: { mock in
                switch mock.body {
                case .text(let text): .scalar(text, .string)
                case .json(let text): RequestWriter.json(text)
                case .file, nil: nil
                }
            }, "The body: a text, or any other value as JSON."),
        MockField("file", \.file, .text, "A file with the body, relative to this file."),
        MockField("delay", \.delay, .durationRange, "Before anything; `100ms..2s` for a wait by chance."),
        MockField("latency", \.latency, .duration, "Before the head, and the least time between two pieces of the body."),
        MockField("rate", \.rate, .byteCount, "Bytes a second."),
        MockField("error", \.error, .choice(of: MockDefinition.errors), "A failure instead of an answer."),
    ]
}
