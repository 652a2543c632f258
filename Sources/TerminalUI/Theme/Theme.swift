/// A look for every role.
package struct Theme: Sendable, Hashable {
    package var name: String
    package var styles: [ThemeRole: Style]

    package init(name: String, styles: [ThemeRole: Style] = [:]) {
        self.name = name
        self.styles = styles
    }

    package subscript(role: ThemeRole) -> Style { styles[role] ?? .plain }
}
