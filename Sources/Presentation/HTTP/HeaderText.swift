package import HTTPTypes
import NetworkLayer
package import TerminalUI

/// Header fields as text.
package enum HeaderText {
    /// `name: value`, one line a field, in their order. Secrets are masked unless `reveals`.
    package static func lines(_ fields: HTTPFields, reveals: Bool = false) -> [StyledLine] {
        rows(fields, reveals: reveals).map { row in
            var line = StyledLine(row.name, .headerName)
            line.append(": ", .syntaxPunctuation)
            line.spans += row.value.spans
            return line
        }
    }

    /// A field for a table.
    package struct Row: Sendable, Hashable {
        package var name: String
        package var value: StyledLine
        /// Whether something of the value is masked, or would be.
        package var isSecret: Bool
    }

    package static func rows(_ fields: HTTPFields, reveals: Bool = false) -> [Row] {
        fields.map { field in
            Row(
                name: SafeText.line(field.name.rawName), value: value(field.value, of: field.name.rawName, reveals: reveals),
                isSecret: Redaction.standard.redacts(field.name.rawName))
        }
    }

    package static func value(_ value: String, of name: String, reveals: Bool = false) -> StyledLine {
        guard Redaction.standard.redacts(name) || Redaction.standard.namesURL(name), !reveals else {
            return StyledLine(SafeText.line(value), Redaction.standard.redacts(name) ? .secret : .headerValue)
        }
        var line = StyledLine()
        for part in Redaction.standard.parts(value, of: name) {
            line.join(SafeText.line(part.text), part.isSecret ? .secret : .headerValue)
        }
        return line
    }
}
