import Base
import NetworkLayer
import RequestCollections

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

    private static func check(_ arguments: SendArguments) throws {
        var kinds: [String] = []
        if let first = arguments.data.first { kinds.append("--\(first.kind.rawValue)") }
        if !arguments.form.isEmpty { kinds.append("--form") }
        if let item = arguments.items.first {
            kinds.append("\(item.name)\(item.kind == .file ? "@" : item.kind == .json ? ":=" : "=")…")
        }
        if arguments.upload != nil { kinds.append("--upload-file") }
        if arguments.bodyFile != nil { kinds.append("--request-body-file") }
        guard kinds.count <= 1 else {
            throw CommandFailure(
                status: .usage, message: "\(kinds.joined(separator: " and ")) exclude one another: a request has one body.")
        }
        guard !arguments.putsDataInURL || arguments.items.isEmpty else {
            throw CommandFailure(
                status: .usage,
                message: "\(kinds[0]) is for a body, and -G puts data into the URL: \(arguments.items[0].name)==… does.")
        }
        guard !arguments.head || kinds.isEmpty || arguments.putsDataInURL else {
            throw CommandFailure(
                status: .usage,
                message: "-I and \(kinds[0]) exclude one another: HEAD has no body. With -G the data go into the URL.")
        }
    }
}
