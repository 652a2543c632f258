package import Base
import NetworkLayer

/// What comes of a program for jq: values of JSON, each on a line of its own, or why there are none.
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

/// Several programs for one body.
struct QuestionSheet: Sendable {
    var programs: [String]
    /// `nil`: whether they are programs at all.
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
        return QuestionFrame(
            ["\(seconds)", "\(limit)", kind].map { Data($0.utf8) } + [content] + programs.map { Data($0.utf8) })
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
