/// A limit of concurrency that finds itself: Netflix's Gradient2, of their library concurrency-limits.
///
/// It compares how long the latest answer took with how long answers take in the long run. As long as that is the same, the
/// limit grows; when answers get slower, a line is building up somewhere, and the limit shrinks in the same measure:
///
///     gradient = clamp(long / short, 0.5 ... 1)        new = limit × gradient + queueSize
///     limit    = clamp((1 − smoothing) × limit + smoothing × new, minimum ... maximum)
///
/// It doesn't grow while less than half of it is used: nothing is learned from that. When the long-run time is more than twice
/// the latest, it belongs to a slow spell that is over, and fades by a tenth each time.
public struct Gradient2Limit: Sendable, Hashable {
    /// The figures that this limit was made with; they stay the same for its life.
    public let parameters: Parameters
    private var estimate: Double
    private var longRun: ExponentialAverage

    /// The figures of the formula above. The initialiser clamps them; a value that is assigned later is taken as it is.
    public struct Parameters: Sendable, Hashable {
        /// How many requests may be under way before anything has been measured.
        public var initial: Int
        /// The limit never falls below this.
        public var minimum: Int
        /// The limit never rises above this.
        public var maximum: Int
        /// How many may wait at the server when nothing is slow: what makes the limit grow.
        public var queueSize: Int
        /// How much of a new value is taken over at once, 0 to 1.
        public var smoothing: Double
        /// Over how many answers the long-run time is averaged.
        public var longWindow: Int

        /// Netflix's figures, but for a host instead of a server: from 6 instead of 20, and down to 1.
        public init(
            initial: Int = 6, minimum: Int = 1, maximum: Int = 200, queueSize: Int = 4, smoothing: Double = 0.2,
            longWindow: Int = 600
        ) {
            self.minimum = max(1, minimum)
            self.maximum = max(self.minimum, maximum)
            self.initial = min(max(initial, self.minimum), self.maximum)
            self.queueSize = max(0, queueSize)
            self.smoothing = min(max(smoothing, 0), 1)
            self.longWindow = max(1, longWindow)
        }
    }

    /// A limit that begins at `parameters.initial`.
    public init(_ parameters: Parameters = .init()) {
        self.parameters = parameters
        self.estimate = Double(parameters.initial)
        self.longRun = ExponentialAverage(window: parameters.longWindow)
    }

    /// How many may be under way.
    public var limit: Int { Int(estimate) }

    /// Takes in how long an answer took.
    ///
    /// - Parameter inFlight: how many were under way when it came, itself included.
    public mutating func take(_ roundTrip: Duration, inFlight: Int) {
        let short = roundTrip.inSeconds
        guard short > 0 else { return }
        longRun.add(short)
        let long = longRun.value
        if long / short > 2 { longRun.scale(by: 0.9) }
        guard Double(inFlight) >= estimate / 2 else { return }
        let gradient = min(max(long / short, 0.5), 1)
        let target = estimate * gradient + Double(parameters.queueSize)
        let smoothed = (1 - parameters.smoothing) * estimate + parameters.smoothing * target
        estimate = min(max(smoothed, Double(parameters.minimum)), Double(parameters.maximum))
    }
}

/// An average in which what is long ago counts less; of the first ten values, the plain one.
private struct ExponentialAverage: Sendable, Hashable {
    let window: Int
    private(set) var value = 0.0
    private var count = 0
    private static let warmUp = 10

    init(window: Int) {
        self.window = window
    }

    mutating func add(_ sample: Double) {
        if count < min(Self.warmUp, window) {
            value = (value * Double(count) + sample) / Double(count + 1)
            count += 1
        } else {
            let weight = 2 / Double(window + 1)
            value = value * (1 - weight) + sample * weight
        }
    }

    mutating func scale(by factor: Double) {
        value *= factor
    }
}
