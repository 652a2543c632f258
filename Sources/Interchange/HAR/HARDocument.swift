/// An HTTP Archive, version 1.2: what browsers, proxies and their tools exchange.
///
/// Names are the format's. Numbers that aren't known are −1, as it says; what it calls optional is absent. Our own additions begin
/// with an underscore, as it asks for.
package struct HARDocument: Hashable, Sendable, Codable {
    package var log: Log

    package struct Log: Hashable, Sendable, Codable {
        package var version: String
        package var creator: Creator
        package var entries: [Entry]
    }

    package struct Creator: Hashable, Sendable, Codable {
        package var name: String
        package var version: String

        package init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// One attempt: a hop of a redirect and a retry have entries of their own.
    package struct Entry: Hashable, Sendable, Codable {
        /// RFC 3339.
        package var startedDateTime: String
        /// Milliseconds: all of ``timings`` that aren't −1, but for `ssl`, which `connect` has in it.
        package var time: Double
        package var request: Request
        package var response: Response
        package var cache = Cache()
        package var timings: Timings
        package var serverIPAddress: String?
        /// The number of the connection; requests over one share it.
        package var connection: String?
        package var comment: String?
        /// `redirect` or `retry`.
        package var _kind: String?
        /// Why there is no response, or only a part of one: the type and the sentence.
        package var _error: String?
    }

    package struct Request: Hashable, Sendable, Codable {
        package var method: String
        package var url: String
        package var httpVersion: String
        package var cookies: [Cookie]
        package var headers: [Field]
        package var queryString: [Field]
        package var postData: PostData?
        package var headersSize: Int64
        package var bodySize: Int64
    }

    package struct Response: Hashable, Sendable, Codable {
        /// 0 when there was none.
        package var status: Int
        package var statusText: String
        package var httpVersion: String
        package var cookies: [Cookie]
        package var headers: [Field]
        package var content: Content
        /// Empty when it isn't a redirect.
        package var redirectURL: String
        package var headersSize: Int64
        package var bodySize: Int64
        /// The fields behind the body, for which the format has no place.
        package var _trailers: [Field]?
    }

    package struct Field: Hashable, Sendable, Codable {
        package var name: String
        package var value: String
        /// The file name of a part of a form, if it is a file.
        package var fileName: String?
        /// The content type of a part of a form.
        package var contentType: String?
    }

    package struct Cookie: Hashable, Sendable, Codable {
        package var name: String
        package var value: String
        package var path: String?
        package var domain: String?
        package var expires: String?
        package var httpOnly: Bool?
        package var secure: Bool?
    }

    package struct PostData: Hashable, Sendable, Codable {
        package var mimeType: String
        package var params: [Field]
        package var text: String
        /// `base64` for what isn't text: the format has no such member for requests.
        package var _encoding: String?
        package var comment: String?
    }

    package struct Content: Hashable, Sendable, Codable {
        /// Bytes, decoded.
        package var size: Int64
        /// Bytes that the compression saved.
        package var compression: Int64?
        package var mimeType: String
        package var text: String?
        /// `base64` for what isn't text.
        package var encoding: String?
        package var comment: String?
    }

    /// Always empty: there is no cache, but the format requires the member.
    package struct Cache: Hashable, Sendable, Codable {
        package init() {}
    }

    /// Milliseconds; −1 for what did not happen.
    package struct Timings: Hashable, Sendable, Codable {
        package var blocked: Double
        package var dns: Double
        package var connect: Double
        package var send: Double
        package var wait: Double
        package var receive: Double
        package var ssl: Double
    }
}
