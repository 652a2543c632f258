import Foundation
import NetworkLayer
import Testing

/// Programs show what Foundation says of any error.
@Suite struct LocalizedErrorTests {
    @Test func `TN-18 the localized description of an error is its sentence`() {
        let error: any Error = NetworkError(
            .connectionLost, phase: .response, type: "tcp.reset", message: "a.test closed the connection.")
        #expect(error.localizedDescription == "a.test closed the connection.")
        #expect("\(error)" == "a.test closed the connection.")
    }
}
