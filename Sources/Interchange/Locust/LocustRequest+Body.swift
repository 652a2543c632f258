import NetworkLayer
import RequestCollections

extension LocustRequest {
    /// Options of `send`, and the content type unless a header gives another.
    func body() throws -> (options: [String], type: String?) {
        switch definition.body {
        case nil, .some(.none): return ([], nil)
        case .text(let text)?: return (["data=\(try python.text(text)).encode()"], PythonText.string("text/plain; charset=utf-8"))
        case .json(let text)?: return (["data=\(try python.json(text)).encode()"], PythonText.string("application/json"))
        case .form(let rows)?:
            let pairs = try rows.filter(\.isEnabled).map { "(\(try python.text($0.name)), \(try python.text($0.value)))" }
            return (["data=urlencode([\(pairs.joined(separator: ", "))])"], PythonText.string("application/x-www-form-urlencoded"))
        case .file(let path)?:
            return (["data=read(\(try file(path)))"], PythonText.string(ContentType.forFile(path).rawValue))
        case .multipart(let parts)?:
            let rows = try parts.filter(\.isEnabled).map { "    \(try part($0)),\n" }
            return (["files=[\n\(rows.joined())]"], nil)
        case let body?:
            guard case .graphql(let graphql) = body else { throw Inexpressible("its body is \(body.kind.name)") }
            var members: [String] = []
            switch graphql.query {
            case .text(let text): members.append("\"query\": \(try python.text(text))")
            case .file(let path): members.append("\"query\": read(\(try file(path))).decode()")
            }
            if let operation = graphql.operation { members.append("\"operationName\": \(try python.text(operation))") }
            if let variables = graphql.variables {
                guard let value = JSONParser.parse(variables) else {
                    throw Inexpressible("the variables of its query aren't JSON yet")
                }
                members.append("\"variables\": \(try python.value(value))")
            }
            return (["data=json_text({\(members.joined(separator: ", "))}).encode()"], PythonText.string("application/json"))
        }
    }

    private func file(_ path: String) throws -> String {
        if Template.isIn(path) { throw Inexpressible("the path of a file is a template") }
        return try python.file(path)
    }

    /// As `requests` takes it: (name, (file name, content, type)).
    private func part(_ part: BodyDefinition.Part) throws -> String {
        let type = try part.contentType.map { try python.text($0) }
        switch part.content {
        case .text(let text):
            let name = try part.fileName.map { try python.text($0) } ?? "None"
            return "(\(try python.text(part.name)), (\(name), \(try python.text(text))\(type.map { ", \($0)" } ?? "")))"
        case .file(let path):
            let name = part.fileName ?? path.split(separator: "/").last.map(String.init) ?? path
            return "(\(try python.text(part.name)), (\(try python.text(name)), read(\(try file(path))), "
                + "\(type ?? PythonText.string(ContentType.forFile(path).rawValue))))"
        }
    }
}
