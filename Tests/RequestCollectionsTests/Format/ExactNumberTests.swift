import Testing

@testable import RequestCollections

@Suite struct ExactNumberTests {
    @Test(arguments: [
        [
            "-1e400", "-10", "-9.5", "-0.5", "-1e-400", "0", "1e-400", "0.05", "0.5", "0.50000000000000000001", "1", "9", "10",
            "10.5",
        ],
        ["9007199254740991", "9007199254740992", "9007199254740993", "90071992547409930", "1e17", "1.0000001E+17", "1e400"],
    ])
    func `numbers are in the order of their digits`(numbers: [String]) throws {
        let exact = try numbers.map { try #require(ExactNumber($0)) }
        for (index, one) in exact.enumerated() {
            for (other, two) in exact.enumerated() {
                #expect((one < two) == (index < other), "\(numbers[index]) \(numbers[other])")
                #expect((one == two) == (index == other), "\(numbers[index]) \(numbers[other])")
            }
        }
    }

    @Test(arguments: [
        ("1", "1.0"), ("0", "-0"), ("0", "0e7"), ("100", "1e2"), ("100", "1.00E+2"), (".5", "0.50"), ("0.001", "1e-3"),
    ])
    func `however they are written`(one: String, other: String) {
        #expect(ExactNumber(one) != nil)
        #expect(ExactNumber(one) == ExactNumber(other))
    }

    @Test(arguments: ["", "-", ".", "e5", "1e", "1x", "0x10", "1e99999999999999999999", "1 "])
    func `what is none is none`(text: String) {
        #expect(ExactNumber(text) == nil)
    }
}
