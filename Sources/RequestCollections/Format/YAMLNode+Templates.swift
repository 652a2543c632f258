extension YAMLNode {
    /// What is wrong with the templates in a text, or in all texts of a list or map, each at its own place.
    func checkTemplates(in path: String, problems: inout [CollectionProblem]) {
        switch content {
        case .scalar(let text, _):
            guard Template.isIn(text) else { return }
            do throws(TemplateError) {
                _ = try Template(text)
            } catch {
                problems.append(CollectionProblem(location: location(of: error.offset, in: path), message: error.message))
            }
        case .sequence(let items, _):
            for item in items { item.checkTemplates(in: path, problems: &problems) }
        case .mapping(let pairs, _):
            for pair in pairs { pair.value.checkTemplates(in: path, problems: &problems) }
        }
    }

    /// Where a character of a scalar stands in the file, when what is written there is the text itself: on one line, without
    /// escapes. Else where the scalar begins.
    ///
    /// - Parameter offset: in Unicode scalars from the text's first.
    func location(of offset: Int, in path: String) -> SourceLocation {
        var place = location(in: path)
        guard case .scalar(let text, let style) = content, start.line == end.line, decoration == nil else { return place }
        let written = Int(end.index - start.index)
        let length = text.unicodeScalars.count
        switch style {
        case .plain where written == length: place.column += offset
        case .singleQuoted where written == length + 2, .doubleQuoted where written == length + 2: place.column += offset + 1
        default: break
        }
        return place
    }
}
