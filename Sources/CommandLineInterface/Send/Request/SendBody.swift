import Base
import NetworkLayer
import RequestCollections
import Synchronization

/// The body of a `send`, with what it implies.
struct SendBody: Sendable {
    var body: RequestBody
    /// A body's content type, unless a header says another.
    var contentType: String?
    /// Stands between the parts of a form.
    var boundary: String?
    /// `--json` asks for JSON too.
    var accept: String?
    /// Whether the method is POST unless it is given.
    var isPosted: Bool
    /// The data, with `-G`.
    var query: String?

    init(_ arguments: SendArguments, reading files: InputFiles) throws {
        try Self.check(arguments)
        body = .none
        isPosted = false
        if let path = arguments.bodyFile {
            body = .file(path: try files.existing(path))
            isPosted = true
        } else if let upload = arguments.upload {
            body = try Self.upload(upload, arguments, reading: files)
        } else if !arguments.form.isEmpty {
            let form = try FormPart.multipart(arguments.form, reading: files)
            (body, contentType, boundary) = (form.body, form.contentType, form.boundary)
            isPosted = true
        } else if let query = arguments.graphQL {
            try encode(query: query, arguments.items, reading: files)
        } else if !arguments.items.isEmpty {
            let items = ItemBody(arguments.items)
            if let form = try items.form() {
                let form = try FormPart.multipart(form, reading: files)
                (body, contentType, boundary) = (form.body, form.contentType, form.boundary)
            } else {
                body = .data(Data(try items.json().text(pretty: false).utf8))
                (contentType, accept) = ("application/json", "application/json, */*;q=0.5")
            }
            isPosted = true
        } else if !arguments.data.isEmpty {
            try encodeData(arguments, reading: files)
        }
    }

    private static func upload(_ path: String, _ arguments: SendArguments, reading files: InputFiles) throws -> RequestBody {
        // curl's `.` is `-` that waits for input without holding up the answer, which it does here anyhow.
        let path = path == "." ? "-" : path
        if path != "-", FilePaths.isRegularFile(path) || FilePaths.isDirectory(path) {
            return .file(path: try files.existing(path))
        }
        // A signature needs all of it first, and an answer to a challenge needs it a second time.
        if arguments.choosesScheme { return .data(try files.contents(path)) }
        switch arguments.scheme {
        case .awsSigV4, .digest, .ntlm, .negotiate: return .data(try files.contents(path))
        case nil, .basic: return InputReader.body(try files.input(path))
        }
    }

    private mutating func encodeData(_ arguments: SendArguments, reading files: InputFiles) throws {
        var data = Data()
        for (index, argument) in arguments.data.enumerated() {
            // Pieces of JSON are put together as they are, so that a long one can come from several files.
            if index > 0, argument.kind != .json { data += Data("&".utf8) }
            data += try DataEncoding.bytes(of: argument, reading: files)
        }
        let isJSON = arguments.data.contains { $0.kind == .json }
        // --json is two fields, whatever becomes of the data.
        if isJSON { (contentType, accept) = ("application/json", "application/json") }
        if arguments.putsDataInURL {
            query = String(decoding: data, as: UTF8.self)
            return
        }
        body = .data(data)
        isPosted = true
        if !isJSON { contentType = "application/x-www-form-urlencoded" }
    }

    /// The items are its variables.
    private mutating func encode(query: String, _ items: [RequestItem], reading files: InputFiles) throws {
        let isFile = query.begins(with: "@")
        let text = isFile ? String(decoding: try files.contents(String(query.unicodeScalars.dropFirst())), as: UTF8.self) : query
        var members = [JSONValue.Member(name: "query", value: .string(text))]
        if !items.isEmpty {
            let items = ItemBody(items)
            guard try items.form() == nil else {
                throw CommandFailure(.usage, "--graphql uploads no files; in a collection that is body: { graphql: { files: … } }.")
            }
            members.append(.init(name: "variables", value: try items.json()))
        }
        body = .data(Data(JSONValue.object(members).text(pretty: false).utf8))
        (contentType, accept, isPosted) = ("application/json", BodyDefinition.GraphQL.accept(of: text), true)
    }

    private static func check(_ arguments: SendArguments) throws {
        var kinds: [String] = []
        if let first = arguments.data.first { kinds.append("--\(first.kind.rawValue)") }
        if !arguments.form.isEmpty { kinds.append("--form") }
        if arguments.graphQL != nil { kinds.append("--graphql") }
        if arguments.graphQL == nil, let item = arguments.items.first {
            kinds.append("\(item.name)\(item.kind == .file ? "@" : item.kind == .json ? ":=" : "=")…")
        }
        if arguments.upload != nil { kinds.append("--upload-file") }
        if arguments.bodyFile != nil { kinds.append("--request-body-file") }
        guard kinds.count <= 1 else {
            throw CommandFailure(.usage, "\(kinds.joined(separator: " and ")) exclude one another: a request has one body.")
        }
        guard arguments.graphQL == nil || !arguments.putsDataInURL && !arguments.head && arguments.method?.uppercased() != "GET"
        else {
            throw CommandFailure(.usage, "--graphql sends the query in a body by POST: leave -G, -I and -X GET out.")
        }
        guard !arguments.putsDataInURL || arguments.items.isEmpty else {
            throw CommandFailure(
                .usage, "\(kinds[0]) is for a body, and -G puts data into the URL: \(arguments.items[0].name)==… does.")
        }
        guard !arguments.head || kinds.isEmpty || arguments.putsDataInURL else {
            throw CommandFailure(
                .usage, "-I and \(kinds[0]) exclude one another: HEAD has no body. With -G the data go into the URL.")
        }
    }
}

/// What curl's options for data make of what they are given.
enum DataEncoding {
    /// The bytes of one piece of the body.
    static func bytes(of argument: DataArgument, reading files: InputFiles) throws -> Data {
        switch argument.kind {
        case .raw: return Data(argument.text.utf8)
        case .urlEncoded: return Data(try text(of: argument, reading: files).utf8)
        case .data, .binary, .json:
            guard argument.text.begins(with: "@") else { return Data(argument.text.utf8) }
            let content = try files.contents(String(argument.text.unicodeScalars.dropFirst()))
            // `-d` leaves out the line ends of a file, and NULs; the others send it as it is.
            return argument.kind == .data ? Data(content.filter { $0 != 10 && $0 != 13 && $0 != 0 }) : content
        }
    }

    /// A piece of `--url-query`: as of `--data-urlencode`, and behind a `+` as it stands.
    static func query(of argument: DataArgument, reading files: InputFiles) throws -> String {
        argument.text.hasPrefix("+") ? String(argument.text.dropFirst()) : try text(of: argument, reading: files)
    }

    /// A piece of `--data-urlencode`:
    ///
    /// | given         | gives                       |
    /// |---------------|-----------------------------|
    /// | `a b`         | `a+b`                       |
    /// | `=a=b`        | `a%3Db`                     |
    /// | `name=a b`    | `name=a+b`                  |
    /// | `@file`       | what is in the file         |
    /// | `name@file`   | `name=` what is in the file |
    static func text(of argument: DataArgument, reading files: InputFiles) throws -> String {
        let text = argument.text.unicodeScalars
        guard let mark = text.firstIndex(of: "=") ?? text.firstIndex(of: "@") else { return formEncoded(argument.text.utf8) }
        let name = text[..<mark]
        let rest = String(text[text.index(after: mark)...])
        let content = text[mark] == "=" ? Data(rest.utf8) : try files.contents(rest)
        return (name.isEmpty ? "" : "\(Substring(name))=") + formEncoded(content)
    }

    static func formEncoded(_ bytes: some Sequence<UInt8>) -> String {
        URLCoding.percentEncoded(bytes).replacing(scalars: "%20", with: "+")
    }
}

/// Hands out what comes from standard input, as it comes: `-T -`.
///
/// The caller must not be held up, and input may come at any time: so a thread of its own waits for each piece.
final class InputReader: RequestBodyReader {
    private let input: any ByteInput
    private let state = Mutex(State.idle)

    private enum State {
        case idle, reading
        case read(Data)
        case ended
        case failed(InputFailure)
    }

    init(_ input: any ByteInput) {
        self.input = input
    }

    /// The whole of it as a body, which can be read only once.
    static func body(_ input: any ByteInput) -> RequestBody {
        .stream(RequestBodyStream(isReplayable: false) { InputReader(input) })
    }

    private static let pieceSize = 1 << 16

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) throws -> RequestBodyRead {
        let (answer, starts) = try state.withLock { state throws(InputFailure) -> (RequestBodyRead, Bool) in
            switch state {
            case .reading: return (.later, false)
            case .ended: return (.end, false)
            case .failed(let failure): throw failure
            case .idle:
                state = .reading
                return (.later, true)
            case .read(let piece):
                let rest = piece.dropFirst(limit)
                state = rest.isEmpty ? .idle : .read(rest)
                return (.bytes(piece.prefix(limit)), false)
            }
        }
        if starts { try wait(wake) }
        return answer
    }

    func close() {}

    private func wait(_ wake: @escaping @Sendable () -> Void) throws {
        let status = SystemThread.start { [self] in
            let next: State
            do throws(InputFailure) {
                let piece = try input.read(atMost: Self.pieceSize)
                next = piece.isEmpty ? .ended : .read(piece)
            } catch {
                next = .failed(error)
            }
            state.withLock { $0 = next }
            wake()
        }
        guard status == 0 else { throw InputFailure(name: "standard input", errno: status) }
    }
}
