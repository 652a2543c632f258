/// Where a secret comes from, with leave to read it there.
package enum PermittedSecret: Hashable, Sendable {
    case environment(String, Permit)
    case file(PermittedFile)
    /// - Parameter directory: where it runs; `""` for the current one.
    case command([String], directory: String, Permit)
    /// Whoever is asked may decline.
    case prompt(String)
}
