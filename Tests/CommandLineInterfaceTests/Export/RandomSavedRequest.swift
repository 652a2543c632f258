import NetworkLayerTesting

/// A saved request in flow style, made of what shells, URLs, forms, JSON and curl's own options might stumble over.
enum RandomSavedRequest {
    private static let words = [
        "a", "", "x y", "it's", "\"q\"", "\\", "\\n", "$HOME", "`id`", "$(id)", "é", "日本", "%41", "100%", "a+b", "a&b=c", "a;b",
        "#h", "?q",
        "[1-3]", "{a,b}", "@file.bin", "<file.bin", "~", "*", "-x", "--data", "a:b", ",", "!", "=", "a=b", "{{plain}}", "{{key}}",
        "x{{key}}y",
        "{{base64(plain)}}", "\t", " lead", "trail ", "null", "true", "12",
    ]
    private static let names = ["a", "b-c", "X_Y", "d.e", "f", "g"]
    private static let paths = [
        "", "/", "/a", "/a/../b", "/a/./b", "//a", "/%2F", "/a%20b", "/é", "/a;b", "/[x]", "/{{plain}}", "/a?x=1", "/?", "/a?b&c=",
        "/a?q=[1]&{x}",
    ]

    private static func pick(_ texts: [String], _ random: inout SeededGenerator) -> String { texts.randomElement(using: &random)! }

    /// In double quotes, for YAML and JSON.
    private static func quoted(_ text: String) -> String {
        "\"" + text.map { ["\"": "\\\"", "\\": "\\\\", "\t": "\\t", "\n": "\\n"][$0] ?? String($0) }.joined() + "\""
    }

    private static func map(_ random: inout SeededGenerator, prefix: String = "", _ value: (inout SeededGenerator) -> String)
        -> String
    {
        let some = names.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
        return "{ \(some.map { "\(prefix)\($0): \(value(&random))" }.joined(separator: ", ")) }"
    }

    private static func word(_ random: inout SeededGenerator) -> String { quoted(pick(words, &random)) }

    private static func body(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: "{ text: \(quoted((0..<3).map { _ in pick(words, &random) }.joined(separator: "\n"))) }"
        case 1: "{ form: \(map(&random, word)) }"
        case 2: "{ json: \(map(&random) { Bool.random(using: &$0) ? word(&$0) : "[1, \(word(&$0)), null]" }) }"
        case 3: "{ multipart: \(map(&random) { Bool.random(using: &$0) ? word(&$0) : "{ value: \(word(&$0)), type: text/x }" }) }"
        case 4: "{ file: file.bin }"
        case 5: "{ graphql: { query: \"{ a }\", variables: \(map(&random, word)) } }"
        case 6: "{ text: \"\" }"
        default: "none"
        }
    }

    static func text(_ random: inout SeededGenerator) -> String {
        let method = pick(["get", "get", "post", "post", "put", "patch", "delete", "options"], &random)
        var entries = ["\(method): \(quoted("{{host}}" + pick(paths, &random)))"]
        if Bool.random(using: &random) { entries.append("query: \(map(&random, word))") }
        if Bool.random(using: &random) {
            entries.append(
                "headers: "
                    + map(&random, prefix: "x-") {
                        Int.random(in: 0..<4, using: &$0) == 0 ? "[\(word(&$0)), \(word(&$0))]" : word(&$0)
                    })
        }
        if Int.random(in: 0..<4, using: &random) == 0 { entries.append("cookies: { sid: \"{{plain}}\", b: 1 }") }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            let user = quoted(pick(["ada", "é", "{{plain}}"], &random))
            entries.append("auth: { basic: { user: \(user), password: \(word(&random)) } }")
        case 1: entries.append("auth: { bearer: \"t{{key}}\" }")
        case 2:
            let place = pick(["query", "header", "cookie"], &random)
            // A cookie that a `;` ends isn't sent.
            let value = place == "cookie" ? "\"{{plain}}\"" : word(&random)
            entries.append("auth: { api-key: { name: k, value: \(value), in: \(place) } }")
        default: break
        }
        if Int.random(in: 0..<3, using: &random) > 0 { entries.append("body: \(body(&random))") }
        if Int.random(in: 0..<8, using: &random) == 0 { entries.append("compression: false") }
        if Int.random(in: 0..<8, using: &random) == 0 { entries.append("http: \"1.0\"") }
        return "{ \(entries.joined(separator: ", ")) }"
    }
}
