import Foundation
import HTTPTypes

@testable import CurlTransport
@testable import NetworkLayer

extension FuzzTarget {
    private static let url = URL(string: "https://shop.example.com/orders/7?full=yes")!
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    /// A response's head, and everything that looks into one.
    static func readHead(_ bytes: [UInt8]) throws {
        let names = FieldNameCache()
        let head = bytes.withUnsafeBytes { ResponseHead(parsing: $0, names: names) }
        for field in head.headers {
            try require(!field.value.utf8.contains { $0 == 0x0A || $0 == 0x0D }, "a line end is in \(field)")
        }
        let request = Request(url: url)
        let rules = RedirectRules(configuration: RedirectConfiguration())
        if case .follow(_, let next) = rules.verdict(on: head, to: request, hops: 0) {
            try require(next.validationError == nil, "a redirect leads to \(next.url), which can't be sent")
        }
        for challenge in AuthenticationChallenge.all(in: head, to: request, tls: nil, proxy: nil) {
            _ = challenge.answer(with: .password(Credential(user: "ada", password: "lovelace")), clientNonce: "0a4f113b")
        }
        var jar = CookieJar()
        jar.receive(head.headers, from: url, at: now)
        let transfer = TransferRequest(request: request)
        _ = CacheRules.mayStore(head, to: transfer)
        let stored = StoredResponse(request: transfer, head: head, requested: now, received: now)
        _ = CacheRules.decide(transfer, stored: [stored], at: now + 60)
        _ = stored.head(age: CacheRules.age(of: stored, at: now + 60))
        for field in head.headers {
            let date = RetryAfter(field.value, receivedAt: now)
            _ = date.delay(from: now)
            _ = ContentRange(field.value)
            let type = ContentType(field.value)
            _ = (type.essence, type.charset)
            _ = ContentLength(field.value)
        }
    }

    /// What a server asks, and the answer to it: quoting holds whatever the server gave us to quote.
    static func answerChallenges(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        for field in AuthenticateField.parse([text]) {
            try require(!field.scheme.isEmpty, "a challenge has no scheme")
            guard let challenge = DigestChallenge(field.parameters) else { continue }
            let answer = challenge.answer(
                Credential(user: "ada", password: "love\"lace"), method: .get, target: "/orders/7", clientNonce: "0a4f113b")
            guard let written = AuthenticateField.parse([answer]).first, AuthenticateField.parse([answer]).count == 1 else {
                throw BrokenRule("the answer can't be read: \(answer)")
            }
            try require(written.parameters["nonce"] == field.parameters["nonce"], "the nonce isn't what was given: \(answer)")
            try require(written.parameters["realm"] == field.parameters["realm"], "the realm isn't what was given: \(answer)")
            try require(written.parameters["uri"] == "/orders/7", "the target isn't what was asked for: \(answer)")
        }
    }

    /// Each line is a field.
    static func keepCookies(_ bytes: [UInt8]) throws {
        var jar = CookieJar()
        for line in bytes.split(separator: 0x0A).prefix(64) {
            let field = HTTPField(name: .setCookie, lenientValue: Data(line))
            jar.receive(HTTPFields([field]), from: url, at: now)
        }
        for cookie in jar.cookies(for: url, at: now) {
            let line = "\(cookie.name)=\(cookie.value)"
            try require(
                !line.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F || $0 == 0x3B },
                "a cookie sends more than itself: \(line)")
        }
        try keepsCookies(jar)
    }

    static func readCookieFile(_ bytes: [UInt8]) throws {
        try keepsCookies(CookieJar(netscape: String(decoding: bytes, as: UTF8.self), at: now))
    }

    /// What a file of cookies was written from is what is read from it.
    private static func keepsCookies(_ jar: CookieJar) throws {
        let written = jar.netscape
        let again = CookieJar(netscape: written, at: now)
        try require(again.netscape == written, "a file of cookies isn't read as it was written:\n\(written)\n\(again.netscape)")
    }

    static func readCertificate(_ bytes: [UInt8]) throws {
        guard let certificate = Certificate(der: Data(bytes)) else { return }
        _ = certificate.publicKeyDER
    }
}
