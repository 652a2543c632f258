import Testing

@testable import RequestCollections

@Suite struct EntryPlanTests {
    /// `=1` entry 1 stays, `a,b>2` what is put in before entry 2, `0<a` what is put in at the end, behind entry 0.
    private static func plan(_ sources: [Int?]) -> String {
        let desired = sources.enumerated().map { place, source in
            DesiredEntry(source: source, key: "\(place)", value: .scalar("", .string))
        }
        return EntryPlan(desired).steps.map { step in
            switch step {
            case .stay(let number, _): "=\(number)"
            case .insert(let entries, let last, let next):
                "\(last.map { "\($0)<" } ?? "")\(entries.map(\.key).joined(separator: ","))\(next.map { ">\($0)" } ?? "")"
            }
        }.joined(separator: " ")
    }

    @Test(
        arguments: [
            ([0, 1, 2], "=0 =1 =2"),
            ([nil, 0, nil, nil, 1], "0>0 =0 0<2,3>1 =1"),
            ([0, nil], "=0 0<1"),
            ([2, 0, 1], "0>0 =0 =1"),
            ([1, 2, 0], "=1 =2 2<2"),
        ] as [([Int?], String)])
    func `the longest run that keeps its order stays, and all others are put in between`(sources: [Int?], steps: String) {
        #expect(Self.plan(sources) == steps)
    }

    @Test func `where everything is new, the first takes the place of the old first`() {
        #expect(Self.plan([nil, nil]) == "=0 0<1")
        #expect(EntryPlan([]).steps.isEmpty)
    }
}
