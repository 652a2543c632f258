import Base
import NetworkLayer

/// `--dump-cert-chain-directory`: every certificate that a server showed, in DER, also when it was refused.
struct CertificateDump {
    var files: [File]

    struct File: Hashable {
        /// `HOST_cert_N.DER`, N from 0, the server's own first.
        var name: String
        var subject: String
        var der: Data
    }

    /// A chain that came twice is written once.
    init(_ metrics: OperationMetrics) {
        files = []
        for attempt in metrics.attempts {
            guard let host = attempt.request.url.host(), let tls = attempt.tls else { continue }
            for (number, certificate) in tls.chain.enumerated() {
                let file = File(name: "\(host)_cert_\(number).DER", subject: certificate.subject, der: certificate.der)
                if !files.contains(file) { files.append(file) }
            }
        }
    }

    /// Makes the directory, and overwrites nothing.
    ///
    /// - Returns: what was written where, as sentences.
    func write(to directory: String) throws -> [String] {
        try FilePaths.makeDirectory(directory)
        return try files.map { file in
            let (output, path) = try OutputFile(path: "\(directory)/\(file.name)", existing: .kept).open()
            try output.write(file.der)
            return "\(file.subject) is in \(path)"
        }
    }
}
