import Base
import CurlTransport
import HTTPTypes
import NetworkLayer

/// `-z DATE`, `-z -DATE`, `-z FILE`.
struct TimeCondition: Hashable {
    /// Whether only what did *not* change is wanted.
    private var isNegated: Bool
    private var date: Date

    /// - Returns: `nil` for what is neither a date nor a file: so `-z FILE -o FILE` gets a file that isn't there yet.
    init?(_ text: String, now: Date) {
        isNegated = text.hasPrefix("-")
        let rest = String(isNegated || text.hasPrefix("+") ? text.dropFirst() : text[...])
        let date =
            HTTPDate.parse(rest, now: now)?.date ?? Self.isoDate(rest) ?? CurlDate.parse(rest) ?? FilePaths.modificationDate(rest)
        guard let date else { return nil }
        self.date = date
    }

    var field: HTTPField.Name { isNegated ? .ifUnmodifiedSince : .ifModifiedSince }
    var value: String { HTTPDate.string(from: date) }

    static func note(_ text: String) -> String {
        "-z \(text) is neither a date nor a file, and is left out. Write 2024-05-01, 2024-05-01T12:00:00Z or "
            + "'Wed, 01 May 2024 12:00:00 GMT'."
    }

    /// Whether an answer is what was wanted: a server may send all of it, and say that it is old.
    func isMet(by head: ResponseHead, now: Date) -> Bool {
        guard let changed = head.headers[.lastModified].flatMap({ HTTPDate.parse($0, now: now)?.date }) else { return true }
        return isNegated ? changed < date : changed > date
    }

    private static func isoDate(_ text: String) -> Date? {
        (try? Date(text, strategy: .iso8601)) ?? (try? Date("\(text)T00:00:00Z", strategy: .iso8601))
    }
}
