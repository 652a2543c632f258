import FoundationEssentials
import HTTPTypes
import NetworkLayer

extension Request {
    static func get(_ url: String, headers: HTTPFields = [:]) -> Request {
        Request(url: URL(string: url)!, headers: headers)
    }

    static func post(_ url: String, headers: HTTPFields = [:], body: RequestBody = .data(Data("body".utf8))) -> Request {
        Request(url: URL(string: url)!, method: .post, headers: headers, body: body)
    }
}
