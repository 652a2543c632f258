import Base

/// What is done to a value before it is captured, or held against what it must be: `then: [base64, json, .sub]`.
///
/// | written | makes of it |
/// |---|---|
/// | `base64`, `base64url`, `unhex` | the bytes that a text stands for |
/// | `to-base64`, `to-base64url`, `to-url`, `to-html` | the text that encodes them |
/// | `gunzip` | bytes without their compression by gzip |
/// | `url`, `html` | the text without its `%20`, its `&amp;` |
/// | `json`, `jwt` | the value in a text; the claims of a token, whose signature nobody checks |
/// | `.a.b[0]` | what the path finds in it first |
/// | `/id=(\d+)/` | the first group of what is found first, or all of it |
/// | `hex`, `sha256`, `sha512`, `sha1`, `md5` | bytes, or their digest, in hexadecimal |
/// | `charset gb2312` | the text of bytes |
/// | `number`, `text`, `date` | a number; a text; a time in UTC, of any form that is known |
/// | `date %d.%m.%Y` | the same, written by a pattern |
/// | `trim`, `lower`, `upper`, `lines`, `split ;` | of a text |
/// | `first`, `last`, `nth 2`, `count`, `sort`, `unique` | of a list, or of all header fields of a name; `nth` counts from 0 |
/// | `param NAME` | of a URL's query, or of a field such as `Content-Type` |
package enum ValueStep: Hashable, Sendable, Codable {
    case word(Word)
    case path(String)
    case regex(String, ignoringCase: Bool)
    case nth(Int)
    case split(String)
    case param(String)
    case charset(String)
    case date(String)

    package enum Word: String, Hashable, Sendable, Codable, CaseIterable {
        case base64, base64url, unhex, gunzip, url, html, json, jwt
        case toBase64 = "to-base64"
        case toBase64url = "to-base64url"
        case toURL = "to-url"
        case toHTML = "to-html"
        case hex, sha256, sha512, sha1, md5
        case number, text, date
        case trim, lower, upper, lines
        case first, last, count, sort, unique
    }

    /// - Throws: for what isn't a step.
    init(_ text: String) throws(MatcherError) {
        if let word = Word(rawValue: text) {
            self = .word(word)
        } else if let (pattern, isIgnoringCase) = JSONFilter.regex(text) {
            try MatcherText.check(pattern: pattern)
            self = .regex(pattern, ignoringCase: isIgnoringCase)
        } else if text.hasPrefix(".") {
            guard JSONFilter(text).steps != nil else {
                throw MatcherError(
                    "`\(text)` is more than a path, and a step takes no other program; a key of its own below `body` does")
            }
            self = .path(text)
        } else if let rest = Self.rest(of: text, after: "nth "), let index = Int(rest) {
            self = .nth(index)
        } else if let rest = Self.rest(of: text, after: "split ") {
            self = .split(rest)
        } else if let rest = Self.rest(of: text, after: "param ") {
            self = .param(rest)
        } else if let rest = Self.rest(of: text, after: "charset ") {
            self = .charset(rest)
        } else if let rest = Self.rest(of: text, after: "date ") {
            guard rest.contains("%"), TimeText(Date(timeIntervalSince1970: 0)).text(rest) != nil else {
                throw MatcherError("`date` takes a pattern such as `%Y-%m-%d`, not `\(rest)`")
            }
            self = .date(rest)
        } else {
            let names = Word.allCases.map(\.rawValue) + ["nth", "split", "param", "charset"]
            let near = nearestName(to: String(text.prefix { $0 != " " }), in: names).map { "; did you mean `\($0)`?" } ?? ""
            throw MatcherError(
                "`\(text)` is no step\(near.isEmpty ? "; steps are `.a.b`, `/…/`, `nth 2` and the like, and \(names.joined(separator: ", "))" : near)"
            )
        }
    }

    private static func rest(of text: String, after word: String) -> String? {
        guard text.hasPrefix(word), text.utf8.count > word.utf8.count else { return nil }
        return String(text.dropFirst(word.count))
    }

    /// Whether it is about several values at once, such as all fields of a name.
    var isAboutAll: Bool {
        switch self {
        case .nth, .word(.first), .word(.last), .word(.count), .word(.sort), .word(.unique): true
        default: false
        }
    }

    /// Whether it is about bytes, as they came.
    var isAboutBytes: Bool {
        switch self {
        case .charset, .word(.gunzip), .word(.toBase64), .word(.toBase64url), .word(.hex), .word(.sha256), .word(.sha512),
            .word(.sha1), .word(.md5):
            true
        default: false
        }
    }
}

extension ValueStep: CustomStringConvertible {
    /// As a file writes it.
    package var description: String {
        switch self {
        case .word(let word): word.rawValue
        case .path(let path): path
        case .regex(let pattern, let ignoringCase): "/\(pattern)/\(ignoringCase ? "i" : "")"
        case .nth(let index): "nth \(index)"
        case .split(let text): "split \(text)"
        case .param(let name): "param \(name)"
        case .charset(let name): "charset \(name)"
        case .date(let pattern): "date \(pattern)"
        }
    }
}
