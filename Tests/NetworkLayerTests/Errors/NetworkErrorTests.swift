import FoundationEssentials
import Testing

@testable import NetworkLayer

/// Section 1.19 of the reference.
@Suite struct NetworkErrorTests {
    static let codes: [(NetworkError.Code, Int, isTerminal: Bool)] = [
        (.invalidRequest, 101, true), (.invalidURL, 102, true), (.invalidMethod, 103, true),
        (.operationFailed, 200, false),
        (.cancelled, 201, true), (.operationTimedOut, 202, true), (.attemptTimedOut, 203, false), (.idleTimedOut, 204, false),
        (.callbackTimedOut, 205, false), (.requestNotProvided, 206, true), (.hydrationFailed, 207, true),
        (.invalidHydratedRequest, 208, true), (.fileFailed, 209, false), (.appendFailed, 210, false),
        (.challengeCancelled, 212, false), (.contentEncodingMismatch, 213, false),
        (.contentEncodingFailed, 214, false), (.contentDecodingFailed, 215, false), (.authorizationFailed, 216, true),
        (.hostBlocked, 301, false), (.other, 9900, false), (.hostCannotBeEmpty, 9901, true),
    ]

    @Test(arguments: codes)
    func `every code has TNL's number, and is terminal where TNL's is`(code: NetworkError.Code, number: Int, isTerminal: Bool) {
        #expect(code.rawValue == number)
        #expect(code.isTerminal == isTerminal)
    }

    @Test func `a code is told by its name`() throws {
        #expect("\(NetworkError.Code.cannotConnect)" == "cannotConnect")
        #expect(String(decoding: try JSONEncoder().encode([NetworkError.Code.cannotConnect]), as: UTF8.self) == "[402]")
    }

    @Test func `202, 203 and 204 are timeouts, and that of connecting; 205 is none`() {
        let all = Self.codes.map(\.0) + [.connectTimedOut, .cannotConnect, .connectionLost]
        #expect(Set(all.filter(\.isTimeout)) == [.operationTimedOut, .attemptTimedOut, .idleTimedOut, .connectTimedOut])
    }

    private func error(_ code: NetworkError.Code, type: String = "unknown", _ cause: NetworkError? = nil) -> NetworkError {
        NetworkError(code, phase: .tls, type: type, message: "m", underlying: cause)
    }

    @Test(arguments: [
        NetworkError.Code.challengeCancelled, .certificateRejected, .pinMismatch, .clientCertificateFailed,
    ])
    func `a security error is found however deep it lies`(code: NetworkError.Code) {
        let deep = error(.operationTimedOut, error(.attemptTimedOut, error(code)))
        #expect(error(code).isNetworkSecurityError)
        #expect(deep.isNetworkSecurityError)
        #expect(deep.chain.map(\.code) == [.operationTimedOut, .attemptTimedOut, code])
    }

    @Test func `a step down from https is a security error, a handshake that broke off isn't`() {
        #expect(error(.redirectFailed, type: ErrorType.downgrade).isNetworkSecurityError)
        #expect(!error(.tlsFailed, type: ErrorType.tlsProtocolError).isNetworkSecurityError)
        #expect(!error(.operationTimedOut, error(.connectionLost)).isNetworkSecurityError)
    }

    @Test func `any error can be a cause, and one of ours stays itself`() {
        struct Broken: Error, CustomStringConvertible { let description = "out of paper" }
        let wrapped = NetworkError(wrapping: Broken(), phase: .preparation)
        #expect(wrapped == NetworkError(.other, phase: .preparation, type: "unknown", message: "out of paper"))
        #expect(NetworkError(wrapping: error(.cancelled), phase: .body) == error(.cancelled))
        #expect(NetworkError(wrapping: CancellationError(), phase: .body).isCancelled)
    }

    @Test func `an error is kept and read back with its cause and its details`() throws {
        var original = error(.operationTimedOut, error(.connectionLost))
        original.details = [.host: "a.test", .timeoutTags: "hydrate"]
        original.cancelSource = "the user"
        original.systemErrno = 104
        let back = try JSONDecoder().decode(NetworkError.self, from: JSONEncoder().encode(original))
        #expect(back == original)
    }

    @Test func `the types of W3C Network Error Logging keep its spelling`() {
        #expect(
            [
                ErrorType.nameNotResolved, ErrorType.connectionRefused, ErrorType.connectionReset, ErrorType.certificateDateInvalid,
                ErrorType.redirectLoop, ErrorType.pinnedKeyNotInChain, ErrorType.clientCertificateBad, ErrorType.abandoned,
            ] == [
                "dns.name_not_resolved", "tcp.refused", "tcp.reset", "tls.cert.date_invalid", "http.response.redirect_loop",
                "tls.cert.pinned_key_not_in_cert_chain", "tls.bad_client_auth_cert", "abandoned",
            ])
    }
}
