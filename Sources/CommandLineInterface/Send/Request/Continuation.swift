import Base
import CurlTransport
import HTTPTypes
import NetworkLayer
import Presentation

/// `-C`: the rest of a file that is there in part.
///
/// There is nothing to tell from whether the file changed meanwhile (an `If-Range` needs a tag or date, and a file has none), but an
/// answer that is anything else than the rest is never added to it.
struct Continuation: Hashable, Sendable {
    /// Bytes that are there; more than 0.
    var offset: Int64

    /// What an answer is to the file.
    enum Verdict: Hashable {
        /// The rest of it.
        case follows
        /// Nothing of it is missing.
        case isWhole
        /// The answer can't be used; a sentence says why, and what to do.
        case unusable(String)
    }

    /// The value of the field `Range` (RFC 9110, section 14.1.1).
    var range: String { "bytes=\(offset)-" }

    /// | answer                                     | what it is |
    /// |--------------------------------------------|------------|
    /// | 2xx, `Content-Range` from the offset on    | follows    |
    /// | 2xx, and as long as the file is            | is whole   |
    /// | 416, its `Content-Range` is as long or isn't there | is whole |
    /// | anything else                              | unusable   |
    func verdict(on head: ResponseHead) -> Verdict {
        let range = head.headers[.contentRange].flatMap { ContentRange($0) }
        switch head.status.code {
        case 416:
            guard case .none(let length)? = range, length != offset else { return .isWhole }
            return .unusable(
                "the file has \(offset) bytes, and the server's only \(length): it is another one. Leave -C out to get all of it.")
        case 200..<300:
            if case .part(let bytes, _)? = range {
                if bytes.lowerBound == offset { return .follows }
                return .unusable(
                    "the server sends the file from byte \(bytes.lowerBound) on, and not from \(offset). Leave -C out to get all of it."
                )
            }
            if head.headers[.contentLength].flatMap({ Int64($0) }) == offset { return .isWhole }
            return .unusable("the server takes no ranges, and would send the whole file again. Leave -C out to get all of it.")
        default:
            return .unusable("the server answered \(StatusText.text(head.status)), and not with the rest of the file.")
        }
    }
}

extension Continuation {
    /// `nil` without `-C`, and when nothing is there yet.
    init?(_ arguments: SendArguments, _ file: OutputFile?) throws {
        guard let text = arguments.continueAt else { return nil }
        if text == "-" {
            offset = file.flatMap { FilePaths.size($0.path) } ?? 0
        } else if let count = Int64(text), count >= 0 {
            offset = count
        } else {
            throw CommandFailure(.usage, "-C \(text) is no number of bytes. It takes one, or - for as many as the file has.")
        }
        if offset == 0 { return nil }
    }

    /// - Throws: for what can't be meant together.
    static func check(_ arguments: SendArguments) throws {
        guard arguments.continueAt != nil else { return }
        let others = [
            ("-r", arguments.range != nil), ("-T", arguments.upload != nil), ("-J", arguments.usesHeaderName),
            ("-d", !arguments.data.isEmpty && !arguments.putsDataInURL), ("-F", !arguments.form.isEmpty),
            ("--response-body-mode", arguments.bodyModes != nil), ("--remove-on-error", arguments.removesOnError),
        ]
        guard let (option, _) = others.first(where: \.1) else { return }
        throw CommandFailure(.usage, "-C goes on with a download, and \(option) doesn't go with it.")
    }
}

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
            HTTPDate.parse(rest, now: now) ?? Self.isoDate(rest) ?? CurlDate.parse(rest) ?? FilePaths.modificationDate(rest)
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
        guard let changed = head.headers[.lastModified].flatMap({ HTTPDate.parse($0, now: now) }) else { return true }
        return isNegated ? changed < date : changed > date
    }

    private static func isoDate(_ text: String) -> Date? {
        (try? Date(text, strategy: .iso8601)) ?? (try? Date("\(text)T00:00:00Z", strategy: .iso8601))
    }
}
