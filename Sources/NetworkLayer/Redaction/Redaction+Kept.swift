package import Base
import HTTPTypes

/// A response as it may be kept for later: fields and parameters that are credentials by their names are masked in it.
extension Redaction {
    /// The mask in ASCII, the only characters that header fields and URLs accept.
    package static let keptMask = "******"

    package func kept(_ response: Response) -> Response {
        var response = response
        // An answer has the same request and the same head in several places.
        var requests = Memo<Request>()
        var heads = Memo<ResponseHead>()
        response.originalRequest = requests.value(for: response.originalRequest, kept)
        if var info = response.info {
            info.finalRequest = requests.value(for: info.finalRequest, kept)
            info.head = heads.value(for: info.head, kept)
            response.info = info
        }
        for index in response.metrics.attempts.indices {
            keep(&response.metrics.attempts[index], &requests, &heads)
        }
        return response
    }

    private func keep(_ attempt: inout AttemptMetrics, _ requests: inout Memo<Request>, _ heads: inout Memo<ResponseHead>) {
        attempt.request = requests.value(for: attempt.request, kept)
        attempt.head = attempt.head.map { heads.value(for: $0, kept) }
        attempt.sentHead = attempt.sentHead.map(head)
        if let location = attempt.redirect?.location { attempt.redirect?.location = ascii(url(location)) }
    }

    /// What was made of a value the last time.
    private struct Memo<Value: Equatable> {
        private var last: (given: Value, made: Value)?

        mutating func value(for given: Value, _ make: (Value) -> Value) -> Value {
            if let last, last.given == given { return last.made }
            let made = make(given)
            last = (given, made)
            return made
        }
    }

    private func kept(_ request: Request) -> Request {
        var request = request
        request.url = kept(request.url)
        request.headers = kept(request.headers)
        if case .data(let data) = request.body, let type = request.headers[.contentType] {
            request.body = .data(kept(data, type: type))
        }
        return request
    }

    /// All else is kept as it was sent, to the byte.
    private func kept(_ data: Data, type: String) -> Data {
        let masked = bytes(data, type: type, mask: Self.keptMask)
        guard masked.hasBytes(Redactor.mask.utf8) else { return masked }
        return Data(ascii(String(decoding: masked, as: UTF8.self)).utf8)
    }

    private func kept(_ head: ResponseHead) -> ResponseHead {
        var head = head
        head.headers = kept(head.headers)
        // What is no text stays as it came.
        if let text = String(validating: head.raw, as: UTF8.self) {
            let kept = self.head(text)
            if kept != text { head.raw = Data(kept.utf8) }
        }
        return head
    }

    package func kept(_ url: URL) -> URL {
        let text = url.absoluteString
        let kept = ascii(self.url(text))
        return kept == text ? url : URL(string: kept) ?? url
    }

    private func kept(_ fields: HTTPFields) -> HTTPFields {
        guard fields.contains(where: { isMasked($0.name.rawName) || Redactor.mask.isIn($0.value) }) else { return fields }
        return HTTPFields(fields.map { HTTPField(name: $0.name, value: ascii(masked($0.value, of: $0.name.rawName))) })
    }

    /// Whether the value of such a field may become another.
    private func isMasked(_ name: String) -> Bool { redacts(name) || namesURL(name) }

    /// A head as it went over the wire.
    private func head(_ text: String) -> String {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return ascii(
            lines.enumerated().map { index, line in
                let end = line.last == UInt8(ascii: "\r") ? "\r" : ""
                let line = Substring(line.dropLast(end.utf8.count))
                guard index > 0, let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
                    return url(String(line)).map(\.text).joined() + end
                }
                let name = String(line[..<colon])
                guard isMasked(name) else { return line + end }
                let value = line[colon...].utf8.dropFirst().drop { $0 == UInt8(ascii: " ") }
                return line[..<value.startIndex] + masked(String(Substring(value)), of: name) + end
            }.joined(separator: "\n"))
    }

    private func ascii(_ parts: [Part]) -> String { ascii(parts.map(\.text).joined()) }

    private func ascii(_ text: String) -> String { text.replacing(scalars: Redactor.mask, with: Self.keptMask) }
}
