@testable import Interchange

/// What is given bytes from outside, one target each. A target throws where a rule is broken that holds for all bytes; a trap, a
/// hang and an error in memory are found by whoever runs it.
///
/// The tests of this folder run every target over the files of its folder in `Corpus`. `make fuzz` builds the same targets into a
/// program that libFuzzer drives, which starts from these files.
enum FuzzTarget: String, CaseIterable {
    case collection
    case theme
    case postman, openapi, insomnia, http, hurl, bruno, httpie, thunder, har, curl
    case template, filter, steps
    case head
    case authenticate
    case cookie
    case cookieFile = "cookie-file"
    case certificate
    case json, xml, text
    case keys

    func run(_ bytes: [UInt8]) throws {
        switch self {
        case .collection: try Self.readCollection(bytes)
        case .theme: Self.readTheme(bytes)
        case .postman: try Self.importCollection(bytes, as: .postman)
        case .openapi: try Self.importCollection(bytes, as: .openapi)
        case .insomnia: try Self.importCollection(bytes, as: .insomnia)
        case .http: try Self.importCollection(bytes, as: .http)
        case .hurl: try Self.importCollection(bytes, as: .hurl)
        case .bruno: try Self.importCollection(bytes, as: .bruno)
        case .httpie: try Self.importCollection(bytes, as: .httpie)
        case .thunder: try Self.importCollection(bytes, as: .thunder)
        case .har: try Self.importCollection(bytes, as: .har)
        case .curl: try Self.importCollection(bytes, as: .curl)
        case .template: try Self.fillTemplate(bytes)
        case .filter: try Self.filterBody(bytes)
        case .steps: try Self.takeSteps(bytes)
        case .head: try Self.readHead(bytes)
        case .authenticate: try Self.answerChallenges(bytes)
        case .cookie: try Self.keepCookies(bytes)
        case .cookieFile: try Self.readCookieFile(bytes)
        case .certificate: try Self.readCertificate(bytes)
        case .json: try Self.viewBody(bytes, contentType: "application/json")
        case .xml: try Self.viewBody(bytes, contentType: "application/xml")
        case .text: try Self.viewBody(bytes, contentType: nil)
        case .keys: try Self.decodeKeys(bytes)
        }
    }
}

/// A rule that the bytes have broken.
struct BrokenRule: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// - Throws: when the rule doesn't hold.
func require(_ holds: Bool, _ rule: @autoclosure () -> String) throws {
    if !holds { throw BrokenRule(rule()) }
}
