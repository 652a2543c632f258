public import Base
public import HTTPTypes

/// The status line and header fields of a response.
public struct ResponseHead: Sendable, Hashable {
    /// Its code and the server's own words for it, which HTTP/2 doesn't send.
    public var status: HTTPResponse.Status
    /// `HTTP/1.1`, `HTTP/2` …
    public var version: String
    /// In the server's order, repeated fields apart.
    public var headers: HTTPFields
    /// The bytes of the head as received, for "raw"; for HTTP/2 as libcurl writes them out.
    public var raw: Data

    /// A head; `raw` is empty where it never went over a wire.
    public init(status: HTTPResponse.Status, version: String = "HTTP/1.1", headers: HTTPFields = [:], raw: Data = Data()) {
        self.status = status
        self.version = version
        self.headers = headers
        self.raw = raw
    }
}
