/// The functions that a template may call.
///
/// | written | gives |
/// |---|---|
/// | `uuid()` | a random UUID (RFC 9562, version 4) |
/// | `now()`, `now("%Y-%m-%d")`, `now("http", offset: -1h)` | the time, in UTC; see ``TimeText`` |
/// | `timestamp()`, `timestamp("ms")` | seconds (`s`), `ms` or `us` since 1970, a number |
/// | `random()`, `random(1..6)`, `random(length: 12)` | a number below 1; a whole number; letters and digits |
/// | `base64(text)` | RFC 4648, section 4 |
/// | `sha256(text)`, `sha256(text, encoding: "base64")` | in hexadecimal, or base64 |
/// | `hmac(text, key)`, with `algorithm: "sha512"`, `encoding: "base64"` | RFC 2104 |
/// | `env("HOME")` | an environment variable of the program; one called `…_TOKEN`, `…_KEY`, `…_PASSWORD` or the like is a secret |
/// | `file("token.txt")` | a file beside the one in which the template stands, without its last line break |
/// | `command("git", "rev-parse", "HEAD")` | what a program prints, without its last line break |
/// | `prompt("Code", default: "1234", secret: true)` | what a person types |
/// | `select("Region", ["eu", "us"], default: "eu")` | what a person chooses |
/// | `response("login", ".token", max_age: 1h)` | something of another request's response |
/// | `list[0]`, `list[-1].name`, `map["name"]` | an item or a member of a value: `item(list, 0)` |
/// | `x \| default("y")` | `y` when `x` has no value |
///
/// `x | f(y)` is `f(x, y)`, for every function.
package enum TemplateFunction: String, Hashable, Sendable, CaseIterable {
    case uuid, now, timestamp, random, base64, sha256, hmac, env, file, command, prompt, select, response
    case item, `default`

    struct Parameter {
        var name: String
        var isRequired = false
        /// Whether the argument can only be given with its label.
        var isLabelled = false
        /// Whether it takes all remaining arguments that have no label.
        var isRest = false
    }

    var parameters: [Parameter] {
        switch self {
        case .uuid: []
        case .now: [.init(name: "format"), .init(name: "offset", isLabelled: true)]
        case .timestamp: [.init(name: "unit"), .init(name: "offset", isLabelled: true)]
        case .random: [.init(name: "range"), .init(name: "length", isLabelled: true)]
        case .base64: [.init(name: "text", isRequired: true)]
        case .sha256: [.init(name: "text", isRequired: true), .init(name: "encoding", isLabelled: true)]
        case .hmac:
            [
                .init(name: "text", isRequired: true), .init(name: "key", isRequired: true),
                .init(name: "algorithm", isLabelled: true), .init(name: "encoding", isLabelled: true),
            ]
        case .env: [.init(name: "name", isRequired: true)]
        case .file: [.init(name: "path", isRequired: true)]
        case .command: [.init(name: "words", isRequired: true, isRest: true)]
        case .prompt:
            [
                .init(name: "message", isRequired: true), .init(name: "default", isLabelled: true),
                .init(name: "secret", isLabelled: true),
            ]
        case .select:
            [
                .init(name: "message", isRequired: true), .init(name: "default", isLabelled: true),
                .init(name: "options", isRequired: true, isRest: true),
            ]
        case .response:
            [
                .init(name: "request", isRequired: true), .init(name: "filter"), .init(name: "max_age", isLabelled: true),
            ]
        case .item: [.init(name: "value", isRequired: true), .init(name: "key", isRequired: true)]
        case .default: [.init(name: "value", isRequired: true), .init(name: "fallback", isRequired: true)]
        }
    }

    /// How it is written, for sentences about calls that are wrong.
    var usage: String {
        switch self {
        case .uuid: "`uuid()`"
        case .now: "`now(\"%Y-%m-%d\", offset: -1h)`"
        case .timestamp: "`timestamp(\"ms\", offset: -1h)`"
        case .random: "`random()`, `random(1..6)` or `random(length: 12)`"
        case .base64: "`base64(text)`"
        case .sha256: "`sha256(text, encoding: \"hex\")`"
        case .hmac: "`hmac(text, key, algorithm: \"sha256\", encoding: \"hex\")`"
        case .env: "`env(\"NAME\")`"
        case .file: "`file(\"path\")`"
        case .command: "`command(\"program\", \"argument\")`"
        case .prompt: "`prompt(\"message\", default: \"text\", secret: true)`"
        case .select: "`select(\"message\", [\"one\", \"two\"], default: \"one\")`"
        case .response: "`response(\"request\", \".path\", max_age: 1h)`"
        case .item: "`list[0]` or `map[\"name\"]`"
        case .default: "`name | default(\"text\")`"
        }
    }
}
