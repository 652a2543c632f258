import CurlTransport
import FoundationEssentials
import HTTPTypes
import NetworkLayer

// Sends a GET to the URL that is given, tries up to four times while the server is unwell, and prints every attempt.
guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
    fatalError("usage: retry-example URL")
}

var configuration = RequestConfiguration(anatomy: .smallRequestSmallResponse)
configuration.retry = [
    RetryRules(
        attempts: 4, on: [.kind(.connection), .kind(.timeout), .statusClass(5)],
        backoff: RetryBackoff(first: .milliseconds(200), factor: 2, max: .seconds(2), jitter: .full))
]

let client = NetworkClient(transport: CurlTransport())
let queue = try RequestOperationQueue(identifier: "example", client: client)
let response = await queue.enqueue(.get(url), configuration: configuration).response

for attempt in response.metrics.attempts {
    let outcome = attempt.error?.message ?? attempt.head.map { "status \($0.status.code)" } ?? "no answer"
    print("\(attempt.number) \(attempt.kind) \(attempt.duration ?? .zero): \(outcome)")
    for name in Phases.Name.allCases {
        if let phase = attempt.phases[name] { print("    \(name) \(phase.duration)") }
    }
}
print(response.error?.message ?? "\(response.info?.body.count ?? 0) bytes of body")
