/// What the explorer begins with.
package struct ExplorerOpening: Hashable, Sendable {
    /// Paths of files or directories, each one collection.
    package var collections: [String]
    /// Chosen in every collection that has it.
    package var environment: String?
    /// `nil`, or a name that no theme has, means the usual one.
    package var theme: String?
    /// The theme that fits the terminal's background.
    package var usualTheme: String?
    /// The terminal's background isn't known yet: the terminal was asked, and may say it.
    package var followsGround = false
    /// Override all variables of the files: for instance, where the demo's server listens.
    package var variables: [String: String]

    /// The only collection is the demo, whose files are thrown away.
    package var isDemo = false
    /// The path of a collection that isn't there yet, and that the person is offered to make.
    package var newCollection: String?

    /// The panes keep their sizes.
    package var holdsStill: Bool
    /// The guided demo.
    package var tour: Tour?

    package init(
        collections: [String], environment: String? = nil, theme: String? = nil, variables: [String: String] = [:],
        holdsStill: Bool = false
    ) {
        self.collections = collections
        self.environment = environment
        self.theme = theme
        self.variables = variables
        self.holdsStill = holdsStill
    }
}
