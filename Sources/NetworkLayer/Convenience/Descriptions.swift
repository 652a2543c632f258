import Base
import HTTPTypes

extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `GET https://birds.example/knot?…`: neither the values of its query nor a password, its host alone where it has
    /// ``RequestSecrets``. A log in full is ``LogObserver``'s, a command is ``CurlCommand``'s.
    public var description: String {
        guard secrets.uses.isEmpty, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return target }
        let hasQuery = parts.percentEncodedQuery != nil
        (parts.user, parts.password, parts.percentEncodedQuery, parts.fragment) = (nil, nil, nil, nil)
        return "\(method.rawValue) \(parts.string ?? target)\(hasQuery ? "?…" : "")"
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Response: CustomStringConvertible {
    /// `200 OK, 149 bytes, to GET https://birds.example/knot`, or the sentence of its error.
    public var description: String {
        let error = error.map { "\($0.message) " } ?? ""
        guard let info else { return "\(error)No answer to \(originalRequest)" }
        let status = info.head.status
        return "\(error)\(status.code) \(status.reasonPhrase), \(info.body.count) bytes, to \(info.finalRequest)"
    }
}
