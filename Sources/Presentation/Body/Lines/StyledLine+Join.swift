import TerminalUI

extension StyledLine {
    /// Appends to the last span if that has the same role.
    mutating func join(_ text: String, _ role: ThemeRole) {
        if text.isEmpty { return }
        if let last = spans.indices.last, spans[last].role == role {
            spans[last].text += text
        } else {
            spans.append(Span(text, role))
        }
    }
}
