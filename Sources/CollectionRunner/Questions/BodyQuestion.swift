package import Base
package import NetworkLayer
package import RequestCollections

/// What is asked about a body, or another text, in a language whose programs may never end.
package struct BodyQuestion: Hashable, Sendable {
    package enum Language: String, Hashable, Sendable {
        case jq
        case xpath
        /// The first group of what a regular expression finds, or all of it.
        case regex
        case regexIgnoringCase = "regex-i"
        /// Whether a regular expression finds something: an empty text, or nothing.
        case find
        case findIgnoringCase = "find-i"
    }

    package var language: Language
    @ExactText package var program: String

    package init(_ language: Language, _ program: String) {
        self.language = language
        self.program = program
    }

    /// - Returns: `nil` for a path, which is evaluated here, and for a shell's command.
    package init?(_ filter: JSONFilter) {
        switch filter.language {
        case .path, .command: return nil
        case .jq: self.init(.jq, filter.source)
        case .xpath(let expression): self.init(.xpath, expression)
        case .regex(let pattern, let ignoringCase): self.init(ignoringCase ? .regexIgnoringCase : .regex, pattern)
        }
    }
}

/// What a body is for XPath, by its `Content-Type`.
enum Markup: String, Sendable {
    case xml
    /// XHTML as well, which need not be well-formed here.
    case html
    case unknown

    init(contentType: String?) {
        let type = contentType?.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() ?? ""
        self = type.contains("html") ? .html : type.hasSuffix("/xml") || type.hasSuffix("+xml") ? .xml : .unknown
    }
}

/// What comes of a ``BodyQuestion``: values of JSON, each on a line of its own, or why there are none.
package typealias BodyAnswer = Result<Data, BodyFilterError>

/// What is said to the process that answers questions, and what it says: fields of bytes, behind their number of bytes in all.
struct QuestionFrame: Equatable {
    var fields: [Data]

    init(_ fields: [Data]) { self.fields = fields }

    /// - Parameter bytes: what stands behind the first line.
    /// - Returns: `nil` for something else.
    init?(_ bytes: Data) {
        fields = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let end = rest.firstIndex(of: 0x0A), let count = Int(String(decoding: rest[..<end], as: UTF8.self)),
                0...(rest.endIndex - end - 1) ~= count
            else { return nil }
            fields.append(Data(rest[(end + 1)..<(end + 1 + count)]))
            rest = rest[(end + 1 + count)...]
        }
    }

    var bytes: Data {
        var body = Data()
        for field in fields {
            body.append(Data("\(field.count)\n".utf8))
            body.append(field)
        }
        return Data("\(body.count)\n".utf8) + body
    }
}

/// Several questions about one body.
struct QuestionSheet: Sendable {
    var questions: [BodyQuestion]
    /// `nil`: whether they can be asked at all.
    var body: BodyFilter.Body?
    /// Bytes of an answer.
    var limit: Int
    /// The process that answers ends itself after this time.
    var seconds: Int

    var frame: QuestionFrame {
        let (kind, content): (String, Data) =
            switch body?.content {
            case nil: ("none", Data())
            case .data(let data)?: ("data", data)
            case .file(let file)?: ("file", Data(file.path.utf8))
            }
        let markup = (body?.markup ?? .unknown).rawValue
        let texts = questions.flatMap { [$0.language.rawValue, $0.program] }
        return QuestionFrame(
            ["\(seconds)", "\(limit)", kind, markup].map { Data($0.utf8) } + [content] + texts.map { Data($0.utf8) })
    }
}

extension QuestionFrame {
    init(_ answers: [BodyAnswer]) {
        self.init(
            answers.flatMap { answer in
                switch answer {
                case .success(let values): [Data("values".utf8), values]
                case .failure(let error): [Data("error".utf8), Data(error.message.utf8)]
                }
            })
    }

    /// - Returns: `nil` for anything but so many answers.
    func answers(count: Int) -> [BodyAnswer]? {
        guard fields.count == 2 * count else { return nil }
        return (0..<count).map { index in
            let content = fields[2 * index + 1]
            return fields[2 * index] == Data("values".utf8)
                ? .success(content) : .failure(BodyFilterError(String(decoding: content, as: UTF8.self)))
        }
    }
}
