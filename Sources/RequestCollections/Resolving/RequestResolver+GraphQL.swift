import Base
import GraphQLLanguage
import HTTPTypes
import NetworkLayer

/// What is sent for a query: GraphQL over HTTP, and over `multipart/form-data` (the multipart request specification) where it has files.
extension RequestResolver {
    /// Whether its query stands in the URL, as GraphQL over HTTP has it for GET.
    var hasQueryInURL: Bool { graphQL != nil && definition.method.uppercased() == "GET" }

    private var graphQL: BodyDefinition.GraphQL? { definition.graphQL }

    mutating func graphql(
        _ body: BodyDefinition.GraphQL, boundary: String?, at place: SourceLocation
    ) throws(ResolutionError) -> (RequestBody, type: String) {
        let type = RequestBodyKind.graphql.contentType ?? ""
        let (members, labels) = try members(of: body, at: place)
        // Written anew, nothing is where it was.
        secrets.note(labels, in: .body)
        let whole = JSONValue.object(members).text(pretty: true)
        guard body.files.contains(where: \.isEnabled) else {
            guard body.isPersisted == true else { return (.data(Data(whole.utf8)), type) }
            wholeQuery = .data(Data(whole.utf8))
            return (.data(Data(JSONValue.object(members.filter { $0.name != "query" }).text(pretty: true).utf8)), type)
        }
        var multipart = boundary.map { MultipartBody(boundary: $0) } ?? MultipartBody()
        multipart.append("operations", JSONValue.object(members).text(pretty: false))
        let files = body.files.filter(\.isEnabled)
        let map = files.enumerated().map { number, row in
            JSONValue.Member(name: "\(number)", value: .array([.string("variables.\(row.name)")]))
        }
        multipart.append("map", JSONValue.object(map).text(pretty: false))
        for (number, row) in files.enumerated() {
            let place = row.location ?? place
            let (file, count) = try file(row.value, for: "file \(row.name)", at: place)
            multipart.append(
                .init(
                    name: "\(number)", fileName: file.path.split(separator: "/").last.map(String.init),
                    contentType: ContentType.forFile(file.path).rawValue, content: .file(file, count: count)))
        }
        self.multipart = multipart
        return (multipart.body, multipart.contentType)
    }

    /// The query's parameters, for a URL.
    ///
    /// - Throws: when one of them has a secret in it: in JSON within a URL nobody would find it again to mask it.
    mutating func graphQLParameters() throws(ResolutionError) -> [(name: String, value: String)] {
        guard hasQueryInURL, let graphQL else { return [] }
        let place = definition.places["body"] ?? definition.location
        let (members, labels) = try members(of: graphQL, at: place)
        if let label = labels.first {
            throw ResolutionError(
                .secret, "`\(label.name)` is a secret, and a query by `get` stands in the URL; send it by `post`", at: place)
        }
        return members.map { member in
            if case .string(let text) = member.value {
                (member.name, text)
            } else {
                (member.name, member.value.text(pretty: false))
            }
        }
    }

    /// The members of the object that is sent, in their order.
    private mutating func members(
        of body: BodyDefinition.GraphQL, at place: SourceLocation
    ) throws(ResolutionError) -> (members: [JSONValue.Member], labels: [SecretLabel]) {
        var members: [JSONValue.Member] = []
        var labels: [SecretLabel] = []
        let query = try query(of: body, at: place, &labels)
        members.append(.init(name: "query", value: .string(query)))
        var operation: String?
        if let template = body.operation {
            let text = try scope.text(template, at: place)
            labels.add(text.labels)
            members.append(.init(name: "operationName", value: .string(text.text)))
            operation = text.text
        }
        sentOperation = (try? GraphQLDocument(parsing: query))?.operation(named: operation)?.kind
        var variables: JSONValue?
        if let template = body.variables {
            let text = try scope.json(template, at: place)
            labels.add(text.labels)
            guard let value = JSONParser.parse(text.text) else {
                throw ResolutionError(
                    .body, "the variables of the GraphQL query aren't JSON any more when they are filled in", at: place)
            }
            variables = value
        }
        for row in body.files where row.isEnabled {
            guard let filled = (variables ?? .object([])).setting(.null, at: row.name.pieces(at: ".")[...]) else {
                throw ResolutionError(
                    .body, "the variables have no place for the file `\(row.name)`: it is `name`, or `name.0` in a list",
                    at: row.location ?? place)
            }
            variables = filled
        }
        if let variables { members.append(.init(name: "variables", value: variables)) }
        if body.isPersisted == true {
            let hash = DigestFunction.sha256.hash(Data(query.utf8)).hexadecimal
            members.append(.init(name: "extensions", value: ["persistedQuery": ["version": 1, "sha256Hash": .string(hash)]]))
        }
        return (members, labels)
    }

    private mutating func query(
        of body: BodyDefinition.GraphQL, at place: SourceLocation, _ labels: inout [SecretLabel]
    ) throws(ResolutionError) -> String {
        switch body.query {
        case .text(let template):
            let query = try scope.text(template, at: place)
            labels.add(query.labels)
            return query.text
        case .file(let template):
            let path = try filePath(template, at: place)
            do throws(CollectionFileError) {
                guard let file = scope.file(path, for: "body", at: place) else { return scope.placeholder(forFile: path) }
                return String(decoding: try file.read(limit: TemplateEnvironment.mostFileBytes), as: UTF8.self)
            } catch {
                throw ResolutionError(.file, "the query's file \(error)", at: place)
            }
        }
    }

    /// What is asked for besides what the request and its folders say: GraphQL's own type, and for a subscription events.
    ///
    /// - Parameter kind: that of the operation, where its text is known already.
    func derivedAccept(_ kind: GraphQLDocument.OperationKind? = nil) -> String? {
        guard let graphQL, !definition.isWebSocket, !isOmitted("Accept"),
            !merged(\.headers, ignoringCase: true).contains(where: { $0.row.name.lowercased() == "accept" })
        else { return nil }
        guard kind == nil, case .text(let text) = graphQL.query else { return BodyDefinition.GraphQL.accept(kind) }
        return BodyDefinition.GraphQL.accept(of: text, graphQL.operation)
    }

    mutating func addAccept(to headers: inout HTTPFields) {
        guard let accept = derivedAccept(sentOperation) else { return }
        headers[.accept] = accept
        let place = definition.places["body"] ?? definition.location
        origins.append(ValueOrigin(.header("accept"), from: .derived, at: place))
    }
}

extension BodyDefinition.GraphQL {
    fileprivate static func accept(_ kind: GraphQLDocument.OperationKind?) -> String {
        (kind == .subscription ? "text/event-stream, " : "") + "application/graphql-response+json, application/json;q=0.9"
    }

    /// What to ask for with a query: GraphQL's own type, and for a subscription events.
    package static func accept(of query: String, _ operation: String? = nil) -> String {
        accept((try? GraphQLDocument(parsing: query))?.operation(named: operation)?.kind)
    }
}

extension JSONValue {
    /// With a value at a path such as `pictures.0`; objects and lists on the way are made where they are missing.
    ///
    /// - Returns: `nil` where something else stands in the way, or an index is beyond ``mostFiles``.
    func setting(_ value: JSONValue, at path: ArraySlice<Substring>) -> JSONValue? {
        guard let name = path.first else { return value }
        switch self {
        case .array(var items):
            guard let index = Int(name), (0..<Self.mostFiles).contains(index) else { return nil }
            while items.count <= index { items.append(.null) }
            guard let item = items[index].setting(value, at: path.dropFirst()) else { return nil }
            items[index] = item
            return .array(items)
        case .object(var members):
            let place = members.firstIndex { $0.name == name }
            guard let inner = (place.map { members[$0].value } ?? .null).setting(value, at: path.dropFirst()) else { return nil }
            if let place { members[place].value = inner } else { members.append(Member(name: String(name), value: inner)) }
            return .object(members)
        case .null: return (Int(name) == nil ? JSONValue.object([]) : .array([])).setting(value, at: path)
        case .boolean, .number, .string: return nil
        }
    }

    private static let mostFiles = 1000
}
