import FoundationEssentials
import TerminalUI

@testable import Presentation

extension BodyDocument {
    /// Over text, sent as `contentType`.
    convenience init(_ text: String, _ contentType: String? = nil, mode: BodyMode = .pretty) {
        self.init(BodyBytes(Data(text.utf8)), contentType: contentType, mode: mode)
    }

    convenience init(bytes: [UInt8], _ contentType: String? = nil, mode: BodyMode = .pretty) {
        self.init(BodyBytes(Data(bytes)), contentType: contentType, mode: mode)
    }

    /// All lines, as a screen of `columns` shows them.
    func screen(columns: Range<Int> = 0..<200) -> [String] {
        extendIndexToEnd()
        return lines(0..<lineCount.lines, columns: columns).map(\.text)
    }

    /// All lines, each span as `role:text`.
    func roles() -> [[String]] {
        extendIndexToEnd()
        return lines(0..<lineCount.lines, columns: 0..<200).map { $0.spans.map { "\($0.role):\($0.text)" } }
    }
}
