import Base
import CommandLineInterface

/// The command line as other programs see it.
enum ArgumentMemory {
    /// The command line as it was given, the program's name included: Swift makes texts of it, with something else for what isn't UTF-8.
    static var words: [[UInt8]] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { word in
                UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) }
            }
        }
    }

    /// Overwrites what nobody should read there. Swift hands out a copy of the arguments, so it doesn't lose them.
    ///
    /// The kernel shows whatever stands between two addresses of this process, and tells it which they are (proc(5), `arg_start` and
    /// `arg_end`). Where it doesn't, nothing is overwritten.
    static func hideSecrets(in words: [String]) {
        let places = SecretWords.places(in: words)
        guard !places.isEmpty, let memory = region() else { return }
        // Each word ends with a zero byte.
        let starts = [0] + memory.indices.filter { memory[$0] == 0 }.map { $0 + 1 }
        for place in places where place.word < starts.count {
            let start = starts[place.word]
            let end = start + words[place.word].utf8.count
            guard end <= memory.count, memory[start..<end].elementsEqual(words[place.word].utf8) else { continue }
            for offset in place.range { memory[start + offset] = UInt8(ascii: "*") }
        }
    }

    private static func region() -> UnsafeMutableBufferPointer<UInt8>? {
        guard let stat = try? String(contentsOf: URL(filePath: "/proc/self/stat"), encoding: .utf8),
            let name = stat.lastIndex(of: ")")
        else { return nil }
        // The third field stands behind the name of the program, which may have anything in it.
        let fields = stat[stat.index(after: name)...].split(separator: " ")
        guard fields.count > 46, let start = UInt(fields[45]), let end = UInt(fields[46]), start > 0, end > start,
            let pointer = UnsafeMutablePointer<UInt8>(bitPattern: start)
        else { return nil }
        return UnsafeMutableBufferPointer(start: pointer, count: Int(end - start))
    }
}
