import Base
import Interchange
import NetworkLayer
import Presentation
import TerminalUI

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
