import CollectionRunner
import FoundationEssentials
import Interchange
import NetworkLayer

extension RunOutcome {
    /// Every attempt of every run, those of the requests that were needed included.
    var har: HARDocument {
        var exchanges: [HARDocument.Exchange] = []
        var redactor = Redactor()
        func add(_ result: RunResult) {
            result.needed.forEach(add)
            redactor = redactor.union(result.redactor)
            guard let response = result.response else { return }
            exchanges.append(HARDocument.Exchange(response.metrics, body: try? response.info?.body.contents()))
        }
        for case let result? in entries.map(\.result) { add(result) }
        return HARDocument(
            exchanges, creator: .init(name: "turnstone", version: Version.text), masking: .presentation(redactor))
    }
}
