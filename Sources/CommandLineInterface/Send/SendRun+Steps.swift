import Base
import HTTPTypes
import NetworkLayer
import Presentation
import TerminalUI
import WebSockets

extension SendRun {
    /// In memory, filled from the files of `-b`. One that isn't there yet is an empty one, so that `-b jar -c jar` works from the start.
    func readCookies() throws {
        for path in arguments.cookieFiles where FilePaths.exists(path) && session.reads(cookieFile: path) {
            let text = try InputFiles(standardInput: context.standardInput).text(path)
            var read = CookieJar(netscape: text, at: Date())
            // curl takes the fields of an answer, too: here they are this origin's.
            read.receive(Self.setCookieFields(text), from: plan.request.url, at: Date())
            session.jars.edit(plan.configuration.cookies.jar) { jar in
                for cookie in read.cookies where cookie.expires != nil || !arguments.dropsSessionCookies { jar.set(cookie) }
            }
        }
    }

    private static func setCookieFields(_ text: String) -> HTTPFields {
        var fields = HTTPFields()
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard fields.count < HTTPFields.limit else { break }
            guard parts.count == 2, parts[0].lowercased() == "set-cookie" else { continue }
            fields.append(HTTPField(name: .setCookie, value: String(parts[1].drop { $0 == " " })))
        }
        return fields
    }
}

extension SendRun {
    /// `--offline`: the request as it would be sent, but for what the transport adds, such as a length.
    func printRequest() throws {
        var request = plan.session.map { WebSocket($0, target: "").prepared(plan.request) } ?? plan.request
        // A session has no body that could be shown.
        if plan.session != nil { request.body = .none }
        request.headers += jarFields
        let shown = ShownRequest(request, hiding: redactor, reveals: arguments.reveals)
        try context.standardOutput.print(shown.lines.joined(separator: "\n"))
    }

    /// The cookies that the jar has for it.
    private var jarFields: HTTPFields {
        let jar = plan.configuration.cookies
        guard jar.sends else { return [:] }
        let cookies = cookies(of: jar.jar).cookies(for: plan.request.url, method: plan.request.method, at: context.time.date)
        guard !cookies.isEmpty else { return [:] }
        return [.cookie: cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")]
    }
}

/// Before more of a body than that goes into a file, the person at the terminal is asked.
extension SendRun {
    /// `nil` where nobody can be asked, or nothing has to be.
    var lengthQuestion: LengthQuestion? {
        guard context.standardInput.isTerminal, context.standardError.isTerminal, !arguments.isSilent, arguments.maximumSize == nil,
            arguments.unaskedSize > 0, writesFile
        else { return nil }
        return LengthQuestion(limit: Int64(arguments.unaskedSize))
    }

    private var writesFile: Bool {
        arguments.bodyModes.map { $0.contains(.file) } ?? (names.file(for: plan.request.url, nil) != nil)
    }

    /// Meanwhile nothing is read from the server, which waits.
    ///
    /// - Returns: `nil` when the operation has failed first, such as by Ctrl-C.
    func confirms(_ question: String, of operation: RequestOperation, unless interruption: Interruption) async -> Bool? {
        let (answers, continuation) = AsyncStream<Bool?>.makeStream()
        // This task is never cancelled, since that would cancel the operation, too.
        Task {
            if await operation.response.error != nil { continuation.yield(nil) }
        }
        // All of the body may have come already: then there is nothing to cancel, and Ctrl-C means no.
        let registration = interruption.add {
            Task { continuation.yield(await operation.response.error == nil ? false : nil) }
        }
        defer { withExtendedLifetime(registration) {} }
        SystemThread.run { [context] in
            continuation.yield(["y", "yes"].contains(context.askLine(question)?.lowercased()))
        }
        for await answer in answers { return answer }
        return nil
    }
}

/// Whether more of a body than usual may go into a file.
struct LengthQuestion {
    /// Bytes that nobody has to be asked about.
    let limit: Int64
    private var count: Int64 = 0

    init(limit: Int64) {
        self.limit = limit
    }

    /// What has to be asked before so many more bytes are written; `nil`: nothing.
    ///
    /// - Parameter head: says, maybe, how long the body is.
    mutating func text(adding more: Int, of head: ResponseHead?) -> String? {
        count += Int64(more)
        let length = head?.headers[.contentLength].flatMap { Int64($0) }
        guard max(count, length ?? 0) > limit else { return nil }
        let fact = length.map { "has \(Figures.bytes($0))" } ?? "is larger than \(Figures.bytes(limit))"
        return "The body \(fact). Go on? [y/N] "
    }
}
