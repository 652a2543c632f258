package import Base
import RequestCollections

/// Runs programs for jq, in the process that is there for it; where there is none, in this one.
///
/// What the library does with a stranger's program and a server's body may take for ever or all memory, and some of it ends the process.
/// That one has no environment.
package final class Answering {
    /// The word by which the program knows what it is started for.
    package static let word = "__answer"

    private let jq = JQLibrary()

    /// What is wrong with the libraries that answer questions, a sentence each.
    package static var libraryProblems: [String] {
        [JQLibrary.problem, XMLText.problem, RegularExpression.problem].compactMap(\.self)
    }

    /// Until there are no more questions.
    package static func answer(_ input: FileHandleReader, _ output: (Data) throws -> Void) throws {
        clearenv()
        // jq takes an environment for granted, be it an empty one.
        setenv("A", "", 1)
        unsetenv("A")
        // What it reads of the system's time zone it keeps.
        tzset()
        endWithTheOther()
        let answering = Answering()
        while let bytes = input.frame() {
            guard let frame = QuestionFrame(bytes), let reply = answering.answer(frame) else { return }
            try output(reply.bytes)
        }
    }

    /// Ends this process as soon as nobody is at the other end of its conversation, whatever it is doing then: one that was killed
    /// can't say so. An end that was there before counts, too.
    ///
    /// Not by `PR_SET_PDEATHSIG`: that is about the thread that started a process, and those of a pool come and go.
    private static func endWithTheOther() {
        var thread = pthread_t()
        // It allocates nothing: a second heap would take a part of the memory that this process may have.
        pthread_create(
            &thread, nil,
            { _ in
                var other = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
                while poll(&other, 1, -1) < 1 {}
                _exit(1)
            }, nil)
    }

    private func answer(_ frame: QuestionFrame) -> QuestionFrame? {
        let texts = frame.fields.map { String(decoding: $0, as: UTF8.self) }
        guard texts.count >= 4, let seconds = UInt32(texts[0]), let limit = Int(texts[1]) else { return nil }
        // The program that asked would have ended us by then, unless it no longer runs.
        alarm(seconds)
        defer { alarm(0) }
        let programs = Array(texts[4...])
        switch texts[2] {
        case "none": return QuestionFrame(complaints(about: programs))
        case "file":
            guard let data = try? Data(contentsOf: URL(filePath: texts[3]), options: .alwaysMapped) else {
                let error = BodyFilterError("the body's file \(texts[3]) can't be read")
                return QuestionFrame(programs.map { _ in .failure(error) })
            }
            return QuestionFrame(answers(to: programs, about: data, limit: limit))
        default: return QuestionFrame(answers(to: programs, about: frame.fields[3], limit: limit))
        }
    }

    func answers(to programs: [String], about body: Data, limit: Int) -> [BodyAnswer] {
        jq.values(of: programs, in: body, limit: limit)
    }

    /// What is wrong with programs, whatever the body: an error, or nothing.
    func complaints(about programs: [String]) -> [BodyAnswer] { programs.map { jq.compiled($0).map { _ in Data() } } }
}

/// Reads frames from a descriptor, blocking.
package struct FileHandleReader {
    private let descriptor: Int32

    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// What stands behind the line that says how many bytes it has; `nil` at the end.
    func frame() -> Data? {
        var digits: [UInt8] = []
        while let byte = read(1)?.first, byte != 0x0A, digits.count < 20 { digits.append(byte) }
        return Int(String(decoding: digits, as: UTF8.self)).flatMap(read)
    }

    private func read(_ count: Int) -> Data? {
        var data = Data(count: count)
        let isWhole = data.withUnsafeMutableBytes { bytes in
            var offset = 0
            while offset < count {
                let got = Glibc.read(descriptor, bytes.baseAddress! + offset, count - offset)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return false }
                offset += got
            }
            return true
        }
        return isWhole ? data : nil
    }
}
