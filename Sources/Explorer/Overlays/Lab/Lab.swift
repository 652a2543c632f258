/// The lab of this session.
struct Lab: Sendable {
    /// As it was when it went from the screen; `nil` before the first one. See ``ExplorerState/labBoard``.
    var board: LabBoard?
    /// How many runs were begun.
    var number = 0
}
