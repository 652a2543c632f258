import Base
import CollectionRunner
import Interchange
import NetworkLayer

/// Every attempt of every run, those of the requests that were needed included.
///
/// It is kept in memory up to the end, bodies included: what one request tells of a secret is masked in all.
struct HARReport: RunReport {
    private var results: [(index: Int, result: RunResult)] = []

    mutating func part(_ entry: RunOutcome.Entry, at index: Int) -> String {
        if let result = entry.result { results.append((index, result)) }
        return ""
    }

    func document(_ parts: [Int], of outcome: RunOutcome, _ plan: RunPlan) throws -> [ReportPiece] {
        var exchanges: [HARDocument.Exchange] = []
        var redactor = Redactor()
        for (_, result) in results.sorted(by: { $0.index < $1.index }) {
            redactor = redactor.union(result.redactor)
            for poll in result.polling?.polls ?? [] {
                if let metrics = poll.metrics { exchanges.append(HARDocument.Exchange(metrics, body: nil)) }
            }
            guard let response = result.response else { continue }
            exchanges.append(HARDocument.Exchange(response.metrics, body: try? response.info?.body.contents()))
        }
        let document = HARDocument(
            exchanges, creator: .init(name: "turnstone", version: Version.text), masking: .presentation(redactor))
        return [.text(String(decoding: try document.json(), as: UTF8.self))]
    }
}
