package import FoundationEssentials
import HTTPTypes

/// A response as it may be kept for later: fields and parameters that are credentials by their names are masked in it.
extension Redaction {
    /// In ASCII, which header fields and URLs take alone.
    package static let keptMask = "******"

    package func kept(_ response: Response) -> Response {
        var response = response
        response.originalRequest = kept(response.originalRequest)
        if var info = response.info {
            info.finalRequest = kept(info.finalRequest)
            info.head = kept(info.head)
            response.info = info
        }
        response.metrics.attempts = response.metrics.attempts.map { attempt in
            var attempt = attempt
            attempt.request = kept(attempt.request)
            attempt.head = attempt.head.map(kept)
            attempt.sentHead = attempt.sentHead.map(head)
            if let location = attempt.redirect?.location { attempt.redirect?.location = ascii(url(location)) }
            return attempt
        }
        return response
    }

    private func kept(_ request: Request) -> Request {
        var request = request
        request.url = kept(request.url)
        request.headers = kept(request.headers)
        if case .data(let data) = request.body, let type = request.headers[.contentType],
            let text = String(validating: data, as: UTF8.self)
        {
            request.body = .data(Data(ascii(body(text, type: type)).utf8))
        }
        return request
    }

    private func kept(_ head: ResponseHead) -> ResponseHead {
        var head = head
        head.headers = kept(head.headers)
        // What is no text stays as it came.
        if let text = String(validating: head.raw, as: UTF8.self) { head.raw = Data(self.head(text).utf8) }
        return head
    }

    package func kept(_ url: URL) -> URL { URL(string: ascii(self.url(url.absoluteString))) ?? url }

    private func kept(_ fields: HTTPFields) -> HTTPFields {
        HTTPFields(fields.map { HTTPField(name: $0.name, value: ascii(masked($0.value, of: $0.name.rawName))) })
    }

    /// A head as it went over the wire.
    private func head(_ text: String) -> String {
        text.pieces(at: "\n").enumerated().map { index, line in
            let end = line.ends(with: "\r") ? "\r" : ""
            let line = end.isEmpty ? line : Substring(line.unicodeScalars.dropLast())
            guard index > 0, let (name, value) = line.halves(at: ":") else { return ascii(url(String(line))) + end }
            let rest = Substring(value.unicodeScalars.drop { $0 == " " })
            let start = value[..<rest.startIndex]
            return name + ":" + start + ascii(masked(String(rest), of: String(name))) + end
        }.joined(separator: "\n")
    }

    private func ascii(_ parts: [Part]) -> String { ascii(parts.map(\.text).joined()) }

    private func ascii(_ text: String) -> String { text.replacing(scalars: Redactor.mask, with: Self.keptMask) }
}
