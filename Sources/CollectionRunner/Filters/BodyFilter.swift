package import Base
import NetworkLayer
package import RequestCollections

/// A filter on a body: a path, XPath or a regular expression, evaluated here; a program for jq, which a process of this program is asked;
/// or, after an exclamation mark, any shell command.
///
///     .items[0].id        .items | map(.id)        xpath://h1        /id=(\d+)/        !wc -l
package struct BodyFilter: Sendable {
    /// As it was written.
    package let source: String
    private let form: Form

    private enum Form {
        case here(JSONFilter)
        case jq
        case shell(String)
    }

    package init(_ source: String) {
        self.source = source
        let filter = JSONFilter(source)
        form =
            switch filter.language {
            case .path, .xpath, .regex: .here(filter)
            case .jq: .jq
            case .command: .shell(String(source.drop { $0 == " " }.dropFirst()))
            }
    }

    /// Whether what it gives are JSON values: what a command prints may be anything.
    package var givesJSON: Bool {
        if case .shell = form { false } else { true }
    }

    /// What programs may take and print.
    package struct Limits: Hashable, Sendable {
        /// For all filters of a response together.
        package var timeout: Duration
        /// How much of it this one may take; `nil`: all.
        package var share: Duration?
        /// Bytes.
        package var output: Int

        var time: Duration { share ?? timeout }

        package init(timeout: Duration = .seconds(30), share: Duration? = nil, output: Int = 64 << 20) {
            self.timeout = timeout
            self.share = share
            self.output = output
        }

        /// How many bytes the process that answers questions may reserve: jq takes about twelve times the size of a body. Half of the
        /// machine's memory is left to other programs.
        package static let defaultMemory = min(4 << 30, max(256 << 20, Int(ProcessInfo.processInfo.physicalMemory / 2)))
    }

    package struct Body: Sendable {
        enum Content {
            case data(Data)
            /// A large body is never read into memory for a filter. The file stays as long as this value.
            case file(TemporaryFile)
        }

        var content: Content
        /// As the server says; what it means is found when an XPath asks.
        var contentType: String?

        package static func data(_ data: Data) -> Body { Body(content: .data(data)) }

        static func file(_ file: TemporaryFile) -> Body { Body(content: .file(file)) }
    }

    /// What the filter makes of the body, for a reader: JSON in lines of its own, or what the command printed.
    ///
    /// - Parameters:
    ///   - permit: the permission to run a command; other filters need none.
    ///   - worker: answers the filters that aren't evaluated here.
    /// - Throws: a ``BodyFilterError``; cancelling the task ends the program.
    package func output(
        of body: Body, environment: [String: String] = ProcessInfo.processInfo.environment, permit: Permission? = nil,
        limits: Limits = Limits(), worker: QuestionWorker
    ) async throws(BodyFilterError) -> Data {
        switch form {
        case .here(let filter):
            return try await SystemThread.value { Self.evaluate(filter, body, limit: limits.output) }.get()
        case .jq:
            let plain = [JSONFilter(source)]
            if let values = await SystemThread.value({ body.found(by: plain) }).first?.values {
                return Data(values.map { $0.text(pretty: false) + "\n" }.joined().utf8)
            }
            return try await worker.ask([source], about: body, limits: limits)[0].get()
        case .shell(let line):
            guard let permit else { throw BodyFilterError("the command `\(line)` isn't allowed") }
            return try await Self.run(line, body, environment, limits, permit)
        }
    }

    /// The JSON values that a filter makes of a body, for captures and expectations.
    package func values(
        of body: Body, environment: [String: String] = ProcessInfo.processInfo.environment, permit: Permission? = nil,
        limits: Limits = Limits(), worker: QuestionWorker
    ) async throws(BodyFilterError) -> [JSONValue] {
        try values(
            in: try await output(of: body, environment: environment, permit: permit, limits: limits, worker: worker))
    }

    /// The values of what it gave, each on a line of its own.
    package func values(in output: Data) throws(BodyFilterError) -> [JSONValue] {
        do throws(JSONFilterError) {
            return output.isEmpty ? [] : try JSONFilter(".").values(in: output)
        } catch {
            throw BodyFilterError("what `\(source)` printed isn't JSON")
        }
    }

    /// What those filters find that are XPath, in a body that is read once.
    static func xpathAnswers(to filters: [JSONFilter], in body: Body, limit: Int) async -> [(
        filter: BodyFilter, answer: BodyAnswer
    )] {
        let asked = filters.compactMap { filter in
            if case .xpath(let expression) = filter.language {
                (filter: BodyFilter(filter.source), expression: expression)
            } else {
                nil
            }
        }
        guard !asked.isEmpty else { return [] }
        return await SystemThread.value {
            let contents = Result { () throws(JSONFilterError) in try body.contents() }.mapError { BodyFilterError($0.message) }
            let text = contents.flatMap { XMLText.read($0, as: Markup(contentType: body.contentType)) }
            return asked.map { ($0.filter, Self.values(of: $0.expression, in: text, limit: limit)) }
        }
    }

    private static func values(of expression: String, in text: Result<XMLText, BodyFilterError>, limit: Int) -> BodyAnswer {
        text.flatMap { $0.values(of: expression, limit: limit) }
    }

    private static func evaluate(_ filter: JSONFilter, _ body: Body, limit: Int) -> BodyAnswer {
        do throws(JSONFilterError) {
            let contents = try body.contents()
            switch filter.language {
            case .xpath(let expression):
                let text = XMLText.read(contents, as: Markup(contentType: body.contentType))
                return values(of: expression, in: text, limit: limit)
            case .regex(let pattern, let ignoringCase):
                let text = String(decoding: contents, as: UTF8.self)
                do throws(RegularExpressionError) {
                    let found = try RegularExpression.compiled(pattern, ignoringCase: ignoringCase).group(in: text)
                    return .success(found.map { Data(JSONValue.string($0).text(pretty: false).utf8) } ?? Data())
                } catch {
                    return .failure(BodyFilterError("it \(error.message)"))
                }
            case .path, .jq, .command: break
            }
            var output = Data()
            var isTooLong = false
            try filter.find(in: contents) { text in
                guard output.count + text.count <= limit else { return isTooLong = true }
                output.append(contentsOf: text)
                output.append(0x0A)
            }
            return isTooLong ? .failure(.tooLong(limit)) : .success(output)
        } catch {
            return .failure(BodyFilterError(error.message))
        }
    }

    private static func run(
        _ line: String, _ body: Body, _ environment: [String: String], _ limits: Limits, _ permit: Permission
    ) async throws(BodyFilterError) -> Data {
        let input: Command.Input =
            switch body.content {
            case .data(let data): .data(data)
            case .file(let file): .file(file.path)
            }
        let command = Command(
            ["sh", "-c", line], environment: environment, input: input, timeout: limits.time, outputLimit: limits.output)
        do throws(CommandError) {
            return try await command.run(permit)
        } catch {
            throw BodyFilterError("the command \(error.predicate)")
        }
    }
}

extension BodyFilter: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.source.hasBytes(of: right.source) }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(source)) }
}

extension BodyFilter.Body {
    /// What those programs find that need no jq, in a body that is in memory.
    func found(by filters: [JSONFilter]) -> [(source: String, values: [JSONValue])] {
        guard case .data(let data) = content else { return [] }
        let programs = filters.compactMap { filter in PlainProgram(filter).map { (source: filter.source, program: $0) } }
        guard !programs.isEmpty, let value = JSONParser.parse(String(decoding: data, as: UTF8.self)) else { return [] }
        return programs.compactMap { plain in plain.program.values(in: value).map { (plain.source, $0) } }
    }

    func contents() throws(JSONFilterError) -> Data {
        switch content {
        case .data(let data): return data
        case .file(let file):
            // Mapped, so that its pages come and go.
            guard let data = try? file.contents() else { throw JSONFilterError("the body's file \(file.path) can't be read") }
            return data
        }
    }
}

/// Why a filter gave nothing.
package struct BodyFilterError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
