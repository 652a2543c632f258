/// What a request is sent once for, as a file has it.
extension RequestWriter {
    /// The long form where more is said than a variable and what it goes through.
    static func forEach(_ forEach: ForEachDefinition) -> DesiredValue {
        guard forEach.inner.isEmpty else {
            return .list(forEach.all.map { DesiredEntry(source: nil, key: "", value: loop($0)) }, .automatic)
        }
        return loop(forEach)
    }

    private static func loop(_ loop: ForEachDefinition) -> DesiredValue {
        var more: Entries = []
        if let title = loop.title { more.append(("title", .scalar(title, .text))) }
        for (key, number) in [("jobs", loop.jobs), ("at-least", loop.atLeast), ("at-most", loop.atMost)] {
            if let number { more.append((key, .scalar("\(number)", .literal))) }
        }
        guard !more.isEmpty else { return .map([(loop.variable, items(of: loop))]) }
        return .map([("as", .scalar(loop.variable, .text)), ("in", items(of: loop))] + more)
    }

    private static func items(of loop: ForEachDefinition) -> DesiredValue {
        switch loop.source {
        case nil: return loop.file.map(file) ?? DesiredValue(json: .array(loop.items))
        case .list(let name): return .scalar("{{\(name)}}", .text)
        case .pages(let pages):
            var entries: Entries = [("pages", .scalar(pages.written, .text))]
            if pages.start != .string("") { entries.append(("start", DesiredValue(json: pages.start))) }
            if pages.atMost != ForEachDefinition.Pages.defaultAtMost {
                entries.append(("at-most", .scalar("\(pages.atMost)", .literal)))
            }
            return .map(entries)
        }
    }

    private static func file(_ file: ItemFile) -> DesiredValue {
        var entries: Entries = [(file.kind?.rawValue ?? "file", .scalar(file.path, .text))]
        if let place = file.place { entries.append(("at", .scalar(place, .text))) }
        if let types = file.types {
            entries.append(("types", .map(types.map { ($0.column, .scalar($0.type.rawValue, .text)) })))
        }
        return .map(entries)
    }
}
