/// What lies over the panes and takes all keys.
package enum Overlay: Sendable {
    case help(Help)

    /// Every command of a pane with its keys, and the text that narrows it down.
    package struct Help: Sendable {
        package var pane: Pane
        package var offset = 0
    }
}
