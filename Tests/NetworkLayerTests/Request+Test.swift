import FoundationEssentials
import HTTPTypes
import NetworkLayer

extension Request {
    /// With a body of four bytes.
    static func post(_ url: String, headers: HTTPFields = [:]) -> Request {
        .post(url, headers: headers, body: .data(Data("body".utf8)))
    }
}
