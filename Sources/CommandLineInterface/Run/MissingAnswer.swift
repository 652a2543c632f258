import Base
import CollectionRunner
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections

/// Why there is no whole answer to a request, as a reason of its failure: `shop.yaml:41:3: expected a response, and found none: …`.
struct MissingAnswer {
    /// As the result has it: without secrets.
    let sentence: String
    let response: Response
    /// Where the request stands.
    let location: SourceLocation
    let redactor: Redactor

    var cause: RunOutcome.Cause {
        // The sentence begins with a place of its own: that of a command, or of an authorization.
        if [.hydrationFailed, .authorizationFailed].contains(response.error?.code) { return RunOutcome.Cause(sentence) }
        // One that redirects was there as a whole.
        let isPart = response.info.map { !(300..<400).contains($0.head.status.code) } ?? false
        let found = isPart ? "expected a whole response, and found a part of one" : "expected a response, and found none"
        guard let timeout else { return RunOutcome.Cause("\(location): \(found): \(sentence)", at: location, hiding: redactor) }
        return RunOutcome.Cause("\(location): \(found): \(timeout)", at: location, evidence: [sentence], hiding: redactor)
    }

    /// `timeouts.operation, 10 s, passed in the phase wait (connected in 12 ms, sent 214 B, 0 B came)`
    private var timeout: String? {
        let metrics = response.metrics
        let (name, limit): (String, Duration?)
        switch response.error?.code {
        case .operationTimedOut?: (name, limit) = ("operation", metrics.timeouts.operation)
        case .attemptTimedOut?: (name, limit) = ("attempt", metrics.timeouts.attempt)
        case .idleTimedOut?: (name, limit) = ("idle", metrics.timeouts.idle)
        case .connectTimedOut?: (name, limit) = ("connect", metrics.timeouts.connect)
        default: return nil
        }
        let start = "timeouts.\(name)" + (limit.map { ", \(Figures.duration($0))," } ?? "") + " passed"
        guard let attempt = metrics.attempts.last, let phase = Phases.Name.allCases.last(where: { attempt.phases[$0] != nil })
        else {
            return "\(start) before anything was sent"
        }
        return "\(start) in the phase \(phase.rawValue) (\(Self.progress(of: attempt)))"
    }

    private static func progress(of attempt: AttemptMetrics) -> String {
        let opening = [Phases.Name.dns, .connect, .tls].compactMap { attempt.phases[$0]?.duration }
        let isConnected = attempt.phases.send != nil || attempt.phases.wait != nil
        let connection =
            !isConnected
            ? "not connected"
            : opening.isEmpty ? "on an open connection" : "connected in \(Figures.duration(opening.reduce(.zero, +)))"
        let bytes = attempt.bytes
        return "\(connection), sent \(Figures.bytes(bytes.requestHead + bytes.requestBody)), "
            + "\(Figures.bytes(bytes.responseHead + bytes.responseBody)) came"
    }
}
