import Base
import HTTPTypes

extension Redactor {
    /// The event with every text in it redacted: what shows or keeps it can't tell what it doesn't know.
    ///
    /// An event without text, such as progress, costs nothing.
    package func event(_ event: NetworkEvent) -> NetworkEvent {
        guard !isEmpty || event.kind.saysWhatIsSecret else { return event }
        var event = event
        event.kind = kind(event.kind)
        return event
    }

    /// The response with every text in it redacted, and its body as far as it is in memory; one in a file stays as it came.
    package func response(_ response: Response) -> Response {
        guard !isEmpty || response.metrics.attempts.contains(where: { !$0.request.secrets.uses.isEmpty }) else { return response }
        var response = response
        response.originalRequest = request(response.originalRequest)
        response.error = response.error.map(error)
        if var info = response.info {
            info.finalRequest = request(info.finalRequest)
            info.head = head(info.head)
            info.body = body(info.body, contentType: info.head.headers[.contentType])
            response.info = info
        }
        response.metrics.attempts = response.metrics.attempts.map(attempt)
        response.metrics.error = response.metrics.error.map(error)
        return response
    }

    private func kind(_ kind: NetworkEvent.Kind) -> NetworkEvent.Kind {
        switch kind {
        case .hostSanitized(let from, let to): .hostSanitized(from: text(from), to: text(to))
        case .preparationFailed(let step, let error): .preparationFailed(step, self.error(error))
        case .attemptStarted(let kind, let request): .attemptStarted(kind, self.request(request))
        case .resolveStarted(let host): .resolveStarted(host: text(host))
        case .authenticationStep(let head): .authenticationStep(self.head(head))
        case .requestHeadSent(let head): .requestHeadSent(text(head))
        case .informational(let head): .informational(self.head(head))
        case .head(let head): .head(self.head(head))
        case .redirect(let hop): .redirect(self.hop(hop))
        case .sessionClosed(let close, let counts): .sessionClosed(self.close(close), counts)
        case .attemptEnded(let metrics): .attemptEnded(attempt(metrics))
        case .completed(let state, let error): .completed(state, error.map(self.error))
        case .enqueued, .transition, .waitsFor, .configurationWarning, .prepared, .cache, .resolveEnded, .connectStarted,
            .connectFailed, .connectEnded, .tlsStarted, .quicStarted, .tlsEnded, .connectionAcquired, .leftoverDropped, .resent,
            .uploadProgress,
            .requestSent,
            .backoffSignalled, .downloadProgress, .sessionOpened, .sessionProgress, .challenge, .retryDecision, .retryScheduled,
            .retryStarted:
            kind
        }
    }

    private func attempt(_ metrics: AttemptMetrics) -> AttemptMetrics {
        var metrics = metrics
        metrics.request = request(metrics.request)
        metrics.head = metrics.head.map(head)
        metrics.error = metrics.error.map(error)
        metrics.sentHead = metrics.sentHead.map(text)
        metrics.trailers = metrics.trailers.map { .init(name: $0.name, value: text($0.value)) }
        metrics.redirect = metrics.redirect.map(hop)
        let close = metrics.session?.close.map(close)
        metrics.session?.close = close
        return metrics
    }

    private func close(_ close: SessionClose) -> SessionClose {
        var close = close
        close.reason = text(close.reason)
        return close
    }

    /// First what the request itself says to be secret, at its place; then what is known to be, wherever it stands.
    func request(_ request: Request) -> Request {
        let secrets = request.secrets
        var request = request
        request.url = url(secrets.masked(request.url.absoluteString, .url), of: request.url)
        request.headers = HTTPFields(
            request.headers.map { field in
                HTTPField(name: field.name, value: text(secrets.masked(field.value, .header(field.name.canonicalName))))
            })
        if case .data(let data) = request.body {
            let contentType = request.headers[.contentType]
            let masked = secrets.ranges(in: .body, count: data.count).isEmpty ? data : secrets.masked(data)
            request.body = .data(bytes(masked, contentType: contentType))
        }
        // The secrets are no longer where they were, and there are none left to find.
        request.secrets = RequestSecrets()
        return request
    }

    private func head(_ head: ResponseHead) -> ResponseHead {
        var head = head
        head.headers = fields(head.headers)
        head.raw = bytes(head.raw)
        return head
    }

    private func hop(_ hop: RedirectHop) -> RedirectHop {
        var hop = hop
        hop.location = text(hop.location)
        return hop
    }

    private func error(_ error: NetworkError) -> NetworkError {
        NetworkError(
            error.code, phase: error.phase, type: error.type, message: text(error.message), systemErrno: error.systemErrno,
            curlCode: error.curlCode, cancelSource: error.cancelSource, underlying: error.underlying.map { self.error($0.error) },
            details: error.details.mapValues(text))
    }

    private func fields(_ fields: HTTPFields) -> HTTPFields {
        HTTPFields(fields.map { field in HTTPField(name: field.name, value: text(field.value)) })
    }

    /// A URL takes ASCII alone, and would write the mask in percent signs.
    private func url(_ masked: String, of url: URL) -> URL {
        let redacted = text(masked)
        guard redacted != url.absoluteString else { return url }
        return URL(string: redacted.replacing(scalars: Self.mask, with: "******")) ?? URL(
            string: "\(url.scheme ?? "http")://******/") ?? url
    }
}

extension NetworkEvent.Kind {
    /// Whether there is a request in it that has secrets at known places.
    fileprivate var saysWhatIsSecret: Bool {
        switch self {
        case .attemptStarted(_, let request): !request.secrets.uses.isEmpty
        case .attemptEnded(let metrics): !metrics.request.secrets.uses.isEmpty
        default: false
        }
    }
}

extension RequestSecrets {
    /// Where secrets stand in a part of this length; none when it has changed since somebody looked.
    fileprivate func ranges(in part: Part, count: Int) -> [Range<Int>] {
        let ranges = uses.filter { $0.part == part && $0.length == count }.flatMap(\.ranges)
        return ranges.sorted { $0.lowerBound < $1.lowerBound }
    }

    fileprivate func masked(_ text: String, _ part: Part) -> String {
        let bytes = Array(text.utf8)
        let ranges = ranges(in: part, count: bytes.count)
        return ranges.isEmpty ? text : String(decoding: Self.masked(bytes, ranges), as: UTF8.self)
    }

    fileprivate func masked(_ data: Data) -> Data { Data(Self.masked(Array(data), ranges(in: .body, count: data.count))) }

    private static func masked(_ bytes: [UInt8], _ ranges: [Range<Int>]) -> [UInt8] {
        var masked: [UInt8] = []
        var position = 0
        for range in ranges where range.upperBound <= bytes.count && range.upperBound > position {
            masked += bytes[position..<max(position, range.lowerBound)]
            if range.lowerBound >= position { masked += Redactor.mask.utf8 }
            position = range.upperBound
        }
        return masked + bytes[position...]
    }
}
