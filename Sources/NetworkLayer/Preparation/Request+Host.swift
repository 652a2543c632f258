import Base
import HTTPTypes

extension Request {
    /// The request as a host sanitizer wants it (SAN-1), and how it was before; `nil` when nothing changes.
    func sanitized(
        _ decision: HostDecision
    ) throws(NetworkError) -> (Request, RequestOperation.StateMachine.Sanitized)? {
        let (host, addsHost): (String, Bool)
        switch decision {
        case .keep: return nil
        case .block: throw .hostBlocked(url.lowercasedHost ?? "")
        case .change(let new): (host, addsHost) = (new, headers[Self.host] == nil)
        case .changeWithoutHostHeader(let new): (host, addsHost) = (new, false)
        }
        guard host.lowercased() != url.lowercasedHost else { return nil }
        let (moved, authority) = url.replacingHost(by: host)
        guard let moved else { throw .hostUnusable(host, insteadOf: url.lowercasedHost ?? "") }
        var request = self
        request.url = moved
        if addsHost { request.headers[Self.host] = authority }
        return (request, .init(url: url, addsHostHeader: addsHost))
    }

    /// Takes ``sanitized(_:)`` back.
    func before(_ sanitized: RequestOperation.StateMachine.Sanitized?) -> Request {
        guard let sanitized else { return self }
        var request = self
        request.url = sanitized.url
        if sanitized.addsHostHeader { request.headers[Self.host] = nil }
        return request
    }

    private static let host = HTTPField.Name("Host")!
}

extension URL {
    /// The URL with another host, and the old host with its port as the field `Host` has it; no URL when the host can't be one.
    fileprivate func replacingHost(by host: String) -> (URL?, authority: String) {
        let text = absoluteString
        guard let colon = text.firstIndex(of: ":") else { return (nil, "") }
        let start = text[colon...].dropFirst(3).startIndex
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        let hostStart = text[start..<end].lastIndex(of: "@").map(text.index(after:)) ?? start
        let authority = text[hostStart..<end]
        let afterAddress = authority.lastIndex(of: "]") ?? hostStart
        let portStart = authority[afterAddress...].lastIndex(of: ":") ?? end
        // An address of IPv6 has two colons at least; one would be a port, which isn't ours to change.
        let written = host.count { $0 == ":" } > 1 && !host.hasPrefix("[") ? "[\(host)]" : host
        let moved = URL(string: text[..<hostStart] + written + text[portStart...])
        // What isn't a host would have become something else of the URL.
        let bare = written.hasPrefix("[") ? String(written.dropFirst().dropLast()) : written
        guard let moved, moved.isRequestable, moved.lowercasedHost == bare.lowercased() else { return (nil, String(authority)) }
        return (moved, String(authority))
    }
}
