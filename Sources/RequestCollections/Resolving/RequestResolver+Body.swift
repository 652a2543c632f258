import FoundationEssentials
import HTTPTypes
import NetworkLayer

extension RequestResolver {
    /// The body; `headers` gets its content type unless there is one.
    mutating func body(_ headers: inout HTTPFields) throws(ResolutionError) -> RequestBody {
        guard let body = definition.body, body != .none else { return .none }
        let place = definition.places["body"] ?? definition.location
        let (requestBody, type) = try encode(body, at: place)
        origins.append(ValueOrigin(.body, from: .request, at: place))
        if headers[.contentType] == nil {
            headers[.contentType] = type
            origins.append(ValueOrigin(.header("content-type"), from: .derived, at: place))
        }
        return requestBody
    }

    private mutating func encode(
        _ body: BodyDefinition, at place: SourceLocation
    ) throws(ResolutionError) -> (RequestBody, type: String) {
        switch body {
        case .none:
            return (.none, "")
        case .text(let template):
            return (.data(Data(try scope.text(template, at: place).utf8)), "text/plain; charset=utf-8")
        case .json(let template):
            return (.data(Data(try scope.json(template, at: place).utf8)), "application/json")
        case .form(let rows):
            var pairs: [String] = []
            for row in rows where row.isEnabled {
                let name = try scope.text(row.name, at: row.location)
                let value = try scope.text(row.value, at: row.location)
                pairs.append("\(PercentEncoding.form(name))=\(PercentEncoding.form(value))")
            }
            return (.data(Data(pairs.joined(separator: "&").utf8)), "application/x-www-form-urlencoded")
        case .file(let template):
            let path = try filePath(template, at: place)
            _ = try size(path, at: place)
            return (.file(path: path), ContentType.forFile(path).rawValue)
        case .multipart(let parts):
            let multipart = try multipart(parts, at: place)
            self.multipart = multipart
            return (multipart.body, multipart.contentType)
        case .graphql(let graphql):
            return (.data(Data(try self.graphql(graphql, at: place).utf8)), "application/json")
        }
    }

    /// GraphQL over HTTP: a POST of JSON.
    private mutating func graphql(
        _ body: BodyDefinition.GraphQL, at place: SourceLocation
    ) throws(ResolutionError) -> String {
        var members: [JSONValue.Member] = []
        switch body.query {
        case .text(let template): members.append(.init(name: "query", value: .string(try scope.text(template, at: place))))
        case .file(let template):
            let path = try filePath(template, at: place)
            do throws(CollectionFileError) {
                let text = String(decoding: try scope.sources.readFile(path), as: UTF8.self)
                members.append(.init(name: "query", value: .string(text)))
            } catch {
                throw ResolutionError(.file, "the query's file \(error)", at: place)
            }
        }
        if let operation = body.operation {
            members.append(.init(name: "operationName", value: .string(try scope.text(operation, at: place))))
        }
        if let variables = body.variables {
            let text = try scope.json(variables, at: place)
            guard let value = JSONParser.parse(text) else {
                throw ResolutionError(
                    .body, "the variables of the GraphQL query aren't JSON any more when they are filled in", at: place)
            }
            members.append(.init(name: "variables", value: value))
        }
        return JSONValue.object(members).text(pretty: true)
    }

    private mutating func multipart(
        _ parts: [BodyDefinition.Part], at place: SourceLocation
    ) throws(ResolutionError) -> MultipartBody {
        var multipart = MultipartBody()
        for part in parts where part.isEnabled {
            let name = try scope.text(part.name, at: place)
            var fileName: String?
            if let template = part.fileName { fileName = try scope.text(template, at: place) }
            var type: String?
            if let template = part.contentType { type = try scope.text(template, at: place) }
            if let type, type.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
                throw ResolutionError(
                    .header, "the type of the part `\(name)` would contain a line break or control character", at: place)
            }
            switch part.content {
            case .text(let template):
                let text = try scope.text(template, at: place)
                multipart.append(.init(name: name, fileName: fileName, contentType: type, content: .data(Data(text.utf8))))
            case .file(let template):
                let path = try filePath(template, at: place)
                multipart.append(
                    .init(
                        name: name, fileName: fileName ?? path.split(separator: "/").last.map(String.init),
                        contentType: type ?? ContentType.forFile(path).rawValue,
                        content: .file(path: path, count: try size(path, at: place))
                    ))
            }
        }
        return multipart
    }

    /// Relative to the file in which the request stands.
    mutating func filePath(_ template: String, at place: SourceLocation) throws(ResolutionError) -> String {
        joined(RequestCollections.directory(of: definition.location.path), try scope.text(template, at: place))
    }

    func size(_ path: String, at place: SourceLocation) throws(ResolutionError) -> Int64 {
        do throws(CollectionFileError) {
            return try FileContents.size(path)
        } catch {
            throw ResolutionError(.file, "the body's file \(error)", at: place)
        }
    }
}
