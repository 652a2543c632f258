import CommandLineInterface
import NetworkLayer
import Testing

@Suite struct ExitStatusTests {
    private static let table: [(NetworkError.Code, Int32)] = [
        (.cancelled, 130), (.operationTimedOut, 20), (.attemptTimedOut, 20), (.idleTimedOut, 20), (.connectTimedOut, 20),
        (.nameNotResolved, 21), (.proxyNotResolved, 21), (.cannotConnect, 21), (.connectionLost, 21), (.resendRefused, 21),
        (.tlsFailed, 22), (.certificateRejected, 22), (.pinMismatch, 22), (.clientCertificateFailed, 22), (.hydrationFailed, 23),
        (.authorizationFailed, 23), (.fileFailed, 25), (.bodyReadFailed, 25), (.protocolViolation, 26),
        (.contentDecodingFailed, 26), (.limitExceeded, 26), (.tooManyRedirects, 26), (.redirectFailed, 26), (.invalidURL, 2),
        (.invalidMethod, 2), (.invalidRequest, 2), (.unsupported, 2),
    ]

    @Test(arguments: table)
    func `every code of an error has its status`(code: NetworkError.Code, status: Int32) {
        let error = NetworkError(code, phase: .response, type: "test", message: "test")
        #expect(ExitStatus(error).rawValue == status)
    }
}
