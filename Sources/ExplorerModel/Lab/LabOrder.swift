package import Presentation
package import RequestCollections

/// One of the ways in which the lab sends a request.
package struct LabWay: Sendable, Hashable {
    /// `HTTP/2`, `cold`, `stage`.
    package var title: String
    package var definition: RequestDefinition
    package var environment: String?
    /// Each time over a new connection.
    package var isCold = false
}

/// What the lab is to send, how often, and in which ways: one after the other, so that a drift hits all of them.
package struct LabOrder: Sendable, Hashable {
    /// Counts the runs of the lab: what comes of an earlier one isn't shown as this one's.
    package var number: Int
    package var collection: String
    package var ways: [LabWay]
    package var plan: LoadPlan
}

/// The results since the last report, at most ten times a second.
package struct LabProgress: Sendable {
    package var number: Int
    /// One for each way.
    package var figures: [LoadFigures]
    /// The same, of what ended in the last ten seconds.
    package var recent: [LoadFigures]
    package var isOver: Bool
    /// Why nothing was sent.
    package var failure: String?

    package init(number: Int, figures: [LoadFigures], recent: [LoadFigures] = [], isOver: Bool, failure: String? = nil) {
        self.recent = recent
        self.number = number
        self.figures = figures
        self.isOver = isOver
        self.failure = failure
    }
}
