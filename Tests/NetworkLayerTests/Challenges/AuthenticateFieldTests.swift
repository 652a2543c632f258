import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct AuthenticateFieldTests {
    struct Row: Sendable {
        var values: [String]
        var fields: [AuthenticateField]

        init(_ values: String..., fields: [AuthenticateField]) {
            self.values = values
            self.fields = fields
        }
    }

    static let rows = [
        Row("", fields: []),
        Row(" , ,", fields: []),
        Row("Basic", fields: [AuthenticateField(scheme: "basic")]),
        Row("Basic realm=\"shop\"", fields: [AuthenticateField(scheme: "basic", parameters: ["realm": "shop"])]),
        Row(
            "Basic REALM = shop , charset=\"UTF-8\"",
            fields: [AuthenticateField(scheme: "basic", parameters: ["realm": "shop", "charset": "UTF-8"])]),
        // RFC 9110, section 11.6.1.
        Row(
            "Basic realm=\"simple\", Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\"",
            fields: [
                AuthenticateField(scheme: "basic", parameters: ["realm": "simple"]),
                AuthenticateField(scheme: "newauth", parameters: ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
            ]),
        Row("Negotiate YII=", fields: [AuthenticateField(scheme: "negotiate", token68: "YII=")]),
        Row(
            "Negotiate, NTLM, Basic realm=\"a, b\"",
            fields: [
                AuthenticateField(scheme: "negotiate"), AuthenticateField(scheme: "ntlm"),
                AuthenticateField(scheme: "basic", parameters: ["realm": "a, b"]),
            ]),
        Row(
            "NTLM TlRM+/==, Basic realm=x",
            fields: [
                AuthenticateField(scheme: "ntlm", token68: "TlRM+/=="),
                AuthenticateField(scheme: "basic", parameters: ["realm": "x"]),
            ]),
        Row(
            "Digest nonce=\"n\", realm=\"r\"", "Basic realm=\"s\"",
            fields: [
                AuthenticateField(scheme: "digest", parameters: ["nonce": "n", "realm": "r"]),
                AuthenticateField(scheme: "basic", parameters: ["realm": "s"]),
            ]),
        Row(
            "Basic realm=\"first\", realm=\"second\"", fields: [AuthenticateField(scheme: "basic", parameters: ["realm": "first"])]),
        Row("Basic realm=\"open", fields: [AuthenticateField(scheme: "basic", parameters: ["realm": "open"])]),
        Row("Basic realm=\"", fields: [AuthenticateField(scheme: "basic", parameters: ["realm": ""])]),
        Row(
            "realm=\"x\", Basic realm=\"y\"",
            fields: [
                AuthenticateField(scheme: "realm"), AuthenticateField(scheme: "basic", parameters: ["realm": "y"]),
            ]),
        Row("(no), Basic realm=y", fields: [AuthenticateField(scheme: "basic", parameters: ["realm": "y"])]),
        Row("Basic realm=\"Zürich\"", fields: [AuthenticateField(scheme: "basic", parameters: ["realm": "Zürich"])]),
    ]

    @Test(arguments: rows)
    func `CHL-1 challenges are read as RFC 9110 writes them`(row: Row) {
        #expect(AuthenticateField.parse(row.values) == row.fields)
    }

    @Test func `CHL-1 any bytes are read to their end`() {
        let alphabet = Array("Basic Digest=\"\\,;= \t()é\u{0}realm".utf8)
        for seed in 0..<2_000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Bool.random(using: &random) ? alphabet.randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
            }
            let fields = AuthenticateField.parse([String(decoding: bytes, as: UTF8.self)])
            #expect(fields.allSatisfy { !$0.scheme.isEmpty }, "seed \(seed)")
            #expect(fields.allSatisfy { $0.token68 == nil || $0.parameters.isEmpty }, "seed \(seed)")
        }
    }
}
