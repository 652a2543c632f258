/// What the operation pane shows of the selected operation.
package struct OperationPaneState: Hashable, Sendable {
    package var offset = 0

    package init() {}
}
