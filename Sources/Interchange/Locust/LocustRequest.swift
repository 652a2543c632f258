import Base
import NetworkLayer
import RequestCollections

/// One request as statements of Python: what it needs, how it is sent, what its response must be, and what is kept of it.
struct LocustRequest {
    let request: MergedRequest
    let python: PythonTemplate
    /// Entries of a dictionary: those of its folders, too.
    let variables: [String]
    /// What can't be said.
    var notes: [String] = []

    init(_ request: MergedRequest, variables: [String] = [], python: PythonTemplate) {
        self.request = request
        self.variables = variables
        self.python = python
    }

    /// Whether it has limits that Python's `requests` doesn't support.
    var hasWholeTimeouts: Bool { request.settings.timeouts.attempt != nil || request.settings.timeouts.operation != nil }

    var definition: RequestDefinition { request.definition }

    mutating func lines() throws -> [String] {
        if definition.hydrate != nil { throw Inexpressible("a command hydrates it just before it is sent") }
        if definition.until != nil { throw Inexpressible("it is sent again until its answer is as it should be") }
        var lines = variables.isEmpty ? ["v = self.values"] : ["v = self.values.near({"] + variables + ["})"]
        for need in request.needs {
            let name = PythonText.string(need.request.rawValue)
            let age = need.maxAge.map { ", max_age=\(PythonTemplate.seconds($0))" } ?? ""
            lines.append("need(self, \(name), self.\(python.methods[need.request] ?? "")\(age))")
        }
        let body = try body()
        var options = [
            PythonText.string(definition.id.rawValue), PythonText.string(definition.method), try url(),
        ]
        let headers = try headers(contentType: body.type)
        options += try headersOption(headers)
        options += try credentials()
        options += body.options
        options += try transport()
        notes += unsaidSettings()
        lines.append("with send(")
        lines.append("    self,")
        for option in options { lines += "\(option),".lines.map { "    \($0)" } }
        lines.append(") as reply:")
        let checks = try statements()
        // A comment alone is no block.
        let isEmpty = !checks.contains { !$0.function.hasPrefix("#") }
        lines += (checks.flatMap(\.lines) + (isEmpty ? ["pass"] : [])).map { "    \($0)" }
        return lines
    }
}
