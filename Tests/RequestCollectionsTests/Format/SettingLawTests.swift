import SchemaTesting
import Testing

@testable import RequestCollections

/// What holds of every row of the table, whoever adds one.
@Suite struct `Every setting` {
    private static let id = RequestID(rawValue: "f/a")

    private static func file(defaults: String = "{}", folder: String = "{}", request: String = "") -> String {
        """
        turnstone: 1
        defaults: { \(defaults) }
        requests:
          f:
            defaults: { \(folder) }
            requests:
              a:  # a comment
                get: http://h/
                \(request)

        """.replacing("{ {} }", with: "{}")
    }

    private static func request(_ collection: RequestCollection) throws -> RequestDefinition {
        #expect(collection.problems == [])
        return try #require(collection.request(id))
    }

    /// The file with another version of the request in it.
    private static func saved(_ draft: RequestDefinition, in text: String) throws -> String {
        let collection = RequestCollection.of(text)
        let change = try collection.change(to: draft, from: try request(collection), in: Array(text.utf8))
        return change.files.first.map { String(decoding: $0.after ?? [], as: UTF8.self) } ?? text
    }

    @Test func `has a row of its own in the table`() {
        func leaves(_ value: Any) -> Int {
            let mirror = Mirror(reflecting: value)
            return mirror.displayStyle == .struct && !mirror.children.isEmpty
                ? mirror.children.map { leaves($0.value) }.reduce(0, +) : 1
        }
        #expect(leaves(RequestSettings()) == SettingField.all.count)
        #expect(Set(SettingField.all.map(\.key)).count == SettingField.all.count)
        #expect(SettingField.all.allSatisfy { $0.help.hasSuffix(".") && $0.label.count <= 11 })
    }

    @Test(arguments: SettingSample.accepted)
    func `is read as it is written, and nothing is written anew that didn't change`(sample: SettingSample) throws {
        let text = Self.file(request: sample.line)
        let read = try Self.request(RequestCollection.of(text))
        #expect(sample.field.isSaid(in: read.settings))
        #expect(read.places[sample.field.key]?.line == 9)
        #expect(try Self.saved(read, in: text) == text)
        let empty = Self.file()
        var draft = try Self.request(RequestCollection.of(empty))
        draft.settings = read.settings
        let written = try Self.saved(draft, in: empty)
        #expect(try Self.request(RequestCollection.of(written)).settings == read.settings, "\(written)")
        // And away again.
        draft.settings = RequestSettings()
        #expect(try Self.request(RequestCollection.of(try Self.saved(draft, in: written))).settings == RequestSettings())
    }

    @Test(arguments: SettingSample.accepted)
    func `takes the line that it shows`(sample: SettingSample) throws {
        let read = try Self.request(RequestCollection.of(Self.file(request: sample.line))).settings
        let line = try #require(sample.field.typed(in: read))
        if let choices = sample.field.choices { #expect(choices.contains(line)) }
        // An empty line leaves it to others.
        guard !line.isEmpty else { return }
        var typed = RequestSettings()
        try sample.field.set(line, in: &typed)
        #expect(sample.field.isSame(in: typed, read))
        try sample.field.set("", in: &typed)
        #expect(!sample.field.isSaid(in: typed))
    }

    /// `resolve` takes several addresses of a host.
    @Test func `keeps what has a comma in it in one piece`() throws {
        let field = try #require(SettingField.all.first { $0.key == "resolve" })
        let line = "a:80:127.0.0.1,[::1] b:443:127.0.0.2"
        var settings = RequestSettings()
        try field.set(line, in: &settings)
        #expect(settings.resolve == ["a:80:127.0.0.1,[::1]", "b:443:127.0.0.2"])
        var again = RequestSettings()
        try field.set(try #require(field.typed(in: settings)), in: &again)
        #expect(again.resolve == settings.resolve)
    }

    @Test(arguments: SettingSample.accepted)
    func `is inherited from the nearest that says it, and explained`(sample: SettingSample) throws {
        let others = SettingSample.accepted.filter { $0.field == sample.field }
        for (near, far) in others.map({ (sample, $0) }) {
            let collection = RequestCollection.of(Self.file(defaults: far.line, folder: near.line))
            let request = try Self.request(collection)
            let settings = try collection.merged(request).settings
            let said = try Self.request(RequestCollection.of(Self.file(request: near.line))).settings
            #expect(near.field.isSame(in: settings, said))
            let rows = try collection.explain(request, environment: nil).rows
            let row = try #require(rows.first { $0.group == .settings && $0.name == near.field.key })
            #expect(row.value == near.field.text(in: said))
            #expect(row.origin.source == .defaults(RequestID(rawValue: "f")))
            #expect(row.overrode.contains { $0.origin.source == .defaults(nil) })
        }
    }

    @Test(arguments: SettingSample.accepted)
    func `is merged with what another program made of it`(sample: SettingSample) throws {
        let base = try Self.request(RequestCollection.of(Self.file()))
        let mine = try Self.request(RequestCollection.of(Self.file(request: sample.line)))
        let (merged, conflicts) = RequestEdit(from: base, to: mine).rebased(onto: base)
        #expect(merged.settings == mine.settings)
        #expect(conflicts == [])
        #expect(base.taking([sample.field.key], from: mine).settings.unlike(mine.settings).allSatisfy { $0 != sample.field })
    }

    @Test(arguments: SettingField.all)
    func `changes how the request is sent`(field: SettingField) throws {
        let targets = try SettingSample.accepted.filter { $0.field == field }.map { sample in
            var target = SettingTarget()
            field.apply(try Self.request(RequestCollection.of(Self.file(request: sample.line))).settings, to: &target)
            return target
        }
        #expect(targets.contains { $0 != SettingTarget() })
    }

    @Test(arguments: SettingSample.refused)
    func `is refused with what it takes`(sample: SettingSample) throws {
        let collection = RequestCollection.of(Self.file(request: sample.line))
        let problem = try #require(collection.problems.first)
        #expect(problem.message.hasPrefix("`\(sample.field.key.split(separator: ".").last ?? "")` takes "), "\(problem)")
        switch sample.field.shape {
        case .count(let range): #expect(problem.message.contains("from \(range.lowerBound) to \(range.upperBound)"))
        case .number(let range):
            #expect(
                problem.message.contains("from \(NumberText.format(range.lowerBound)) to \(NumberText.format(range.upperBound))"))
        default: break
        }
    }

    private static let schema = JSONParser.parse(CollectionSchema.text())

    private static func schemaAccepts(_ sample: SettingSample) throws -> Bool {
        let document = try YAMLDocument(path: "a.yaml", bytes: Array("get: http://h/\n\(sample.line)".utf8))
        return SchemaValidator(root: try #require(schema)).accepts(try JSONValue(try #require(document.root), in: "a.yaml"))
    }

    @Test func `is known to the schema, which editors complete by`() throws {
        for sample in SettingSample.accepted { #expect(try Self.schemaAccepts(sample), "\(sample)") }
        for sample in SettingSample.refused where !sample.value.hasPrefix("'") && !["nan", "9-8"].contains(sample.value) {
            #expect(try !Self.schemaAccepts(sample), "\(sample)")
        }
        for field in SettingField.all {
            #expect(CollectionSchema.text().contains(JSONValue.string(field.help).text(pretty: false)))
        }
    }
}

extension RequestSettings {
    fileprivate func unlike(_ other: RequestSettings) -> [SettingField] {
        SettingField.all.filter { !$0.isSame(in: self, other) }
    }
}
