import FoundationEssentials

/// Where `send` puts heads and bodies: a file, a pipe, or a terminal, which must not obey them.
struct BodyDestination {
    /// The name that the file got; `nil` before it is open, and on standard output.
    private(set) var path: String?
    private let target: OutputFile?
    private let standardOutput: any ByteOutput
    private var file: FileOutput?
    private var filter: TerminalFilter?

    /// - Parameter file: `nil` for standard output.
    init(_ file: OutputFile?, standardOutput: any ByteOutput) {
        target = file
        self.standardOutput = standardOutput
        filter = file == nil && standardOutput.isTerminal ? TerminalFilter() : nil
    }

    mutating func write(_ bytes: Data) throws(OutputFailure) {
        if target != nil {
            try open().write(bytes)
        } else if filter != nil {
            try standardOutput.write(Data(filter!.safe(bytes).utf8))
        } else {
            try standardOutput.write(bytes)
        }
    }

    /// A file is made also for a response without a body; a terminal's prompt starts on a line of its own.
    mutating func finish() throws(OutputFailure) {
        if target != nil {
            _ = try open()
            file = nil
        } else if let rest = filter?.finish(), !rest.isEmpty {
            try standardOutput.write(Data(rest.utf8))
        }
    }

    private mutating func open() throws(OutputFailure) -> FileOutput {
        if let file { return file }
        let (output, path) = try target!.open()
        file = output
        self.path = path
        return output
    }
}
