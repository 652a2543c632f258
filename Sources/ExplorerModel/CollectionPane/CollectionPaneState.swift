/// What the collection pane shows.
package struct CollectionPaneState: Hashable, Sendable {
    package var selected = 0
    package var offset = 0

    package init() {}
}
