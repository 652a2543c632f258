/// One line of text, each part in a role that the theme gives a look. What Presentation makes and views draw.
package struct StyledLine: Hashable, Sendable {
    package var spans: [Span]

    package init(_ spans: [Span] = []) {
        self.spans = spans
    }

    package init(_ text: String, _ role: ThemeRole = .text) {
        self.spans = text.isEmpty ? [] : [Span(text, role)]
    }

    package struct Span: Hashable, Sendable {
        package var text: String
        package var role: ThemeRole

        package init(_ text: String, _ role: ThemeRole = .text) {
            self.text = text
            self.role = role
        }
    }

    package var text: String { spans.map(\.text).joined() }

    package mutating func append(_ text: String, _ role: ThemeRole = .text) {
        spans.append(Span(text, role))
    }
}
