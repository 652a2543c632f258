import Base
import HTTPTypes

/// The beginning of a body whose transfer was cut off, and the rules by which another attempt may bring the rest (TN-14; RFC 9110,
/// sections 8.8, 13.1.5, 14 and 15.3.7.3).
///
/// Bytes of two answers are joined only where a strong validator proves that they belong together: what is joined without one is
/// a file that nobody ever made. So the rest is asked for with `Range` *and* `If-Range`, and every answer is looked at before its
/// first byte is taken.
struct PartialBody: Sendable, Hashable {
    /// The head of the 200 that began it.
    let head: ResponseHead
    /// The URL that it came from: a validator says nothing about other URLs.
    let url: URL
    /// As `If-Range` takes it: a strong entity tag, or a date.
    let validator: String
    /// Bytes that are there, from the first on.
    var count: Int64
    /// Bytes of the whole, where the server has said it.
    let length: Int64?

    /// - Returns: `nil` where the rest can't be asked for: another method or status, a request that was for a part by itself, a body
    ///   that is coded or in several parts, a server that refuses ranges, or no strong validator.
    init?(_ head: ResponseHead, to request: Request, count: Int64) {
        guard request.method == .get, request.headers[.range] == nil, request.headers[.ifRange] == nil, head.status == .ok,
            count > 0, Self.isPlain(head), let validator = Self.strongValidator(of: head.headers)
        else { return nil }
        let units = head.headers[.acceptRanges]?.lowercased()
        guard units?.split(whereSeparator: { ", \t".contains($0) }).contains("none") != true else { return nil }
        let length = head.headers[.contentLength].flatMap { Int64($0) }
        guard count <= length ?? .max else { return nil }
        self.head = head
        self.url = request.url
        self.validator = validator
        self.count = count
        self.length = length
    }

    // MARK: The question

    /// Asks for the rest instead of the whole, and for no coding of it: a range is one of the bytes that are sent, and what we have
    /// is plain (as the Fetch standard does). Fields of the caller's own stay.
    func ask(in request: inout Request, isHop: Bool) {
        guard lies(at: request.url, isHop: isHop), request.method == .get else { return }
        request.headers[.range] = "bytes=\(count)-"
        request.headers[.ifRange] = validator
        if request.headers[.acceptEncoding] == nil { request.headers[.acceptEncoding] = "identity" }
    }

    /// Where redirects lead, signatures change from one request to the next, and the resource doesn't.
    private func lies(at other: URL, isHop: Bool) -> Bool {
        guard isHop else { return other == url }
        return RedirectRules.isSameOrigin(url, other) && url.path(percentEncoded: true) == other.path(percentEncoded: true)
    }

    // MARK: The answer

    enum Verdict: Sendable, Hashable {
        /// The rest follows.
        case goesOn
        /// Nothing is missing.
        case isWhole
        /// The whole body comes again: the server has another version, or doesn't support ranges.
        case startsOver
        /// The answer is of no use, and another question for the rest won't be either: the whole must be asked for.
        case unusable
        /// No answer about the body: an error, which may pass. What is there is as good as before.
        case unrelated
    }

    /// | status | and                                                                   | verdict                        |
    /// |--------|-----------------------------------------------------------------------|--------------------------------|
    /// | 206    | `Content-Range` from our count to the end, the same length and tag, plain | the rest follows           |
    /// | 206    | anything else, such as `multipart/byteranges`, or a `Content-Length` that isn't its range's | unusable |
    /// | 416    | `Content-Range: bytes */COUNT`                                        | nothing is missing             |
    /// | 416    | anything else                                                         | unusable                       |
    /// | 2xx    | a `Content-Range`: a part that claims to be the whole                 | unusable                       |
    /// | 2xx    |                                                                       | all of it comes anew           |
    /// | others |                                                                       | no answer about the body       |
    func verdict(on answer: ResponseHead) -> Verdict {
        let range = answer.headers[.contentRange].flatMap { ContentRange($0) }
        switch answer.status.code {
        case 206: return fits(answer, range) ? .goesOn : .unusable
        case 416: return range == .none(length: count) && length ?? count == count ? .isWhole : .unusable
        default:
            guard answer.status.kind == .successful else { return .unrelated }
            return answer.headers[.contentRange] == nil ? .startsOver : .unusable
        }
    }

    private func fits(_ answer: ResponseHead, _ range: ContentRange?) -> Bool {
        guard case .part(let bytes, let said)? = range, let length = said ?? length, length == self.length ?? length else {
            return false
        }
        // A 206 names its entity tag whenever a 200 would (section 15.3.7).
        if let tag = answer.headers[.eTag], let own = head.headers[.eTag], tag != own { return false }
        // The whole may have become shorter than what is there: there is no range from our count on then.
        guard bytes.lowerBound == count, bytes.upperBound == length - 1 else { return false }
        return Self.isPlain(answer) && Self.isAsLong(answer, length - count)
    }

    /// Whether nothing is said against a body of so many bytes. Transfer-Encoding overrides Content-Length (RFC 9112, section 6.3).
    private static func isAsLong(_ head: ResponseHead, _ count: Int64) -> Bool {
        head.headers[.transferEncoding] != nil || head.headers[values: .contentLength].allSatisfy { Int64($0) == count }
    }

    /// The head of the whole: that of the 200, with the length of the whole (section 15.3.7.3).
    func wholeHead(length: Int64) -> ResponseHead {
        var whole = head
        whole.headers[.contentLength] = String(length)
        whole.headers[.transferEncoding] = nil
        return whole
    }

    // MARK: What a head says

    /// Whether the bytes of the body are those of the resource itself, in one piece.
    private static func isPlain(_ head: ResponseHead) -> Bool {
        let codings = head.headers[.contentEncoding]?.lowercased().split(whereSeparator: { ", \t".contains($0) }) ?? []
        let type = head.headers[.contentType]?.lowercased() ?? ""
        return codings.allSatisfy { $0 == "identity" } && !type.hasPrefix("multipart/byteranges")
    }

    /// Between `Last-Modified` and `Date`, for the first to be strong. The RFC wants a second and clocks that agree, or as much more as
    /// clocks may differ by; its predecessor made that a minute.
    private static let clockDifference: TimeInterval = 60

    /// An entity tag that isn't weak; the date only without any tag, and where the body can't have changed twice in its second
    /// (sections 8.8.2.2 and 13.1.5).
    static func strongValidator(of headers: HTTPFields) -> String? {
        if let tag = headers[.eTag] {
            return tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") ? tag : nil
        }
        guard let modified = headers[.lastModified], let since = HTTPDate.parse(modified),
            let date = headers[.date].flatMap({ HTTPDate.parse($0) }),
            date.timeIntervalSince(since) >= clockDifference
        else { return nil }
        return modified
    }
}

/// A `Content-Range` in bytes (RFC 9110, section 14.4), both ends inclusive.
///
///     bytes 100-199/500   bytes 100-199/*   bytes */500        nil: bytes 200-100/500, bytes 0-500/500, items 0-1/2
package enum ContentRange: Sendable, Hashable {
    /// `length` is that of the whole, `nil` for `*`.
    case part(ClosedRange<Int64>, length: Int64?)
    /// What a 416 says: no byte of the range is there, but the whole has this length.
    case none(length: Int64)

    package init?(_ text: String) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let length = Self.number(halves[1])
        guard length != nil || halves[1] == "*" else { return nil }
        if halves[0] == "*" {
            guard let length else { return nil }
            self = .none(length: length)
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < length ?? .max else { return nil }
        self = .part(first...last, length: length)
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(digits)
    }
}
