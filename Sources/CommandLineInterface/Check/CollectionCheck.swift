import CollectionRunner
import RequestCollections

/// What can be known of collections without sending, for `check` and for editors.
struct CollectionCheck {
    var choice: CollectionChoice
    var selection = RequestSelection(names: [], tags: [])
    /// `nil`: all there are; which one a run is in, nobody knows.
    var environment: String?
    var variables: [String: JSONValue] = [:]

    /// - Parameter worker: compiles programs for jq and XPath.
    func findings(with worker: QuestionWorker) async -> CheckFindings {
        var findings = CheckFindings()
        findings.add(choice.problemsAroundRequests, .error)
        findings.add(choice.fileWarnings, .warning)
        for collection in choice.collections {
            let (collection, unread) = collection.readingItems(by: .nothing)
            let requests = selection.requests(of: collection)
            findings.add(requests.flatMap(\.problems), .error)
            findings.add(collection.clearSecrets(in: requests), .warning)
            for environment in environments(of: collection) {
                let plan = RunPlan([collection], selection, environment: environment, variables: variables)
                findings.add(plan.problems)
                var known: Set<RequestID> = []
                let definitions = plan.round.map(\.job.definition).filter { known.insert($0.id).inserted }
                findings.add(collection.complaints(about: definitions, environment: environment, variables: variables), .error)
                findings.add(
                    collection.remarks(about: definitions, environment: environment, variables: variables), .warning)
            }
            let filters = requests.flatMap(\.placedFilters).filter { $0.filter.refusedName == nil }
            for problem in await worker.complaints(about: filters) { findings.add([problem], .error) }
            for noted in unread {
                // A file that doesn't exist has already been reported.
                guard let location = noted.location, !findings.haveError(at: location) else { continue }
                let problem = CollectionProblem(
                    location: location,
                    message: "\(noted.want.subject) wasn't read: it isn't the collection's own; a run asks for it")
                findings.add([problem], .warning)
            }
            findings.add(choice.hints(of: collection), .warning)
        }
        return findings
    }

    private func environments(of collection: RequestCollection) -> [String?] {
        if let environment { return [collection.environmentNames.contains(environment) ? environment : nil] }
        return collection.environmentNames.isEmpty ? [nil] : collection.environmentNames
    }
}
