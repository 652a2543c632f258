/// The lab of this session.
package struct Lab: Sendable {
    /// As it was begun or looked at last; `nil` before the first one.
    package internal(set) var board: LabBoard?
    /// How many runs were begun.
    var number = 0
}
