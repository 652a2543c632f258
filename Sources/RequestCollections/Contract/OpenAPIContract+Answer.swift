import Base
import HTTPTypes
import NetworkLayer

extension OpenAPIContract {
    /// What an answer breaks of it.
    struct Verdict {
        /// The name of the operation, and of what is described of the answer: `createOrder 201`; `nil`: there is none.
        var name: String?
        /// As the end of "and found".
        var found = ""
        var violations: [JSONSchema.Violation] = []
        var isKept = false
    }

    func verdict(on facts: ResponseFacts, _ context: inout MatchContext) -> Verdict {
        guard let info = facts.response.info else { return Verdict() }
        let (method, path) = (info.finalRequest.method.rawValue, info.finalRequest.url.path(percentEncoded: true))
        let host = info.finalRequest.url.host(percentEncoded: false)
        guard let operation = operation(method, path, at: host) else {
            return Verdict(found: complaint(method, path, at: host))
        }
        let status = info.head.status.code
        guard let described = response(status, of: operation) else {
            let statuses = (operation.part["responses"]?.value.members ?? []).map(\.name).joined(separator: ", ")
            let described = statuses.isEmpty ? "none" : statuses
            return Verdict(name: operation.name, found: "status \(status), and \(operation.name) describes \(described)")
        }
        var violations = described.isLost ? [described.lost] : headers(of: described, facts, &context)
        // HTTP has no body there, whatever the document says.
        if method != "HEAD", status >= 200, status != 204, status != 304 { violations += body(of: described, facts, &context) }
        let name = "\(operation.name) \(status)"
        if let problem = facts.bodyProblem, described["content"] != nil { return Verdict(name: name, found: "nothing: \(problem)") }
        let count = "\(violations.count) violation\(violations.count == 1 ? "" : "s")"
        return Verdict(
            name: name, found: violations.isEmpty ? "no violation" : count, violations: violations,
            isKept: violations.isEmpty)
    }

    /// The code itself, its class, or what is described for all others.
    private func response(_ status: Int, of operation: Operation) -> Part? {
        guard let responses = operation.part["responses"] else { return nil }
        let names = responses.value.members.map(\.name)
        let name =
            names.first { $0 == "\(status)" } ?? names.first { $0.uppercased() == "\(status / 100)XX" }
            ?? names.first { $0 == "default" }
        return name.flatMap { responses[$0] }.map { schemas.followed($0) }
    }

    // MARK: Header fields

    private func headers(of response: Part, _ facts: ResponseFacts, _ context: inout MatchContext) -> [JSONSchema.Violation] {
        guard let headers = response["headers"] else { return [] }
        var found: [JSONSchema.Violation] = []
        for member in headers.value.members where member.name.lowercased() != "content-type" {
            guard let header = headers[member.name].map({ schemas.followed($0) }) else { continue }
            let place = "header \(member.name.lowercased())"
            guard !header.isLost else {
                found.append(header.lost)
                continue
            }
            let values = facts.headers(member.name)
            guard !values.isEmpty else {
                if header.value["required"] == .boolean(true) {
                    found.append(.init(path: place, demand: "is missing, and is required", rule: header.uri + "/required"))
                }
                continue
            }
            let text = values.joined(separator: ", ")
            if let schema = header["schema"] {
                // Only `Set-Cookie` fields have commas of their own.
                let texts = member.name.lowercased() == "set-cookie" ? values : [text]
                for text in texts { found += complaints(about: text, schema, place, isField: true, &context) }
            } else if let content = header["content"], let type = content.value.members.first?.name, Self.isJSON(type),
                let schema = content[type]?["schema"]
            {
                guard let value = JSONParser.parse(text) else {
                    found.append(.init(path: place, demand: "isn't JSON", rule: content.uri))
                    continue
                }
                found += schemas.violations(of: value, at: schema.place, named: schema.uri, &context).map {
                    $0.moved(to: place, isHidden: Redaction.standard.redacts(member.name))
                }
            }
        }
        return found
    }

    /// What a text that has no type is said to be: the text itself, or what it looks like where that fits.
    private func complaints(
        about text: String, _ part: Part, _ place: String, isField: Bool, _ context: inout MatchContext
    ) -> [JSONSchema.Violation] {
        let schema = schemas.followed(part)
        let type = schema.value["type"]
        let types = type?.string.map { [$0] } ?? type?.items.compactMap(\.string) ?? []
        // How a map is written in a field is a science of its own.
        guard !isField || types.isEmpty || types != ["object"] else { return [] }
        var readings: [JSONValue] = [.string(text)]
        let scalar = JSONParser.parse(text.trimmingSpaces)
        switch scalar {
        case .number, .boolean, .null: readings += [scalar].compactMap(\.self)
        default: break
        }
        if isField, types.contains("array") {
            let items = text.pieces(at: ",").map { String($0.trimmed) }
            readings.append(.array(items.map { .string($0) }))
            readings.append(.array(items.map { JSONParser.parse($0).flatMap { $0.scalar == nil ? nil : $0 } ?? .string($0) }))
        }
        var nearest: [JSONSchema.Violation]?
        for reading in readings {
            let found = schemas.violations(of: reading, at: part.place, named: part.uri, &context)
            if found.isEmpty { return [] }
            // Where the type is right, what else is wrong says more.
            if nearest == nil || nearest?.first?.key == "type" { nearest = found }
        }
        let isHidden = isField && Redaction.standard.redacts(String(place.dropFirst("header ".count)))
        return (nearest ?? []).map { isField ? $0.moved(to: place, isHidden: isHidden) : $0 }
    }

    // MARK: The body

    private func body(of response: Part, _ facts: ResponseFacts, _ context: inout MatchContext) -> [JSONSchema.Violation] {
        guard let content = response["content"], case .object(let types) = content.value, !types.isEmpty else { return [] }
        let names = types.map(\.name)
        guard facts.size > 0 else {
            // An empty body is a valid text, but no valid JSON.
            guard names.allSatisfy(Self.isJSON) else { return [] }
            return [.init(path: "", demand: "there is no body, and one is described", rule: content.uri)]
        }
        guard let field = facts.headers("content-type").last else {
            let list = names.joined(separator: ", ")
            return [.init(path: "header content-type", demand: "is missing, where \(list) is described", rule: content.uri)]
        }
        let essence = ContentType(field).essence
        guard let name = Self.range(for: essence, among: names), let media = content[name].map({ schemas.followed($0) }) else {
            let demand = "is \(essence), where \(names.joined(separator: ", ")) is described"
            return [.init(path: "header content-type", demand: demand, rule: content.uri)]
        }
        guard !media.isLost else { return [media.lost] }
        guard let schema = media["schema"] else { return [] }
        if Self.isJSON(essence) {
            guard let value = JSONParser.parse(facts.bodyText) else {
                return [.init(path: "", demand: "isn't JSON, as its content-type says", rule: media.uri)]
            }
            return schemas.violations(of: value, at: schema.place, named: schema.uri, &context)
        }
        // For XML, forms and bytes, we only check that the document describes them.
        guard essence.hasPrefix("text/"), !essence.hasSuffix("xml") else { return [] }
        return complaints(about: facts.bodyText, schema, "", isField: false, &context)
    }

    private static func isJSON(_ type: String) -> Bool {
        let essence = ContentType(type).essence
        return essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// The type itself, its family, or any.
    private static func range(for essence: String, among names: [String]) -> String? {
        let family = essence.prefix { $0 != "/" } + "/*"
        return [essence, String(family), "*/*"].lazy.compactMap { wanted in
            names.first { ContentType($0).essence == wanted }
        }.first
    }
}

extension JSONSchema.Violation {
    /// - Parameter isHidden: nobody may see what stands there.
    fileprivate func moved(to place: String, isHidden: Bool) -> JSONSchema.Violation {
        var copy = self
        copy.path = place + path
        if isHidden { copy.found = nil }
        if found != nil, isHidden { copy.demand = "is something else where \(demand)" }
        return copy
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(self[...].trimmed) }
}
