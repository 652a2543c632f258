import Base
import HTTPTypes

/// What a private cache may do, as RFC 9111 says it; pure, so a test can ask about any moment.
///
/// Not done, because nothing demands it: `stale-while-revalidate` and `stale-if-error` (a stale answer is asked about, or loaded),
/// parts of bodies (requests with `Range` go past the cache, 206 isn't stored), and storing the answers to `HEAD`. `immutable` has
/// nothing to do: what is fresh isn't asked about anyway.
enum CacheRules {
    /// What is to be done with a request.
    enum Decision: Sendable, Hashable {
        /// Nothing is sent.
        case take(StoredResponse)
        /// Goes out with these fields in addition; a 304 means that the stored answer is good.
        case validate(StoredResponse, HTTPFields)
        /// Goes out; the answer may be stored.
        case load
        /// Goes out as if there were no cache.
        case bypass
        /// May not go out, and nothing is stored.
        case refuse
    }

    /// - Parameter stored: the answers of this URL.
    static func decide(_ request: TransferRequest, stored: [StoredResponse], at now: Date) -> Decision {
        let headers = request.request.headers
        let control = CacheControl(headers)
        let mayLoad = request.cachePolicy != .dontLoad && !control.contains("only-if-cached")
        guard isCacheable(request), !control.contains("no-store"), request.cachePolicy != .bypass else {
            return mayLoad ? .bypass : .refuse
        }
        guard request.cachePolicy != .reloadIgnoringLocal else { return .load }
        let candidates = stored.filter { $0.answers(request) }
        guard let latest = candidates.max(by: { date($0) < date($1) }) else { return mayLoad ? .load : .refuse }
        if request.cachePolicy != .useProtocol || isUsable(latest, by: control, headers, at: now) { return .take(latest) }
        guard mayLoad else { return .refuse }
        let validators = validators(of: latest)
        return validators.isEmpty || request.request.method == .head ? .load : .validate(latest, validators)
    }

    /// Whether the cache is concerned with the request at all: it is a GET, or a HEAD, which a stored GET can answer, and it has no
    /// conditions of its own.
    static func isCacheable(_ request: TransferRequest) -> Bool {
        guard request.request.method == .get || request.request.method == .head, request.request.body == .none else { return false }
        return conditions.allSatisfy { request.request.headers[$0] == nil }
    }

    private static let conditions: [HTTPField.Name] = [
        .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
    ]

    // MARK: Freshness (section 4.2)

    /// Without asking the server (section 4): fresh, as far as the request demands, or stale as far as it puts up with it.
    private static func isUsable(_ stored: StoredResponse, by control: CacheControl, _ headers: HTTPFields, at now: Date) -> Bool {
        let answer = CacheControl(stored.headers)
        if answer.contains("no-cache") || control.contains("no-cache") { return false }
        // Section 5.4: only where there is no Cache-Control.
        if headers[.cacheControl] == nil, headers[pragma]?.lowercased().contains("no-cache") == true { return false }
        let age = age(of: stored, at: now)
        if let limit = control.seconds("max-age"), age > limit { return false }
        let left = freshness(of: stored) - age
        if let wanted = control.seconds("min-fresh"), left < wanted { return false }
        if left > 0 { return true }
        guard control.contains("max-stale"), !answer.contains("must-revalidate") else { return false }
        return control.isBare("max-stale") || -left <= control.seconds("max-stale") ?? 0
    }

    private static let pragma = HTTPField.Name("Pragma")!

    /// Section 4.2.3.
    static func age(of stored: StoredResponse, at now: Date) -> TimeInterval {
        let headers = stored.headers
        let apparent = max(0, stored.received.timeIntervalSince(date(stored)))
        // When the field occurs several times, the first one counts (section 5.1).
        let stated = headers[.age].flatMap { CacheControl.seconds(in: $0.prefix { $0 != "," && $0 != " " }) } ?? 0
        let corrected = stated + max(0, stored.received.timeIntervalSince(stored.requested))
        return max(apparent, corrected) + max(0, now.timeIntervalSince(stored.received))
    }

    /// The seconds for which it is fresh, counted from its date. `s-maxage` is for shared caches. When the server says nothing, this is a
    /// tenth of the time since it was last modified, and at most a week (section 4.2.2).
    static func freshness(of stored: StoredResponse) -> TimeInterval {
        let headers = stored.headers
        if let seconds = CacheControl(headers).seconds("max-age") { return seconds }
        if let text = headers[.expires] {
            // `0` and other invalid dates lie in the past.
            return HTTPDate.parse(text, now: stored.received).map { $0.timeIntervalSince(date(stored)) } ?? 0
        }
        guard heuristicStatuses.contains(stored.status),
            let modified = headers[.lastModified].flatMap({ HTTPDate.parse($0, now: stored.received) })
        else { return 0 }
        return min(max(0, date(stored).timeIntervalSince(modified)) / 10, 7 * 86_400)
    }

    /// When the server made it, or when it arrived if the server doesn't say.
    static func date(_ stored: StoredResponse) -> Date {
        stored.headers[.date].flatMap { HTTPDate.parse($0, now: stored.received) } ?? stored.received
    }

    /// The statuses that are cacheable by default (RFC 9110, section 15.1), except for 206.
    private static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    // MARK: Validation (section 4.3)

    static func validators(of stored: StoredResponse) -> HTTPFields {
        var fields = HTTPFields()
        let headers = stored.headers
        if let tag = headers[.eTag] { fields[.ifNoneMatch] = tag }
        if let date = headers[.lastModified] { fields[.ifModifiedSince] = date }
        return fields
    }

    /// The stored answer with what a 304 says in addition (sections 3.2 and 4.3.4).
    static func updated(
        _ stored: StoredResponse, by head: ResponseHead, to request: TransferRequest, requested: Date, received: Date
    ) -> StoredResponse {
        var updated = stored
        updated.requested = requested
        updated.received = received
        let news = head.headers.filter { !kept.contains($0.name) && $0.name != .setCookie }
        let names = Set(news.map(\.name))
        // An age that isn't told anew was that of the old answer.
        updated.fields.removeAll { line in HTTPField.Name(line.name).map { names.contains($0) || $0 == .age } ?? false }
        updated.fields += news.map { .init(name: $0.name.rawName, value: $0.value) }
        // Every 304 may name others.
        updated.fields = Array(updated.fields.prefix(HTTPFields.limit))
        // It may name other fields in `Vary`, and this request is one that it answers.
        updated.selecting = StoredResponse.selecting(updated.headers, of: request)
        return updated
    }

    /// What describes the bytes that are stored, or the connection.
    private static let kept: Set<HTTPField.Name> = [
        .contentLength, .contentEncoding, .contentRange, .connection, .transferEncoding, .te, .trailer, .upgrade,
        .proxyAuthenticate, .proxyAuthorization, HTTPField.Name("Keep-Alive")!, HTTPField.Name("Proxy-Authentication-Info")!,
    ]

    // MARK: Storing (section 3) and forgetting (section 4.4)

    static func mayStore(_ head: ResponseHead, to request: TransferRequest) -> Bool {
        guard request.request.method == .get, isCacheable(request), request.cachePolicy != .bypass,
            !CacheControl(request.request.headers).contains("no-store")
        else { return false }
        let control = CacheControl(head.headers)
        guard !control.contains("no-store"), !head.headers[values: .vary].contains(where: { $0.contains("*") }),
            head.status.code != 206, head.status.code != 304, head.status.kind != .informational
        else { return false }
        // `private` and an answer to Authorization are for others' caches to refuse.
        return heuristicStatuses.contains(head.status.code) || control.contains("public") || control.contains("private")
            || control.contains("max-age") || head.headers[.expires] != nil
    }

    /// The URLs whose answers an unsafe request has made old: its own, and those that the answer names on the same origin.
    static func invalidated(by head: ResponseHead, to request: Request) -> [String] {
        guard !request.method.isSafe, [.successful, .redirection].contains(head.status.kind) else { return [] }
        let named = [HTTPField.Name.location, .contentLocation].compactMap { name -> URL? in
            guard let url = head.headers[name].flatMap({ URL(international: $0, relativeTo: request.url)?.absoluteURL }) else {
                return nil
            }
            let isSameOrigin =
                url.lowercasedHost == request.url.lowercasedHost && url.effectivePort == request.url.effectivePort
                && url.lowercasedScheme == request.url.lowercasedScheme
            return isSameOrigin ? url : nil
        }
        return ([request.url] + named).map(StoredResponse.key)
    }
}

/// The directives of `Cache-Control` (RFC 9111, section 5.2). Their names are compared in any case; of two directives with the same name
/// the first one counts.
struct CacheControl: Sendable, Hashable {
    private var directives: [String: String] = [:]

    init(_ headers: HTTPFields) {
        for field in headers[values: .cacheControl] {
            for piece in FieldSyntax.pieces(of: field, separatedBy: ",") {
                let halves = piece.halves(at: "=")
                let name = FieldSyntax.trimmed(halves?.before ?? piece).lowercased()
                guard !name.isEmpty, directives[name] == nil else { continue }
                directives[name] = halves.map { FieldSyntax.unquoted(FieldSyntax.trimmed($0.behind)) } ?? ""
            }
        }
    }

    /// Whether the directive is there, with an argument or without.
    func contains(_ name: String) -> Bool { directives[name] != nil }

    /// Seconds. One that isn't a number is taken for 0, which is the careful way (section 4.2.1).
    func seconds(_ name: String) -> Double? {
        directives[name].map { Self.seconds(in: $0[...]) ?? 0 }
    }

    /// The longest time that a field can express, in seconds (section 1.2.2).
    static let mostSeconds = 2_147_483_648.0

    /// - Returns: `nil` for anything but digits.
    static func seconds(in text: Substring) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Double(text) ?? 0, mostSeconds)
    }

    /// `max-stale` without a number: any age.
    func isBare(_ name: String) -> Bool { directives[name] == "" }
}
