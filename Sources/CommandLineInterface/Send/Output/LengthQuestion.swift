import HTTPTypes
import NetworkLayer
import Presentation

/// Whether more of a body than usual may go into a file.
struct LengthQuestion {
    /// Bytes that nobody has to be asked about.
    let limit: Int64
    private var count: Int64 = 0

    init(limit: Int64) {
        self.limit = limit
    }

    /// What has to be asked before so many more bytes are written; `nil`: nothing.
    ///
    /// - Parameter head: says, maybe, how long the body is.
    mutating func text(adding more: Int, of head: ResponseHead?) -> String? {
        count += Int64(more)
        let length = head?.headers[.contentLength].flatMap { Int64($0) }
        guard max(count, length ?? 0) > limit else { return nil }
        let fact = length.map { "has \(Figures.bytes($0))" } ?? "is larger than \(Figures.bytes(limit))"
        return "The body \(fact). Go on? [y/N] "
    }
}
