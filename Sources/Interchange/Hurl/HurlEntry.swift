/// One request of a Hurl file with what is said of its response, as they stand there: `{{x}}` is a template, and the format's own escapes
/// are resolved.
struct HurlEntry {
    /// Where the request begins, from 1.
    var line: Int
    var method: String
    var url: String
    /// Those above the request.
    var comments: [String] = []
    /// The lines of the other comments.
    var commentLines: [Int] = []
    var headers: [Pair] = []
    var query: [Pair] = []
    var form: [Pair] = []
    var multipart: [Pair] = []
    var cookies: [Pair] = []
    var basicAuth: [Pair] = []
    var options: [Pair] = []
    var body: HurlBody?
    var response: Response?

    struct Pair: Hashable {
        var name: String
        var value: String
        var line: Int
    }

    struct Response {
        /// `1.1` of `HTTP/1.1`.
        var version: String?
        /// `nil` for `*`.
        var status: String?
        var line: Int
        var headers: [Pair] = []
        var captures: [Claim] = []
        var asserts: [Claim] = []
        var body: HurlBody?
    }

    /// A line of `[Captures]` or `[Asserts]`.
    struct Claim {
        /// What a capture is called.
        var name: String?
        var tokens: [HurlToken]
        /// As it stands there.
        var text: String
        var line: Int
    }
}

extension HurlEntry {
    /// All that may have templates.
    var texts: [String] {
        let requestPairs = headers + query + form + multipart + cookies + basicAuth + options
        let pairs = requestPairs + (response?.headers ?? [])
        let claims = (response?.captures ?? []) + (response?.asserts ?? [])
        let bodies = [body, response?.body].compactMap { $0?.text }
        return [url] + pairs.flatMap { [$0.name, $0.value] } + bodies + claims.map(\.text)
    }
}

extension HurlBody {
    /// What of it may have templates.
    fileprivate var text: String? {
        switch content {
        case .json(let text), .xml(let text), .text(let text, _), .file(let text): text
        case .literal, .bytes: nil
        }
    }
}

/// A body in one of the forms that a file may give it.
struct HurlBody {
    var content: Content
    var line: Int

    enum Content: Hashable {
        case json(String)
        case xml(String)
        /// Between three backticks, which may be followed by a language, or between single ones.
        case text(String, language: String?)
        /// Without templates in it.
        case literal(String, language: String?)
        case bytes([UInt8])
        /// A path.
        case file(String)
    }
}

/// A part of a line of `[Captures]` or `[Asserts]`.
enum HurlToken: Hashable {
    case word(String)
    /// In quotes or backticks, with its templates.
    case text(String)
    /// What stands between the braces.
    case template(String)
    case number(String)
    case regex(String)
    case bytes([UInt8])
    case file(String)
}
