import NetworkLayer
import RequestCollections

/// What runs leave behind for later ones: captured variables, and the last good response of each request.
///
/// It is kept apart by collection and environment: a token of `staging` never goes to `production`.
struct RunMemory: Sendable {
    struct Place: Hashable, Sendable {
        /// The collection's path.
        @ExactText var collection: String
        var environment: String?
        /// The items of loops: what was captured for one is nothing for another one.
        var iterations: [Int] = []

        /// The place and those around it, the outermost first.
        fileprivate var chain: [Place] {
            (0...iterations.count).map {
                Place(collection: collection, environment: environment, iterations: Array(iterations.prefix($0)))
            }
        }
    }

    struct Success: Sendable {
        var time: MonotonicTime
        var response: EarlierResponse
        var captured: [String: CapturedValue] = [:]
    }

    private var captured: [Place: [String: CapturedValue]] = [:]
    private var successes: [Place: [RequestID: Success]] = [:]
    /// Whose responses are kept, the oldest first.
    private var order: [(place: Place, request: RequestID)] = []
    /// Where in it the oldest stands: what went before it is let go of together, now and then.
    private var oldest = 0

    /// Responses may hold bodies.
    static let mostSuccesses = 256

    /// What was captured outside of a loop is seen inside.
    func captured(in place: Place) -> [String: CapturedValue] {
        place.chain.reduce(into: [:]) { all, place in all.merge(captured[place] ?? [:]) { $1 } }
    }

    mutating func capture(_ values: [String: CapturedValue], in place: Place) {
        captured[place, default: [:]].merge(values) { $1 }
    }

    mutating func keep(
        _ response: EarlierResponse, _ captured: [String: CapturedValue] = [:], of request: RequestID, in place: Place,
        at time: MonotonicTime
    ) {
        let success = Success(time: time, response: response, captured: captured)
        if successes[place, default: [:]].updateValue(success, forKey: request) != nil,
            let earlier = order[oldest...].firstIndex(where: { $0.request == request && $0.place == place })
        {
            order.remove(at: earlier)
        }
        order.append((place, request))
        guard order.count - oldest > Self.mostSuccesses else { return }
        successes[order[oldest].place]?[order[oldest].request] = nil
        oldest += 1
        guard oldest == Self.mostSuccesses else { return }
        order.removeFirst(oldest)
        oldest = 0
    }

    /// The last good response, when it isn't older than that; `nil` for the age: however old it is.
    func success(of request: RequestID, in place: Place, within age: Duration?, at now: MonotonicTime) -> Success? {
        guard let success = successes[place]?[request] else { return nil }
        guard let age else { return success }
        return now - success.time <= age ? success : nil
    }
}

/// A response that others may take something from.
struct EarlierResponse: Sendable {
    var info: ResponseInfo?
    /// Finds what of it nobody may see.
    var redactor: Redactor
}

extension RunJob {
    var place: RunMemory.Place {
        RunMemory.Place(collection: collection.path, environment: environment, iterations: iterations.map(\.index))
    }
}
