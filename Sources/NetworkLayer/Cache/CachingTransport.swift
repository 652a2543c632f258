import Base
import HTTPTypes
import Synchronization

/// Answers from a ``ResponseCache`` where its rules and the request's ``CachePolicy`` allow it, and stores what comes.
///
/// A wrapper and not a part of the operation's machine: to the machine a stored answer is an answer, so redirects, retries, progress,
/// limits and consumption treat it like any other. ``NetworkClient`` has one around its transport.
public struct CachingTransport: Transport {
    private let base: any Transport
    private let cache: ResponseCache?
    private let time: any TimeSource

    /// - Parameter cache: `nil`: nothing is stored, and policy `dontLoad` fails always.
    public init(_ base: any Transport, cache: ResponseCache?, time: any TimeSource = SystemTimeSource()) {
        self.base = base
        self.cache = cache
        self.time = time
    }

    public func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
        guard let cache else {
            return request.cachePolicy == .dontLoad ? refuse(request, receive) : base.start(request, receive: receive)
        }
        let stored = CacheRules.isCacheable(request) ? cache.stored(for: request.request.url) : []
        switch CacheRules.decide(request, stored: stored, at: time.date) {
        case .take(let response):
            guard let body = cache.body(of: response) else { return start(request, receive: receive) }
            receive(TransportEvent(time: time.now, kind: .cache(.hit)))
            let head = response.head(age: CacheRules.age(of: response, at: time.date))
            let bytes = request.request.method == .head ? Data() : body
            let player = StoredBodyPlayer(bytes, head: head, result: TransferResult(source: .cache), time: time, receive: receive)
            player.run()
            return player
        case .validate(let response, let validators):
            guard let body = cache.body(of: response) else { return start(request, receive: receive) }
            receive(TransportEvent(time: time.now, kind: .cache(.validating)))
            var conditional = request
            conditional.request.headers.append(contentsOf: validators)
            return load(conditional, original: request, known: (response, body), cache, receive)
        case .load:
            receive(TransportEvent(time: time.now, kind: .cache(.miss)))
            return load(request, original: request, known: nil, cache, receive)
        case .bypass:
            return load(request, original: request, known: nil, cache, receive)
        case .refuse:
            return refuse(request, receive)
        }
    }

    private func load(
        _ request: TransferRequest, original: TransferRequest, known: (StoredResponse, Data)?, _ cache: ResponseCache,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any Transfer {
        let transfer = CachingTransfer(request: original, known: known, cache: cache, time: time, receive: receive)
        transfer.begin(base.start(request) { transfer.handle($0) })
        return transfer
    }

    private func refuse(_ request: TransferRequest, _ receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
        let error = NetworkError(
            .cannotLoadFromNetwork, phase: .request, type: "cache.miss",
            message:
                "There is no stored answer for \(request.request.url.absoluteString), and the request may not go out; use another cache policy than dontLoad."
        )
        receive(TransportEvent(time: time.now, kind: .finished(TransferResult(error: error))))
        return RefusedTransfer()
    }
}

/// The transfer was over before it began.
private struct RefusedTransfer: Transfer {
    func cancel() {}
    func pauseReceiving() {}
    func resumeReceiving() {}
}
