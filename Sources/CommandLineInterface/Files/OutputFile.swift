import Base

/// A file to be written, and what becomes of one that is there already.
struct OutputFile: Hashable, Sendable {
    var path: String
    var existing: Existing = .replaced

    enum Existing: Hashable, Sendable {
        case replaced
        /// `FILE.1`, `FILE.2` … up to 100 is written instead, as with curl's `--no-clobber`.
        case kept
        /// An error.
        case refused
        /// What is written comes after what is there.
        case continued
    }

    /// Opens it.
    ///
    /// - Returns: where the bytes go, and the name that it got.
    func open() throws(OutputFailure) -> (output: FileOutput, path: String) {
        switch existing {
        case .replaced: return (try FileOutput(path: path), path)
        case .continued: return (try FileOutput(path: path, appends: true), path)
        case .refused: return (try FileOutput(path: path, isNew: true), path)
        case .kept:
            for number in 0...100 {
                let path = number == 0 ? path : "\(path).\(number)"
                do throws(OutputFailure) {
                    return (try FileOutput(path: path, isNew: true), path)
                } catch {
                    if error.errno != EEXIST { throw error }
                }
            }
            throw OutputFailure(name: path, errno: EEXIST)
        }
    }

    /// Writes all of it; `-` is the context's standard output.
    ///
    /// - Parameter isPrivate: a file that is new is for its owner only.
    static func write(
        _ bytes: Data, to path: String, isPrivate: Bool = false, in context: CommandLineContext
    ) throws(OutputFailure) {
        if path == "-" { return try context.standardOutput.show(bytes) }
        try FileOutput(path: path, isPrivate: isPrivate).write(bytes)
    }
}
