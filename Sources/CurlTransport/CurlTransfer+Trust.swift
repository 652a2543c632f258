import Base
import NetworkLayer

extension CurlTransfer {
    /// Asks whether to trust a server, and fails the transfer when not.
    ///
    /// - Parameter objection: OpenSSL's, in its words; `nil` for none.
    func trusts(_ tls: TLSInfo, _ objection: String?, _ handler: any ServerTrustHandler) -> Bool {
        let url = request.request.url
        let host = Target(url: url, unixSocket: nil, proxy: nil).host
        let trust = ServerTrust(host: host, port: url.port ?? 443, chain: tls.chain, failure: objection)
        switch handler.evaluate(trust) {
        case .accept: return true
        case .default where objection == nil: return true
        case .default:
            // For a fresh connection, OpenSSL's own error tells more.
            if connection.count > 0 { abort(.serverNotTrusted(host, because: objection)) }
        case .reject:
            abort(.serverNotTrusted(host, because: objection))
        case .cancel(let context):
            abort(
                .challengeCancelled(phase: .tls, host: host, method: "server trust", certificates: tls.chain, context: context))
        }
        return false
    }
}

extension NetworkError {
    static func serverNotTrusted(_ host: String, because objection: String?) -> NetworkError {
        NetworkError(
            .certificateRejected, phase: .tls, type: ErrorType.certificateInvalid,
            message: "The certificate of \(host) was refused by who was asked about it\(objection.map { " (\($0))" } ?? "").",
            details: [.host: host])
    }
}
