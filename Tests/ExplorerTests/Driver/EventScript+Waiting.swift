import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting

extension EventScript {
    /// A head of this type has come; the body is still to come.
    static func receiving(_ contentType: String) -> EventScript {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, Request(url: URL(string: "http://api.example.org/events")!))
        script.send(at: script.connect(at: 2, dns: 8, tcp: 21))
        script.head(at: 100, status: 200, headers: [.contentType: contentType])
        return script
    }

    /// Answered with 503, and tried again in 4 s.
    static func waitingToRetry(operation: Int = 1) -> EventScript {
        var script = EventScript(operation: operation)
        script.start()
        script.attempt(at: 1, Request(url: URL(string: "http://api.example.org/orders")!))
        script.send(at: script.connect(at: 2, dns: 8, tcp: 21))
        script.head(at: 370, status: 503, headers: [.contentType: "application/json", .retryAfter: "4"])
        script.download(at: 372, 22, of: 22)
        script.endAttempt(at: 374, .retrying)
        script.at(374, .retryDecision(.retry(after: .seconds(4), reason: "status 503, try 2 of 4"), by: "retry rules"))
        script.move(at: 374, to: .waitingToRetry)
        script.at(374, .retryScheduled(after: .seconds(4)))
        return script
    }
}
