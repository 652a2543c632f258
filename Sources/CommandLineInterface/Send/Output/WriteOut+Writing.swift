import Base

extension WriteOut {
    /// Writes what the format says to where it says.
    func write(_ values: WriteOutValues, in context: CommandLineContext) throws(OutputFailure) {
        for (place, text) in texts(values, isTerminal: { $0.isTerminal(in: context) }) {
            let bytes = Data(text.utf8)
            switch place {
            case .standardOutput: try context.standardOutput.write(bytes)
            case .standardError: try context.standardError.write(bytes)
            case .file(let path, let appends): try FileOutput(path: path, appends: appends).write(bytes)
            }
        }
    }
}

extension WriteOut.Place {
    /// A device isn't opened to find it out: to another one than a terminal, a sign in place of a control character is all the same.
    fileprivate func isTerminal(in context: CommandLineContext) -> Bool {
        switch self {
        case .standardOutput: context.standardOutput.isTerminal
        case .standardError: context.standardError.isTerminal
        case .file(let path, _): FilePaths.isDevice(path)
        }
    }
}
