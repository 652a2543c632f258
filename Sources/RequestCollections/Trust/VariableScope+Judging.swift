/// What stands in a command for what isn't known before it runs: the same text whenever and wherever the same file is judged.
extension VariableScope {
    /// Word by word; an array gives several.
    mutating func judgedTexts(
        of nodes: [TemplateNode], at location: SourceLocation?
    ) throws(ResolutionError) -> [[LabelledText]] {
        var groups: [[LabelledText]] = []
        for node in nodes {
            let isFirst = groups.allSatisfy(\.isEmpty)
            groups.append(try texts(of: [node], at: location))
            if isFirst, takesAnswers { firstWordTakesAnswers = true }
        }
        return groups
    }

    /// - Returns: `nil` for a function that may be evaluated as always: what it gives depends on its arguments alone.
    mutating func judged(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> String? {
        switch call.function {
        case .uuid, .now, .timestamp, .random:
            // A format of the time is any text: a shell would run it.
            var words = [call.function.rawValue]
            for (_, node) in call.arguments.sorted(by: { $0.key < $1.key }) {
                words.append(try value(of: node, at: location).text.text)
            }
            return "‹\(words.joined(separator: " "))›"
        case .env: return nil
        case .command: return "‹\(try texts(of: call.rest, at: location).map(\.text).joined(separator: " "))›"
        case .base64, .sha256, .hmac:
            var parts: [String] = []
            for (_, node) in call.arguments.sorted(by: { $0.key < $1.key }) {
                parts.append(try value(of: node, at: location).text.text)
            }
            guard parts.contains(where: { $0.contains("‹") }) else { return nil }
            return "‹\(call.function.rawValue) \(parts.joined(separator: ", "))›"
        case .file:
            guard let node = call["path"] else { return nil }
            let path = try value(of: node, at: location).text.text
            let directory = location.map { RequestCollections.directory(of: $0.path) } ?? ""
            if let hash = CommandFiles.hash(of: joined(directory, path), travellingWith: place) {
                filesRead[CommandFiles.key(of: path, in: directory, place)] = hash
            }
            return "‹file \(path)›"
        case .prompt:
            guard let node = call["message"] else { return nil }
            let message = try value(of: node, at: location).text.text
            guard let proposal = call["default"] else { return "‹\(message)›" }
            return "‹\(message), else \(try value(of: proposal, at: location).text.text)›"
        case .select:
            let options = try texts(of: call.rest, at: location).map(\.text).joined(separator: ", ")
            return "‹one of \(options)›"
        case .response:
            takesAnswers = true
            guard let node = call["request"] else { return nil }
            let request = try value(of: node, at: location).text.text
            guard let filter = call["filter"] else { return "‹\(request)›" }
            return "‹\(request) \(try value(of: filter, at: location).text.text)›"
        case .default:
            guard let node = call["value"], let fallback = call["fallback"] else { return nil }
            var text: String?
            do throws(ResolutionError) {
                let value = try value(of: node, at: location)
                if value.value != .null { text = value.text.text }
            } catch {
                guard error.code == .variable else { throw error }
            }
            let other = try value(of: fallback, at: location).text.text
            guard let text else { return other }
            return text.contains("‹") ? "‹\(text), else \(other)›" : text
        }
    }
}
