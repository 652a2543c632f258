import Base
import HTTPTypes
import NetworkLayer

extension RequestResolver {
    /// The body; `headers` gets its content type unless there is one, or `null` leaves it out.
    mutating func body(_ headers: inout HTTPFields) throws(ResolutionError) -> RequestBody {
        guard let body = definition.body, body != .none, !hasQueryInURL, !definition.isWebSocket else { return .none }
        let place = definition.places["body"] ?? definition.location
        let given = headers[.contentType].map { ContentType($0) }.flatMap { $0.essence.begins(with: "multipart/") ? $0 : nil }
        let (requestBody, type) = try encode(body, boundary: given?["boundary"].flatMap(Self.boundary), at: place)
        // What folders say of queries isn't meant for one with files.
        if body.kind == .graphql, multipart != nil, given == nil { headers[.contentType] = nil }
        origins.append(ValueOrigin(.body, from: .request, at: place))
        if headers[.contentType] == nil, !isOmitted("Content-Type") {
            headers[.contentType] = type
            origins.append(ValueOrigin(.header("content-type"), from: .derived, at: place))
        } else if let multipart = self.multipart, let given, given["boundary"] == nil {
            // Nobody could read the parts without it.
            headers[.contentType] = "\(given.rawValue); boundary=\(multipart.boundary)"
        }
        return requestBody
    }

    /// What a header says, where it can part a body (RFC 2046, section 5.1.1, but for its length).
    private static func boundary(_ text: String) -> String? {
        let isOne = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && text.utf8.last != 0x20
        return isOne && (1...200).contains(text.utf8.count) ? text : nil
    }

    private mutating func encode(
        _ body: BodyDefinition, boundary: String?, at place: SourceLocation
    ) throws(ResolutionError) -> (RequestBody, type: String) {
        let type = body.contentType ?? ""
        switch body {
        case .none:
            return (.none, type)
        case .text(let template):
            return (text(try scope.text(template, at: place)), type)
        case .json(let template):
            return (text(try scope.json(template, at: place)), type)
        case .form(let rows):
            var pairs: [LabelledText] = []
            for row in rows where row.isEnabled {
                let name = try scope.text(row.name, at: row.location)
                let value = try scope.text(row.value, at: row.location)
                pairs.append(name.encoded(URLCoding.formEncoded) + LabelledText("=") + value.encoded(URLCoding.formEncoded))
            }
            return (text(pairs.joined(separator: "&")), type)
        case .file(let template):
            let (file, _) = try file(template, for: "body", at: place)
            return (.file(file), ContentType.forFile(file.path).rawValue)
        case .multipart(let parts):
            let multipart = try multipart(parts, boundary: boundary, at: place)
            self.multipart = multipart
            return (multipart.body, multipart.contentType)
        case .graphql(let graphql):
            return try self.graphql(graphql, boundary: boundary, at: place)
        }
    }

    private mutating func text(_ text: LabelledText) -> RequestBody {
        secrets.put(text, in: .body)
        return .data(Data(text.text.utf8))
    }

    private mutating func multipart(
        _ parts: [BodyDefinition.Part], boundary: String?, at place: SourceLocation
    ) throws(ResolutionError) -> MultipartBody {
        var multipart = boundary.map { MultipartBody(boundary: $0) } ?? MultipartBody()
        for part in parts where part.isEnabled {
            let name = try partText(part.name, at: place)
            var fileName: String?
            if let template = part.fileName { fileName = try partText(template, at: place) }
            var type: String?
            if let template = part.contentType { type = try partText(template, at: place) }
            if let type, type.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
                throw ResolutionError(
                    .header, "the type of the part `\(name)` would contain a line break or control character", at: place)
            }
            switch part.content {
            case .text(let template):
                let text = try partText(template, at: place)
                multipart.append(.init(name: name, fileName: fileName, contentType: type, content: .data(Data(text.utf8))))
            case .file(let template):
                let (file, count) = try file(template, for: "part \(name)", at: place)
                multipart.append(
                    .init(
                        name: name, fileName: fileName ?? file.path.split(separator: "/").last.map(String.init),
                        contentType: type ?? ContentType.forFile(file.path).rawValue,
                        content: .file(file, count: count)
                    ))
            }
        }
        return multipart
    }

    private mutating func partText(_ template: String, at place: SourceLocation) throws(ResolutionError) -> String {
        let text = try scope.text(template, at: place)
        secrets.note(text.labels, in: .body)
        return text.text
    }

    /// Relative to the file in which the request stands.
    mutating func filePath(_ template: String, at place: SourceLocation) throws(ResolutionError) -> String {
        joined(RequestCollections.directory(of: definition.location.path), try scope.text(template, at: place).text)
    }

    /// A file that is sent, and how long it is. Of one that may not be read that is how it is written, and nothing.
    mutating func file(
        _ template: String, for purpose: String, at place: SourceLocation
    ) throws(ResolutionError) -> (file: BodyFile, count: Int64) {
        let path = try filePath(template, at: place)
        guard let file = scope.file(path, for: purpose, at: place) else { return (BodyFile(path: path), 0) }
        do throws(CollectionFileError) {
            let count = try file.size()
            return (scope.sources.showsPlaceholders ? BodyFile(path: path) : file.body, count)
        } catch {
            throw ResolutionError(.file, "the body's file \(error)", at: place)
        }
    }
}
