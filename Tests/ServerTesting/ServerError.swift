/// A server for tests could not be had; the sentence says what to do.
package struct ServerError: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
