import CollectionRunner
import FoundationEssentials
import Interchange
import NetworkLayer

extension RunOutcome {
    /// Every attempt of every run, those of the requests that were needed included.
    var har: HARDocument {
        var exchanges: [HARDocument.Exchange] = []
        var redactor = Redactor()
        for case let result? in entries.map(\.result) {
            redactor = redactor.union(result.redactor)
            guard let response = result.response else { continue }
            exchanges.append(HARDocument.Exchange(response.metrics, body: try? response.info?.body.contents()))
        }
        return HARDocument(
            exchanges, creator: .init(name: "turnstone", version: Version.text), masking: .presentation(redactor))
    }
}
