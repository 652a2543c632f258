import Presentation
import RequestCollections

/// One of the ways in which the lab sends a request.
struct LabWay: Sendable, Hashable {
    /// `HTTP/2`, `cold`, `stage`.
    var title: String
    var definition: RequestDefinition
    var environment: String?
    /// Each time over a new connection.
    var isCold = false
}

/// What the lab is to send, how often, and in which ways: one after the other, so that a drift hits all of them.
struct LabOrder: Sendable, Hashable {
    /// Counts the runs of the lab: what comes of an earlier one isn't shown as this one's.
    var number: Int
    var collection: String
    var ways: [LabWay]
    var plan: LoadPlan
}

/// The results since the last report, at most ten times a second.
struct LabProgress: Sendable {
    var number: Int
    /// One for each way.
    var figures: [LoadFigures]
    /// The same, of what ended in the last ten seconds.
    var recent: [LoadFigures]
    var isOver: Bool
    /// Why nothing was sent.
    var failure: String?

    init(number: Int, figures: [LoadFigures], recent: [LoadFigures] = [], isOver: Bool, failure: String? = nil) {
        self.recent = recent
        self.number = number
        self.figures = figures
        self.isOver = isOver
        self.failure = failure
    }
}
