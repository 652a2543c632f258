import NetworkLayer

/// What is taken from a response and held against it, and what answers in its place.
extension FormatTable {
    static let capture = FormatTable(
        "a capture",
        [FormatKey("from", .captureSource, "A path into the body, `header:NAME`, `cookie:NAME`, `status`, `url` or `body`.")]
            + CaptureDefinition.fields.map { FormatKey($0) }, .required(["from"]))

    static let expect = FormatTable("expect", ExpectationField.all.map { FormatKey($0.name, $0.shape, $0.help) })

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

    /// Matchers for what is no JSON, where nothing is a list or has a type.
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

extension CaptureDefinition {
    /// What else is said of what is captured, besides from where.
    static let fields: [MapField<CaptureDefinition>] = [
        MapField(
            "then", .steps,
            read: { reader, node, capture in
                var reported: [CollectionProblem] = []
                capture.steps += MatcherReader.steps(node, in: reader.path, problems: &reported)
            }, write: { $0.steps.isEmpty ? nil : .texts($0.steps.map(\.description)) },
            "What is done to it: `base64`, `json`, `.a.b`, `/id=(.*)/`, `number` and the like."),
        MapField("secret", \.secretFlag, .flag, "Whether the value is masked wherever it could be shown."),
        MapField(
            "default", .anything, read: { $2.fallback = try? JSONValue($1, in: $0.path) },
            write: { $0.fallback.map { DesiredValue(json: $0) } }, "The value when the response has none."),
        MapField(
            "flat", \.isFlat, .flag, "Whether the lists that items of a `for-each` capture are one list for requests outside of it."
        ),
    ]

    /// Only a secret is said to be one.
    private var secretFlag: Bool? {
        get { isSecret ? true : nil }
        set { isSecret = newValue ?? false }
    }
}

extension ExpectationField {
    static let all: [ExpectationField] = [
        ExpectationField("status", .status, "Codes (`201`) or classes (`2xx`)."),
        ExpectationField(named: "header", { .header($0) }, .matcher(.text), "Header fields by name; one of several is enough."),
        ExpectationField(
            "cookie", .named(.either([.keys(FormatTable.cookieFacts), .matcher(.text)])), read: { $0.cookies($1.value) },
            "What `set-cookie` sets, by name, and its attributes."),
        ExpectationField(
            "body", .bodyMatcher, read: { $0.body($1) }, "The text, or by filter in jq's language, each of its values."),
        ExpectationField("size", .size, "Bytes of the decoded body."),
        ExpectationField(
            "time", .keys(FormatTable.times), read: { $0.named($1.value) { .time($0) } },
            "How long it took, by phase of the last attempt, and in all."),
        ExpectationField("attempts", .attempts, "How many, redirects and retries included."),
        ExpectationField("redirects", .redirects, "How many."),
        ExpectationField("locations", .locations, "Where each redirect led; one of several is enough."),
        ExpectationField(
            named: "link", { .link($0) }, .matcher(.text), "Where the header field `link` leads, by relation: `next`."),
        ExpectationField("ip", .address, "The address that answered."),
        ExpectationField("retries", .retries, "How many."),
        ExpectationField("polls", .polls, "How often `until` sent it; `attempts` are those of the last time."),
        ExpectationField(
            "tls", .keys(FormatTable.tlsFacts), read: { $0.named($1.value) { .tls($0) } }, "The certificate and the connection."),
        ExpectationField("close", .close, "The code that the session of a `websocket` was closed with."),
        ExpectationField(
            "messages", .keys(FormatTable.messageFacts), read: { $0.messages($1) },
            "The messages that the session of a `websocket` received."),
        ExpectationField("http", .httpVersion, "The version: `1.1`, `2`; also `HTTP/1.1`."),
        ExpectationField("url", .url, "Where the redirects led."),
        ExpectationField(
            "contract", .notEmpty(.text),
            read: { reader, pair in
                let matcher = Matcher.schema(SchemaReference(path: pair.value.text ?? ""))
                return [ExpectationDefinition(.contract, matcher, location: reader.location(pair.key))]
            }, "A document of OpenAPI 3.0 or 3.1, relative to this file: what it says of the operation must be kept."),
        ExpectationField(
            "error", .error,
            "The failure that is wanted: \(FailureKind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))."),
    ]
}

/// A key of `expect`: one row of the format's table, with everything that is known of it but how it is checked.
///
/// Reading, the check of the reader, the schema and the reference page go through ``all``.
struct ExpectationField: Sendable {
    let name: String
    let shape: FormatShape
    let help: String
    /// One entry for each thing that is expected. What has the wrong form was reported by the table's check.
    let read: @Sendable (RequestReader, YAMLPair) -> [ExpectationDefinition]

    init(
        _ name: String, _ shape: FormatShape,
        read: @escaping @Sendable (RequestReader, YAMLPair) -> [ExpectationDefinition], _ help: String
    ) {
        self.name = name
        self.shape = shape
        self.read = read
        self.help = help
    }

    /// About one thing.
    init(_ name: String, _ subject: ExpectationSubject, _ help: String) {
        self.init(name, .matcher(subject.kind), read: { $0.expectations(subject, $1) }, help)
    }

    /// About things that have names, of one shape.
    init(
        named name: String, _ subject: @escaping @Sendable (String) -> ExpectationSubject, _ shape: FormatShape, _ help: String
    ) {
        self.init(name, .named(shape), read: { $0.named($1.value, subject) }, help)
    }

    static subscript(_ name: String) -> ExpectationField? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
