import Testing

@testable import RequestCollections

@Suite struct PlainScalarTests {
    @Test(
        arguments: [
            ("", .null), ("~", .null), ("null", .null), ("NULL", .null), ("nul", .text), ("nullable", .text),
            ("true", .boolean(true)),
            ("False", .boolean(false)), ("yes", .text), ("on", .text), ("0", .number("0")), ("007", .number("7")),
            ("-0", .number("-0")),
            ("+5", .number("5")), ("1.50", .number("1.50")), ("1.", .number("1")), (".5", .number("0.5")),
            ("-.5e3", .number("-0.5e3")), ("1E-5", .number("1E-5")),
            ("0x1F", .number("31")), ("0o17", .number("15")), ("0xg", .text), (".inf", .notFinite), ("-.INF", .notFinite),
            (".nan", .notFinite), (".", .text),
            ("-", .text), ("1e", .text), ("1_000", .text), ("1 2", .text), ("2026-11-20", .text), ("12:30", .text), ("a", .text),
        ] as [(String, PlainScalar)])
    func `a scalar without quotes is what YAML's core schema says`(text: String, scalar: PlainScalar) {
        #expect(PlainScalar(text) == scalar)
    }
}
