import Base
import HTTPTypes
import Interchange
import NetworkLayer
import Presentation
import TerminalUI

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

/// tnlcli's JSON of a response's header fields.
enum HeaderDump {
    /// Sorted by name; a field that came several times is joined with commas (RFC 9110, section 5.2).
    static func json(_ response: Response) throws -> Data {
        var members: [String: String] = [:]
        for field in response.info?.head.headers ?? [:] {
            let name = field.name.rawName
            members[name] = members[name].map { "\($0), \(field.value)" } ?? field.value
        }
        members["_tnlcli_StatusCode"] = String(response.info?.head.status.code ?? 0)
        members["_tnlcli_URL"] = (response.info?.finalRequest ?? response.originalRequest).url.absoluteString
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(members) + Data("\n".utf8)
    }
}

extension HARDocument.Masking {
    /// What the screen masks, credentials and cookies in fields and the password in a URL, and every secret that is known.
    static func presentation(_ redactor: Redactor) -> HARDocument.Masking {
        HARDocument.Masking(
            field: { redactor.text(Redaction.standard.masked($1, of: $0)) }, url: { redactor.text(URLText.line($0).text) },
            text: { redactor.text($0) }, bytes: { redactor.bytes($0, contentType: $1) })
    }
}

extension SendArguments {
    /// What was given that nobody should read.
    var secrets: [String] {
        let passwords = [user, proxyUser].compactMap { $0?.firstIndex(of: ":") == nil ? nil : $0 }.map { Credential($0).password }
        let inURL = url.flatMap { URL(string: $0) }?.password(percentEncoded: false)
        return passwords + [bearer, passphrase, wire.proxyTLS?.passphrase?.text, inURL].compactMap(\.self)
    }
}
