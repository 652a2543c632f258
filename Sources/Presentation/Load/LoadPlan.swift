package import Base
import NetworkLayer
package import RequestCollections

/// How often a request is sent, and how many at once.
///
/// *Closed*: the next one begins when one is over, so a slow server is asked less often. *Open*: each one has its due time, `start + i / rate`,
/// whatever became of those before it.
package struct LoadPlan: Sendable, Hashable {
    /// `nil`: as many as the duration has room for.
    package var count: Int?
    package var duration: Duration?
    /// A second; `nil`: closed.
    package var rate: Double?
    package var atOnce: Int

    package init(count: Int? = nil, duration: Duration? = nil, rate: Double? = nil, atOnce: Int = 1) {
        self.count = count
        self.duration = duration
        self.rate = rate
        self.atOnce = atOnce
    }

    /// Modest: nobody minds it.
    package static let standard = LoadPlan(count: 100, atOnce: 4)

    package var isOpen: Bool { rate != nil }
    /// The time between two due times.
    package var interval: Duration? { rate.map { .nanoseconds(Int64(1e9 / $0)) } }

    /// How many are to be sent, where that is known.
    package var expected: Int? {
        guard let rate, let duration else { return count }
        let due = Int(min(1e15, (duration.inSeconds * rate).rounded(.up)))
        return count.map { min($0, due) } ?? due
    }

    /// `rate 50/s, at most 8 at once`, `closed, 4 at once`
    package var title: String {
        rate.map { "rate \(Self.text($0))/s, at most \(Figures.count(atOnce)) at once" }
            ?? "closed, \(Figures.count(atOnce)) at once"
    }

    /// One decimal where it has one.
    package static func text(_ rate: Double) -> String {
        let tenths = Int(min(1e15, (rate * 10).rounded()))
        return tenths % 10 == 0 ? Figures.count(tenths / 10) : "\(Figures.count(tenths / 10)).\(tenths % 10)"
    }

    /// A second; not less than one in an hour, nor more than a machine can begin.
    package static let rates = 1.0 / 3600...100_000

    /// A run beyond these numbers is a load, which not every server's owner welcomes.
    package enum Modest {
        package static let count = 1000
        package static let atOnce = 16
        package static let rate = 20.0
        package static let duration = Duration.seconds(60)
    }

    /// What makes it a load: `2,000 requests`, `32 at once`; nothing for what is modest.
    ///
    /// - Parameter requests: how many requests each round sends.
    package func excesses(requests: Int = 1) -> [String] {
        var excesses: [String] = []
        let (all, isBeyond) = (expected ?? 0).multipliedReportingOverflow(by: requests)
        if isBeyond || all > Modest.count { excesses.append(Figures.count(isBeyond ? .max : all, "request")) }
        if atOnce > Modest.atOnce { excesses.append("\(Figures.count(atOnce)) at once") }
        if let rate, rate * Double(requests) > Modest.rate { excesses.append("\(Self.text(rate * Double(requests)))/s") }
        if let duration, duration > Modest.duration { excesses.append(DurationText.format(duration)) }
        return excesses
    }
}

/// Whose server a request goes to.
package enum LoadHost {
    /// Where a request goes, as far as that is known before anything is asked for or sent. What else it lacks doesn't matter.
    package static func url(
        of definition: RequestDefinition, in collection: RequestCollection, environment: String?,
        variables: [String: RequestCollections.JSONValue], processEnvironment: [String: String] = [:]
    ) -> URL? {
        var bare = definition
        bare.headers = []
        bare.cookies = []
        bare.body = nil
        bare.auth = AuthDefinition.none
        for definition in [definition, bare] {
            let resolved = try? collection.resolve(
                definition, environment: environment, variables: variables,
                with: TemplateEnvironment(processEnvironment: processEnvironment, mode: .show))
            if let resolved { return resolved.request.url }
        }
        return nil
    }

    /// Whether it is this machine: `localhost` and names below it, 127.0.0.0/8, ::1.
    package static func isLoopback(_ host: String) -> Bool {
        var host = host.lowercased()[...]
        if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
        if host.last == "." { host = host.dropLast() }
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
