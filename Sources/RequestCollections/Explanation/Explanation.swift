import HTTPTypes
package import NetworkLayer

extension RequestResolver {
    mutating func explain() -> Explanation {
        var rows = urlRows()
        rows += mergedRows(.query, \.query, ignoringCase: false)
        rows += mergedRows(.headers, \.headers, ignoringCase: true)
        let body = bodyRows()
        rows += body.headers
        rows += mergedRows(.cookies, \.cookies, ignoringCase: false)
        let (auth, hidden) = authRows()
        rows += auth + body.rows + settingRows() + aroundRows()
        rows += variableRows(hiding: hidden)
        let redactor = Redactor(scope.secretTexts)
        return Explanation(request: definition.id, rows: rows.map { $0.redacted(by: redactor) })
    }

    /// The value, or the text as it stands and why it can't be filled in.
    private mutating func filled(_ template: String, at place: SourceLocation?) -> (value: String, problem: String?) {
        do throws(ResolutionError) {
            return (try scope.text(template, at: place).text, nil)
        } catch {
            return (template, error.message)
        }
    }

    private mutating func row(
        _ group: Explanation.Group, _ name: String, _ template: String, _ source: ValueOrigin.Source, at place: SourceLocation?
    ) -> Explanation.Row {
        let (value, problem) = filled(template, at: place)
        var row = Explanation.Row(group, name, value, .init(source, at: place), problem: problem)
        if problem == nil, value != template { row.template = template }
        return row
    }

    // MARK: The request

    private mutating func urlRows() -> [Explanation.Row] {
        var rows = [row(.url, "", definition.url, .request, at: definition.places["url"] ?? definition.location)]
        rows[0].name = definition.method
        for path in definition.path where path.isEnabled {
            rows.append(row(.path, path.name, path.value, .request, at: path.location))
        }
        return rows
    }

    /// By name, as ``merged(_:ignoringCase:)`` does it: the nearest level that has a name decides.
    private mutating func mergedRows(
        _ group: Explanation.Group, _ part: KeyPath<Level, [Row]>, ignoringCase: Bool
    ) -> [Explanation.Row] {
        func key(_ name: String) -> String { ignoringCase ? name.lowercased() : name }
        var order: [String] = []
        var byName: [String: [(row: Row, level: Int)]] = [:]
        for (number, level) in levels.enumerated() {
            let names = Set(level[keyPath: part].map { key($0.name) })
            // A name moves to where its nearest level has it.
            order.removeAll { names.contains($0) }
            for row in level[keyPath: part] {
                if !order.contains(key(row.name)) { order.append(key(row.name)) }
                byName[key(row.name), default: []].append((row, number))
            }
        }
        return order.flatMap { name -> [Explanation.Row] in
            let found = byName[name] ?? []
            let nearest = found.map(\.level).max() ?? 0
            let overrode = found.filter { $0.level < nearest }.reversed().map { row, number in
                Explanation.Overridden(row.value ?? "null", .init(levels[number].source, at: row.location))
            }
            return found.filter { $0.level == nearest }.compactMap { found in
                let isRemoved = !found.row.isEnabled || found.row.value == nil
                if isRemoved, overrode.isEmpty { return nil }
                var row = row(group, found.row.name, found.row.value ?? "", levels[nearest].source, at: found.row.location)
                row.isRemoved = isRemoved
                row.overrode = overrode
                return row
            }
        }
    }

    /// - Returns: also the variables that are there for the credentials alone: what they are may not be shown.
    private mutating func authRows() -> (rows: [Explanation.Row], hidden: Set<String>) {
        let saying = levels.filter { $0.auth != nil && $0.auth != .inherit }.reversed()
        guard let level = saying.first, let auth = level.auth else { return ([], []) }
        let place = level.places["auth"]
        var row = Explanation.Row(.auth, auth.kindName, "", .init(level.source, at: place))
        if let user = auth.shownName { (row.value, row.problem) = filled(user, at: place) }
        row.overrode = saying.dropFirst().map { level in
            Explanation.Overridden(level.auth?.kindName ?? "", .init(level.source, at: level.places["auth"]))
        }
        let shown = Set(scope.used)
        do throws(ResolutionError) {
            var headers = HTTPFields()
            _ = try addAuth(to: &headers)
            _ = try apiKey(in: .query)
            _ = try apiKey(in: .cookie)
        } catch {
            row.problem = row.problem ?? error.message
        }
        let hidden = scope.used.filter { !shown.contains($0) }.compactMap { origin in
            if case .variable(let name) = origin.subject { name } else { nil }
        }
        return ([row], Set(hidden))
    }

    /// - Returns: also the content type that the body brings along.
    private mutating func bodyRows() -> (headers: [Explanation.Row], rows: [Explanation.Row]) {
        guard let body = definition.body, body != .none else { return ([], []) }
        let place = definition.places["body"]
        var row = Explanation.Row(.body, "", body.shownName, .init(.request, at: place))
        var headers = HTTPFields()
        do throws(ResolutionError) { _ = try self.body(&headers) } catch { row.problem = error.message }
        let isSaid = merged(\.headers, ignoringCase: true).contains { $0.row.name.lowercased() == "content-type" }
        guard !isSaid, let type = headers[.contentType] else { return ([], [row]) }
        return ([Explanation.Row(.headers, "content-type", type, .init(.derived, at: place))], [row])
    }

    // MARK: Settings

    private mutating func settingRows() -> [Explanation.Row] {
        let library = RequestSettings.library
        return SettingField.all.compactMap { field in
            let key = field.key
            let saying = levels.reversed().compactMap { level in field.text(in: level.settings).map { (text: $0, level: level) } }
            var farther = saying.dropFirst().map { text, level in
                Explanation.Overridden(text, .init(level.source, at: level.places[key]))
            }
            let libraryText = field.isDetail ? nil : field.text(in: library)
            if let libraryText, !saying.isEmpty { farther.append(.init(libraryText, .init(.library, at: nil))) }
            guard let (text, level) = saying.first else {
                return libraryText.map { Explanation.Row(.settings, key, $0, .init(.library, at: nil)) }
            }
            var row = row(.settings, key, text, level.source, at: level.places[key])
            row.overrode = Array(farther)
            return row
        }
    }

    // MARK: Before and after

    private mutating func aroundRows() -> [Explanation.Row] {
        let needs = definition.needs.map { need in
            let age =
                (need.maxAge.map { "unless it is younger than \(DurationText.format($0))" } ?? "every time")
                + (need.ifSkipped == .fail ? ", and not skipped" : "")
            return Explanation.Row(.needs, need.name, age, .init(.request, at: need.location))
        }
        let captures = definition.captures.map { capture in
            Explanation.Row(
                .capture, capture.name, ([capture.source.description] + capture.steps.map(\.description)).joined(separator: " → "),
                .init(.request, at: capture.location))
        }
        var problem: ResolutionError?
        do throws(ResolutionError) { _ = try self.expectations() } catch { problem = error }
        let expectations = definition.expectations.map { expectation in
            Explanation.Row(
                .expect, expectation.subject.description, expectation.matcher.description,
                .init(.request, at: expectation.location),
                problem: problem?.location == expectation.location ? problem?.message : nil)
        }
        problem = nil
        var steps: [ResolvedStep] = []
        do throws(ResolutionError) { steps = try session()?.steps ?? [] } catch { problem = error }
        let messages = definition.steps.enumerated().map { number, step in
            Explanation.Row(
                .messages, "\(number + 1)", steps.isEmpty ? "\(step)" : "\(steps[number])", .init(.request, at: step.location),
                problem: problem?.location == step.location ? problem?.message : nil)
        }
        let conditions = self.conditions.flatMap { when, folder in
            let source = folder.map { ValueOrigin.Source.defaults($0) } ?? .request
            let any = WhenDefinition(conditions: [], alternatives: when.alternatives, location: when.location)
            return when.conditions.map {
                Explanation.Row(.when, $0.variable, $0.matcher.description, .init(source, at: $0.location))
            }
                + (when.alternatives.isEmpty
                    ? [] : [Explanation.Row(.when, "any", any.description, .init(source, at: when.location))])
        }
        return conditions + needs + messages + captures + expectations + untilRows()
    }

    private mutating func untilRows() -> [Explanation.Row] {
        guard let until = definition.until else { return [] }
        var row = Explanation.Row(.until, "", until.description, .init(.request, at: until.location))
        do throws(ResolutionError) { row.value = try self.until()?.description ?? row.value } catch { row.problem = error.message }
        return [row]
    }

    /// The variables that were used above.
    private mutating func variableRows(hiding hidden: Set<String>) -> [Explanation.Row] {
        scope.used.compactMap { origin in
            guard case .variable(let name) = origin.subject else { return nil }
            var row = row(.variables, name, "{{\(name)}}", origin.source, at: origin.location)
            row.overrode = scope.definitions(of: name).filter { $0.location != origin.location }.map {
                Explanation.Overridden(hidden.contains(name) ? Redactor.mask : $0.text, .init($0.source, at: $0.location))
            }
            // A credential that stands in the file as it is. A placeholder says only where one would come from.
            if hidden.contains(name), !row.value.hasPrefix("‹") { row.value = Redactor.mask }
            return row
        }
    }
}

extension Explanation.Row {
    fileprivate func redacted(by redactor: Redactor) -> Explanation.Row {
        var row = self
        row.value = masked(redactor.text(value))
        row.template = template.map { masked(redactor.text($0)) }
        row.problem = problem.map(redactor.text)
        row.overrode = overrode.map { Explanation.Overridden(masked(redactor.text($0.value)), $0.origin) }
        return row
    }

    /// A credential that stands in the file as it is, is none of the secrets that the collection knows of.
    private func masked(_ value: String) -> String {
        switch group {
        case .headers: Redaction.standard.masked(value, of: name)
        case .url: Redaction.standard.url(value).map(\.text).joined()
        case .query where Redaction.standard.redacts(parameter: name) && !value.isEmpty: Redactor.mask
        case .cookies: value.isEmpty ? "" : Redactor.mask
        case .settings where SettingField[name]?.texts == .url: Redaction.standard.url(value).map(\.text).joined()
        default: value
        }
    }
}

extension BodyDefinition {
    /// The kind, and which file.
    fileprivate var shownName: String { if case .file(let path) = self { "file \(path)" } else { kind.name } }
}

/// Where everything about a request comes from: each effective value, the place that it stands in, and what it won over.
///
/// A value to show. Secrets are masked in it, and nothing is asked for: what a command, a person or another response would give is
/// shown as a placeholder such as `‹git rev-parse HEAD›`.
package struct Explanation: Hashable, Sendable {
    package var request: RequestID
    /// In the order of ``Group``, and in a group in the order in which it is sent.
    package var rows: [Row]

    package init(request: RequestID, rows: [Row]) {
        self.request = request
        self.rows = rows
    }

    package enum Group: String, Hashable, Sendable, CaseIterable {
        case url, path, query, headers, cookies, auth, body, settings, when, needs, messages, capture, expect, until, variables
    }

    package struct Row: Hashable, Sendable {
        package var group: Group
        /// A header's, parameter's or variable's name, a setting's key (`timeouts.idle`), what is expected; empty for the rest.
        package var name: String
        package var value: String
        package var origin: Origin
        /// What would hold without it, the nearest first.
        package var overrode: [Overridden]
        /// It takes away what a farther level gave, by `null` or `enabled: false`.
        package var isRemoved: Bool
        /// Why ``value`` is the text as it stands in the file: a template in it can't be filled in.
        package var problem: String?
        /// The text as it stands in the file, where templates in it were filled in.
        package var template: String?

        package init(
            _ group: Group, _ name: String, _ value: String, _ origin: Origin, overrode: [Overridden] = [],
            isRemoved: Bool = false, problem: String? = nil
        ) {
            self.group = group
            self.name = name
            self.value = value
            self.origin = origin
            self.overrode = overrode
            self.isRemoved = isRemoved
            self.problem = problem
        }
    }

    package struct Origin: Hashable, Sendable {
        package var source: ValueOrigin.Source
        /// `nil` for what doesn't stand in a file.
        package var location: SourceLocation?

        package init(_ source: ValueOrigin.Source, at location: SourceLocation?) {
            self.source = source
            self.location = location
        }
    }

    package struct Overridden: Hashable, Sendable {
        /// As it stands in the file, secrets masked.
        package var value: String
        package var origin: Origin

        package init(_ value: String, _ origin: Origin) {
            self.value = value
            self.origin = origin
        }
    }
}

extension RequestCollection {
    /// Where everything about a request comes from.
    ///
    /// - Throws: only for an environment that isn't there. What can't be filled in is a row with a ``Explanation/Row/problem``.
    package func explain(
        _ definition: RequestDefinition, environment: String?, variables: [String: JSONValue] = [:],
        secretVariables: [String: [OriginPattern]] = [:], captured: [String: CapturedValue] = [:]
    ) throws(ResolutionError) -> Explanation {
        let scope = try VariableScope(
            self, environment: environment, given: variables, givenSecrets: secretVariables,
            sources: TemplateEnvironment(captured: captured, mode: .show), for: definition)
        var resolver = RequestResolver(definition, in: self, scope: scope)
        return resolver.explain()
    }
}

extension ValueOrigin.Source: CustomStringConvertible {
    /// As the end of "from".
    package var description: String {
        switch self {
        case .request: "this request"
        case .defaults(nil): "the collection's defaults"
        case .defaults(let id?): "the defaults of \(id)"
        case .environment(let name): "the environment \(name)"
        case .variables(nil): "the collection's variables"
        case .variables(let id?): "the variables of \(id)"
        case .item: "an item of `for-each`"
        case .given: "what was given by hand"
        case .captured(let id): "the response of \(id)"
        case .derived: "another part of the request"
        case .library: "the library"
        }
    }
}
