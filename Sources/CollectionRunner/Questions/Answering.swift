package import Base
import RequestCollections

/// Answers questions, in the process that is there for it; where there is none, in this one.
///
/// What the libraries do with a stranger's program and a server's body may take for ever or all memory, and some of it ends the process.
/// That one has no environment.
package final class Answering {
    /// The word by which the program knows what it is started for.
    package static let word = "__answer"

    private let jq = JQLibrary()

    /// Whether the jq library takes every number for a `Double`.
    package static var losesDigits: Bool { JQInputs.roundsIntegers }

    /// What is wrong with the libraries that answer questions, a sentence each.
    package static var libraryProblems: [String] { [JQLibrary.problem, XMLText.problem].compactMap(\.self) }

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
        guard texts.count >= 5, texts.count % 2 == 1, let seconds = UInt32(texts[0]), let limit = Int(texts[1]),
            let markup = Markup(rawValue: texts[3])
        else { return nil }
        // The program that asked would have ended us by then, unless it no longer runs.
        alarm(seconds)
        defer { alarm(0) }
        let questions = stride(from: 5, to: texts.count, by: 2).compactMap { index in
            BodyQuestion.Language(rawValue: texts[index]).map { BodyQuestion($0, texts[index + 1]) }
        }
        // Whoever asks has refused these already. No limit of files (`RLIMIT_NOFILE`) beside that: the runtime opens some when it likes.
        if let refusal = questions.lazy.compactMap(\.refusal).first {
            return QuestionFrame(questions.map { .failure($0.refusal ?? refusal) })
        }
        switch texts[2] {
        case "none": return QuestionFrame(complaints(about: questions))
        case "file":
            guard let data = try? Data(contentsOf: URL(filePath: texts[4]), options: .alwaysMapped) else {
                let error = BodyFilterError("the body's file \(texts[4]) can't be read")
                return QuestionFrame(questions.map { _ in .failure(error) })
            }
            return QuestionFrame(answers(to: questions, about: data, markup, limit: limit))
        default: return QuestionFrame(answers(to: questions, about: frame.fields[4], markup, limit: limit))
        }
    }

    func answers(to questions: [BodyQuestion], about body: Data, _ markup: Markup, limit: Int) -> [BodyAnswer] {
        let programs = questions.filter { $0.language == .jq }.map(\.program)
        let found = programs.isEmpty ? [:] : jq.values(of: programs, in: body, limit: limit)
        var document: Result<XMLText, BodyFilterError>?
        return questions.map { question in
            switch question.language {
            case .jq: return found[question.program] ?? .failure(BodyFilterError("it could not be asked"))
            case .xpath:
                let text = document ?? XMLText.read(body, as: markup)
                document = text
                return text.flatMap { $0.values(of: question.program, limit: limit) }
            case .regex, .regexIgnoringCase:
                let isIgnoringCase = question.language == .regexIgnoringCase
                let regex = RegexQuestion(question.program, ignoringCase: isIgnoringCase, in: String(decoding: body, as: UTF8.self))
                return .success(regex.group().map { Data(JSONValue.string($0).text(pretty: false).utf8) } ?? Data())
            case .find, .findIgnoringCase:
                let isIgnoringCase = question.language == .findIgnoringCase
                let regex = RegexQuestion(question.program, ignoringCase: isIgnoringCase, in: String(decoding: body, as: UTF8.self))
                let answer = regex.answer()
                if case .unknown(let reason) = answer { return .failure(BodyFilterError(reason)) }
                return .success(answer == .found ? Data("\"\"".utf8) : Data())
            }
        }
    }

    /// What is wrong with programs, whatever the body: an error, or nothing.
    func complaints(about questions: [BodyQuestion]) -> [BodyAnswer] {
        let complaints = jq.prepare(questions.filter { $0.language == .jq }.map(\.program))
        return questions.map { question in
            let complaint =
                switch question.language {
                case .jq: complaints[question.program]
                case .xpath: XMLText.complaint(about: question.program)
                // It was looked at when the file was read.
                case .regex, .regexIgnoringCase, .find, .findIgnoringCase: String?.none
                }
            return complaint.map { .failure(BodyFilterError($0)) } ?? .success(Data())
        }
    }
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
