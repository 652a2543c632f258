import CCurl
import NetworkLayer

extension CurlFailure {
    /// A server that asked for a certificate of ours, and ended the connection over it.
    ///
    /// With TLS 1.3 the handshake is over for us before the server has looked at the certificate: its alert comes in place of the answer,
    /// or is lost when our own bytes meet a connection that is closed. So where we had no certificate to show, and there is no answer,
    /// this is why; where we had one, the server says so, or it is something else.
    var certificateRefusal: NetworkError? {
        guard let clientAuthorities, verifyError == 0, !hasAnswer, Self.endings.contains(code) else { return nil }
        let reason = alert.map { Self.alerts[$0] ?? "alert \($0)" }
        if let certificate = tls.certificate {
            guard let alert, alert != Self.handshakeFailure, Self.alerts[alert] != nil else { return nil }
            return refusal(
                "\(target.text) did not accept the client certificate \(certificate) (\(reason ?? "")).\(from(clientAuthorities))",
                clientAuthorities)
        }
        if let alert, Self.alerts[alert] == nil, alert != Self.closeNotify { return nil }
        return refusal(
            "\(target.text) asks for a client certificate (\(reason ?? "it closed the connection")). Name one.\(from(clientAuthorities))",
            clientAuthorities)
    }

    private func refusal(_ message: String, _ authorities: [String]) -> NetworkError {
        var error = NetworkError(
            .clientCertificateFailed, phase: .tls, type: ErrorType.clientCertificateBad, message: message,
            systemErrno: systemErrno == 0 ? nil : systemErrno, curlCode: Int32(code.rawValue))
        if !authorities.isEmpty { error.details[.clientAuthorities] = authorities.joined(separator: "\n") }
        return error
    }

    /// Servers may name hundreds.
    private func from(_ authorities: [String]) -> String {
        guard !authorities.isEmpty else { return "" }
        let shown = authorities.prefix(5).map { "“\($0)”" }.joined(separator: ", ")
        let more = authorities.count > 5 ? " and \(authorities.count - 5) more" : ""
        return " It takes those of \(shown)\(more)."
    }

    /// How libcurl calls the end of a connection that had no answer.
    private static let endings: Set<CURLcode> = [
        CURLE_SSL_CONNECT_ERROR, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM,
    ]

    private static let closeNotify: UInt8 = 0
    /// All that TLS 1.2 says to a client that shows no certificate.
    private static let handshakeFailure: UInt8 = 40

    /// What they say about certificates (RFC 8446, section 6.2).
    private static let alerts: [UInt8: String] = [
        handshakeFailure: "handshake failure", 41: "no certificate", 42: "bad certificate", 43: "unsupported certificate",
        44: "certificate revoked", 45: "certificate expired", 46: "certificate unknown", 48: "unknown CA", 49: "access denied",
        116: "certificate required",
    ]
}
