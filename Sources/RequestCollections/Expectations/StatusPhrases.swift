import Base
import HTTPTypes

extension StatusPhrases {
    /// The one that was sent, where it is one line of plain text, else the registered one; `""`: neither.
    static func phrase(_ status: HTTPResponse.Status) -> String {
        let sent = status.reasonPhrase
        let isPlain = (1...60).contains(sent.utf8.count) && sent.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        return isPlain ? sent : phrase(status.code) ?? ""
    }
}
