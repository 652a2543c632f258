import NetworkLayer

/// A setting: one row of the format's table, with everything that is known of it.
///
/// Reading, writing, the difference that is saved, merging, resolving, explaining, the policy pane, the schema, the reference page and
/// the exporters are each one walk over ``all``. So a new setting is a property of ``RequestSettings`` and a row in
/// `FormatTable+Settings.swift`.
package struct SettingField: Sendable {
    /// As the file has it, with the keys of the maps around it: `timeouts.idle`. It is unique.
    package let key: String
    let shape: FormatShape
    /// What it does, for people who write collections.
    package let help: String
    /// What its texts are once their templates are filled in.
    let texts: TextKind
    /// The rows of an editor that stand together.
    package let heading: String
    package let label: String
    /// The words to choose from in an editor; `nil`: a text to type.
    package let choices: [String]?
    private let danger: String?

    private let access: Access

    /// What becomes of a text between the file and the network layer.
    enum TextKind: Sendable {
        /// It is taken as it is filled in.
        case text
        /// The same, as a secret.
        case secret
        /// The URL of a proxy: a user and a password in it are credentials.
        case url
        /// Relative to the file that names it.
        case path
        /// The same, of a file or directory that must be there: else libcurl would find out in the middle, and call it a failure of TLS.
        case file
        /// The same, unless it is the hash of a key itself.
        case pin
        /// Relative to the file that names it: something is written there.
        case output
    }

    /// The value in a ``RequestSettings``, whatever its type is.
    private struct Access: Sendable {
        var isSaid: @Sendable (RequestSettings) -> Bool
        var isSame: @Sendable (RequestSettings, RequestSettings) -> Bool
        var copy: @Sendable (RequestSettings, inout RequestSettings) -> Void
        var clear: @Sendable (inout RequestSettings) -> Void
        var read: @Sendable (YAMLNode, inout RequestSettings) -> Void
        var written: @Sendable (RequestSettings) -> FieldText?
        var parse: @Sendable (String, inout RequestSettings) -> Bool
        var texts: @Sendable (RequestSettings) -> [String]
        var setTexts: @Sendable ([String], inout RequestSettings) -> Void
        var words: [String: String]
        var apply: @Sendable (RequestSettings, inout SettingTarget) -> Void
        var readTarget: @Sendable (SettingTarget, inout RequestSettings) -> Void
    }

    typealias Path<Root, Value> = WritableKeyPath<Root, Value> & Sendable

    /// - Parameters:
    ///   - path: where the settings of a request or folder have it.
    ///   - target: where the network layer has it.
    ///   - heading: that of the rows around it in an editor; unless given, the map in which it stands.
    ///   - label: the last word of the key, unless given; at most 11 columns.
    ///   - danger: a value to warn of wherever it holds.
    init<Value: Hashable & Sendable>(
        _ key: String, _ path: any Path<RequestSettings, Value?>, _ form: FieldForm<Value>,
        sets target: any Path<SettingTarget, Value>,
        as texts: TextKind = .text, in heading: String? = nil, label: String? = nil, danger: String? = nil, _ help: String
    ) {
        self.init(
            key, path, form, texts, heading, label, danger, help,
            get: { $0[keyPath: target] }, set: { $0[keyPath: target] = $1 })
    }

    /// The same, for a setting that the network layer doesn't need.
    init<Value: Hashable & Sendable>(
        _ key: String, _ path: any Path<RequestSettings, Value?>, _ form: FieldForm<Value>,
        sets target: any Path<SettingTarget, Value?>, as texts: TextKind = .text, in heading: String? = nil, label: String? = nil,
        danger: String? = nil, _ help: String
    ) {
        self.init(
            key, path, form, texts, heading, label, danger, help,
            get: { $0[keyPath: target] }, set: { $0[keyPath: target] = $1 })
    }

    private init<Value: Hashable & Sendable>(
        _ key: String, _ path: any Path<RequestSettings, Value?>, _ form: FieldForm<Value>, _ texts: TextKind, _ heading: String?,
        _ label: String?, _ danger: String?, _ help: String, get: @escaping @Sendable (SettingTarget) -> Value?,
        set: @escaping @Sendable (inout SettingTarget, Value) -> Void
    ) {
        let name = key.split(separator: ".").last.map(String.init) ?? key
        self.key = key
        self.shape = form.shape
        self.help = help
        self.texts = texts
        self.heading = heading ?? key.prefix { $0 != "." }.description
        self.label = label ?? name.map { $0 == "-" ? " " : "\($0)" }.joined()
        self.danger = danger.map { form.words[$0] ?? $0 }
        choices = form.choices?.map { form.words[$0] ?? $0 }
        access = Access(
            isSaid: { $0[keyPath: path] != nil }, isSame: { $0[keyPath: path] == $1[keyPath: path] },
            copy: { $1[keyPath: path] = $0[keyPath: path] }, clear: { $0[keyPath: path] = nil },
            read: { $1[keyPath: path] = form.read($0) }, written: { $0[keyPath: path].flatMap(form.write) },
            parse: { text, settings in
                guard let value = form.parse(text) else { return false }
                settings[keyPath: path] = value
                return true
            },
            texts: { $0[keyPath: path].map(form.texts) ?? [] }, setTexts: { $1[keyPath: path] = form.value($0) }, words: form.words,
            apply: { settings, target in if let value = settings[keyPath: path] { set(&target, value) } },
            readTarget: { $1[keyPath: path] = get($0) })
    }
}

extension SettingField: Hashable {
    package static func == (left: SettingField, right: SettingField) -> Bool { left.key == right.key }
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension SettingField {
    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    package static subscript(_ key: String) -> SettingField? { byKey[key] }

    /// Whether these settings say anything about it.
    package func isSaid(in settings: RequestSettings) -> Bool { access.isSaid(settings) }

    package func isSame(in one: RequestSettings, _ other: RequestSettings) -> Bool { access.isSame(one, other) }

    package func copy(from one: RequestSettings, to other: inout RequestSettings) { access.copy(one, &other) }

    /// What has the wrong form was reported by the table's check, and isn't said then.
    func read(_ node: YAMLNode, into settings: inout RequestSettings) { access.read(node, &settings) }

    /// - Returns: `nil` where nothing is said.
    /// - Throws: for a value that only a program can give.
    func written(in settings: RequestSettings, at location: SourceLocation) throws(CollectionProblem) -> FieldText? {
        guard isSaid(in: settings) else { return nil }
        guard let text = access.written(settings) else {
            throw CollectionProblem(location: location, message: "this value of `\(key)` can't be written to a file")
        }
        return text
    }

    /// Sets what the network layer takes.
    func apply(_ settings: RequestSettings, to target: inout SettingTarget) { access.apply(settings, &target) }

    // MARK: Texts with templates

    func texts(in settings: RequestSettings) -> [String] { access.texts(settings) }

    func setTexts(_ texts: [String], in settings: inout RequestSettings) { access.setTexts(texts, &settings) }

    /// Whether a text of it is a path, relative to the file that names it.
    func isPath(_ text: String) -> Bool {
        switch texts {
        case .path, .file, .output: true
        case .pin: !text.hasPrefix("sha256//")
        case .text, .secret, .url: false
        }
    }

    // MARK: For people

    /// In one line; `nil` where nothing is said. A secret that stands in the file as it is is masked.
    package func text(in settings: RequestSettings) -> String? {
        access.written(settings).map { text in
            let line = text.line.isEmpty ? access.words[""] ?? "" : text.line
            return shown(line)
        }
    }

    /// The same as an editor begins with it, in its own words, and without a mask.
    package func typed(in settings: RequestSettings) -> String? {
        access.written(settings).map { access.words[$0.line] ?? $0.line }
    }

    /// What may be shown of what an editor has.
    package func shown(_ text: String) -> String {
        switch texts {
        case .secret: RequestSettings.hidden(text)
        case .url: Redaction.standard.url(text).map(\.text).joined()
        case .text, .path, .file, .pin, .output: text
        }
    }

    /// Whether to warn of what an editor shows.
    package func isDangerous(_ text: String) -> Bool { text == danger }

    /// Takes a line that somebody has typed or chosen.
    ///
    /// - Parameter line: an empty one leaves it to the defaults again.
    /// - Throws: for what it can't be, with what it can.
    package func set(_ line: String, in settings: inout RequestSettings) throws(InvalidFieldText) {
        let text = access.words.first { $0.value == line }?.key ?? line
        if line.isEmpty {
            access.clear(&settings)
        } else if !access.parse(text, &settings) {
            throw InvalidFieldText(message: "`\(key)` takes \(shape.description), not `\(line)`")
        }
        settings.settle(afterTyping: key, isClear: line.isEmpty)
    }

    /// Whether it says more of a setting that can be off, and means nothing as long as that is so.
    package var isDetail: Bool {
        guard let dot = key.firstIndex(of: ".") else { return false }
        return Self.byKey[String(key[..<dot])] != nil
    }
}

/// Why a field can't have a text: one sentence with the way out.
package struct InvalidFieldText: Error, Hashable, Sendable {
    package var message: String

    package init(message: String) { self.message = message }
}

extension RequestSettings {
    /// What holds when no level says anything: the network layer's own settings.
    package static let library: RequestSettings = {
        var settings = RequestSettings()
        for field in SettingField.all { field.readStandard(into: &settings) }
        return settings
    }()

    /// Changes every path of a file.
    package mutating func mapPaths(_ change: (String) -> String) {
        for field in SettingField.all {
            let texts = field.texts(in: self)
            if !texts.isEmpty { field.setTexts(texts.map { field.isPath($0) ? change($0) : $0 }, in: &self) }
        }
    }

    /// Changes every text that may have templates.
    package mutating func mapTexts(_ change: (String) -> String) {
        for field in SettingField.all {
            let texts = field.texts(in: self)
            if !texts.isEmpty { field.setTexts(texts.map(change), in: &self) }
        }
    }

    /// The settings that these say and a program doesn't follow that sends the request in its own way.
    ///
    /// - Parameters:
    ///   - taken: keys of those that it is told.
    ///   - itself: what it does without being told.
    package func unfollowed(taking taken: Set<String>, doing itself: RequestSettings) -> [SettingField] {
        SettingField.all.filter { field in
            // Without retries, the number of retries needn't be mentioned.
            field.isSaid(in: self) && !taken.contains(field.key) && !field.isDetail && !field.isSame(in: self, itself)
        }
    }

    /// Setting how to retry turns retries on, and turning them off leaves nothing else to set.
    fileprivate mutating func settle(afterTyping key: String, isClear: Bool) {
        if key == "retry" {
            if retry.isOn != true {
                let isOn = retry.isOn
                retry = RetrySettings()
                retry.isOn = isOn
            }
        } else if key.hasPrefix("retry."), !isClear {
            retry.isOn = true
        }
    }

    /// A secret text, masked unless it is made of templates in which nothing of it stands.
    static func hidden(_ text: String) -> String {
        guard let template = try? Template(text), !template.segments.isEmpty, template.segments.allSatisfy(\.onlyRefers) else {
            return text.isEmpty ? text : Redactor.mask
        }
        return text
    }
}

extension SettingField {
    /// The network layer's default.
    fileprivate func readStandard(into settings: inout RequestSettings) {
        access.readTarget(SettingTarget(), &settings)
        // An empty list stands for none.
        if access.written(settings)?.line.isEmpty != false { access.clear(&settings) }
    }
}
