import Base
import NetworkLayer

extension RequestResolver {
    mutating func configuration() throws(ResolutionError) -> SettingTarget {
        var target = SettingTarget()
        guard !levelsWithSettings.isEmpty else { return target }
        for field in SettingField.all {
            guard let level = level(saying: field) else { continue }
            let place = level.places[field.key]
            origins.append(ValueOrigin(.setting(field.key), from: level.source, at: place))
            var texts: [String] = []
            for text in field.texts(in: level.settings) { texts.append(try filled(text, of: field, level, at: place)) }
            var settings = level.settings
            if !texts.isEmpty { field.setTexts(texts, in: &settings) }
            field.apply(settings, to: &target)
        }
        if target.savesResponse != nil, target.keepsResponse == .none {
            let place = levelsWithSettings.last { $0.settings.savesResponse != nil }?.places["response.save"]
            throw ResolutionError(.definition, "`response.save` has nothing to write, since `response.keep` is `none`", at: place)
        }
        return target
    }

    /// The nearest level that says something about a setting.
    func level(saying field: SettingField) -> Level? {
        levelsWithSettings.last { field.isSaid(in: $0.settings) }
    }

    /// The settings that hold, templates as they stand.
    var mergedSettings: RequestSettings {
        var settings = RequestSettings()
        guard !levelsWithSettings.isEmpty else { return settings }
        for field in SettingField.all {
            guard let level = level(saying: field) else { continue }
            field.copy(from: level.settings, to: &settings)
            let texts = field.texts(in: settings)
            if !texts.isEmpty {
                field.setTexts(texts.map { field.isPath($0) ? joined(level.directory, $0) : $0 }, in: &settings)
            }
        }
        return settings
    }

    /// A text of a setting as the network layer takes it.
    private mutating func filled(
        _ text: String, of field: SettingField, _ level: Level, at place: SourceLocation?
    ) throws(ResolutionError) -> String {
        let value = try field.texts == .output ? outputName(text, of: field, at: place) : scope.text(text, at: place)
        if field.texts == .url {
            let hasScheme = value.text.firstRange(of: "://") != nil
            try checkAddress(hasScheme || value.isAllSecret ? value : "http://" + value, at: place ?? definition.location)
            secrets.note(value.labels, in: .proxy, to: URL(international: value.text).flatMap { Origin($0) })
        }
        guard field.isPath(value.text) else { return value.text }
        let path = joined(level.directory, value.text)
        switch field.texts {
        case .file, .pin: return try readable(path, field.key, at: place)
        case .output:
            guard value.labels.isEmpty else {
                throw ResolutionError(.secret, "a secret can't be a part of a file's name, as in `\(field.key)`", at: place)
            }
            output = try scope.output(path, namedBy: text, for: field.key, at: place)
            return path
        case .text, .secret, .url, .path: return path
        }
    }

    /// A value makes the name of a file or a directory, and no way out of where it stands. At the beginning a variable may be the
    /// whole way; what a server says may not.
    private mutating func outputName(
        _ text: String, of field: SettingField, at place: SourceLocation?
    ) throws(ResolutionError) -> LabelledText {
        var name = LabelledText("")
        var isFirst = true
        for part in Self.parts(ofPath: text) {
            let filled = try scope.text(part, at: place)
            let isOurs = isFirst && !scope.sources.captured.keys.contains { part.contains($0) } && definition.forEach?.source == nil
            if Template.isIn(part), !isOurs, filled.text == ".." || filled.text.utf8.contains(UInt8(ascii: "/")) {
                throw ResolutionError(
                    .definition,
                    "a part of `\(field.key)`, `\(part)`, became `\(filled.text)`, and a value may not lead to another directory",
                    at: place)
            }
            if !isFirst { name += "/" }
            name += filled
            isFirst = false
        }
        return name
    }

    /// What stands between slashes; those in templates are a part of them.
    private static func parts(ofPath text: String) -> [String] {
        var parts: [String] = []
        var isOpen = false
        for piece in text.pieces(at: "/") {
            if isOpen { parts[parts.count - 1] += "/" + piece } else { parts.append(String(piece)) }
            let last = parts[parts.count - 1]
            isOpen = last.components(of: "{{") > last.components(of: "}}")
        }
        return parts
    }

    /// - Returns: the path without links; as it is written, where it isn't read.
    private mutating func readable(_ path: String, _ key: String, at place: SourceLocation?) throws(ResolutionError) -> String {
        guard let file = scope.file(path, as: .certificate, for: key, at: place) else { return path }
        // A request can be shown on a machine that can't send it.
        guard !scope.sources.showsPlaceholders else { return path }
        do throws(CollectionFileError) {
            try file.checkReadable()
        } catch {
            throw ResolutionError(.file, "`\(key)`: \(error)", at: place)
        }
        return file.path
    }
}

extension String {
    /// How often another text stands in it.
    fileprivate func components(of other: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: other) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
