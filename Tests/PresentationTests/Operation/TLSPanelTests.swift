import FoundationEssentials
import NetworkLayer
import TerminalUI
import Testing

@testable import Presentation

@Suite struct TLSPanelTests {
    private static let today = Date(timeIntervalSince1970: 1_795_212_847)

    private static func day(_ days: Double) -> Date { today.addingTimeInterval(days * 86_400) }

    private static let leaf = Certificate(
        subject: "CN=api.example.org", issuer: "CN=Test Authority", serialNumber: "01AB", notBefore: day(-10), notAfter: day(23.5),
        alternativeNames: ["DNS:api.example.org", "IP:127.0.0.1"], publicKey: "EC P-256",
        signatureAlgorithm: "ecdsa-with-SHA256", sha256: "ab12")
    private static let root = Certificate(
        subject: "CN=Test Authority", issuer: "CN=Test Authority", serialNumber: "", notBefore: day(-100), notAfter: day(-3.2))

    @Test func `a connection says what was negotiated, and each certificate what it is`() {
        let tls = TLSInfo(
            version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", applicationProtocol: "h2", chain: [Self.leaf, Self.root])
        #expect(
            TLSPanel.lines(tls, today: Self.today).map(\.text) == [
                "version      TLSv1.3",
                "cipher       TLS_AES_256_GCM_SHA384",
                "ALPN         h2",
                "",
                "server       CN=api.example.org",
                "issued by    CN=Test Authority",
                "valid for    DNS:api.example.org, IP:127.0.0.1",
                "valid        2026-11-10 to 2026-12-14, 23 days left",
                "key          EC P-256, ecdsa-with-SHA256",
                "serial       01AB",
                "SHA-256      ab12",
                "",
                "root         CN=Test Authority",
                "issued by    itself",
                "valid        2026-08-12 to 2026-11-17, expired 3 days ago",
            ])
    }

    @Test func `a chain that was not accepted says why first`() {
        let tls = TLSInfo(verificationFailure: "certificate has expired")
        #expect(
            TLSPanel.lines(tls, today: Self.today) == [
                StyledLine("the certificate was not accepted: certificate has expired", .error),
                StyledLine([.init("version      ", .dim), .init("none: the handshake did not get that far", .text)]),
                StyledLine("the server showed no certificate", .dim),
            ])
    }

    @Test func `a check that was turned off is a warning`() {
        let line = TLSPanel.lines(TLSInfo(version: "TLSv1.2", isVerified: false), today: Self.today)[0]
        #expect(
            line
                == StyledLine("not verified: anyone could have answered, because this request turns the check off", .warning))
    }

    @Test func `no TLS is no TLS`() {
        #expect(TLSPanel.lines(nil, today: Self.today) == [StyledLine("no TLS: this connection is not encrypted", .dim)])
    }

    @Test(arguments: [
        (-1.0, 90.0, "90 days left", ThemeRole.success), (-1, 13.5, "13 days left", .warning), (-1, 1, "1 day left", .warning),
        (-1, 0.5, "less than a day left", .warning), (-9, -0.5, "expired today", .error), (-9, -1, "expired 1 day ago", .error),
        (1, 9, "not valid for 1 day yet", .error), (1.5, 9, "not valid for 2 days yet", .error),
    ])
    func `a certificate says how many days are left, and warns of few`(start: Double, end: Double, text: String, role: ThemeRole) {
        let certificate = Certificate(
            subject: "a", issuer: "b", serialNumber: "", notBefore: Self.day(start), notAfter: Self.day(end))
        #expect(TLSPanel.remaining(certificate, today: Self.today) == StyledLine.Span(text, role))
    }
}
