import CollectionRunner
import Presentation
import RequestCollections

/// What `check` finds, each thing once.
struct CheckFindings {
    private var all: Set<Finding> = []

    enum Severity: String, Hashable, Encodable {
        case error, warning
    }

    /// A finding, printed in the form that editors and CI systems read: `shop.yaml:12:5: error: …`.
    struct Finding: Hashable, Encodable, CustomStringConvertible {
        var severity: Severity
        var path: String?
        var line: Int?
        var column: Int?
        var message: String

        var description: String {
            let place = path.map { "\($0):\(line ?? 1):\(column ?? 1): " } ?? ""
            return "\(place)\(severity.rawValue): \(message)"
        }
    }

    mutating func add(_ problems: [CollectionProblem], _ severity: Severity) {
        for problem in problems { add(severity, problem.message, at: problem.location) }
    }

    /// What can't be planned.
    mutating func add(_ failures: [RunFailure]) {
        for failure in failures { add(.error, failure.message, at: failure.location) }
    }

    private mutating func add(_ severity: Severity, _ message: String, at location: SourceLocation?) {
        all.insert(
            Finding(severity: severity, path: location?.path, line: location?.line, column: location?.column, message: message))
    }

    var hasErrors: Bool { all.contains { $0.severity == .error } }

    func haveError(at location: SourceLocation) -> Bool {
        all.contains {
            $0.severity == .error && ($0.path, $0.line, $0.column) == (location.path, location.line, location.column)
        }
    }

    /// The findings in the order of the files.
    var sorted: [Finding] {
        all.sorted {
            ($0.path ?? "", $0.line ?? 0, $0.column ?? 0, $0.message) < ($1.path ?? "", $1.line ?? 0, $1.column ?? 0, $1.message)
        }
    }

    /// `2 errors and 1 warning in 12 requests`
    func summary(ofRequests count: Int) -> String {
        func counted(_ severity: Severity) -> String {
            let number = all.count { $0.severity == severity }
            return "\(number == 0 ? "no" : Figures.count(number)) \(severity.rawValue)\(number == 1 ? "" : "s")"
        }
        return "\(counted(.error)) and \(counted(.warning)) in \(Figures.count(count)) request\(count == 1 ? "" : "s")"
    }
}
