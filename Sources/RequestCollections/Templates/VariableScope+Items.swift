import Base
import NetworkLayer

/// The item of a loop where no run has given one.
extension VariableScope {
    /// The first item of a loop over a file; a placeholder where nobody knows the items before it is run.
    ///
    /// - Throws: when it is to be sent by itself, and nobody knows.
    mutating func item(_ name: String, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue? {
        func isMeant(_ loop: ForEachDefinition) -> Bool {
            name == loop.variable || name.begins(with: loop.variable + ".") || ForEachDefinition.place(0)[name] != nil
        }
        guard let definition = request.flatMap(collection.request) else { return nil }
        if let loop = collection.loops(of: definition).last(where: { isMeant($0.definition) && $0.definition.file != nil }) {
            return try itemOfFile(name, of: loop.definition)
        }
        // What undoes a request has the item that is undone.
        let undone = collection.requests(undoneBy: definition.id).flatMap { collection.allLoops(of: $0).map(\.definition) }
        let own = definition.forEach.flatMap { $0.source == nil ? nil : $0 }
        guard let loop = ([own].compactMap(\.self) + undone).first(where: isMeant) else { return nil }
        guard sources.showsPlaceholders else {
            var error = ResolutionError(
                .variable, "`\(name)` has a value only while `turnstone run` goes through \(loop)", at: location ?? loop.location)
            // Whoever gives the variable a value sends the request for that item alone.
            error.variable = loop.variable
            throw error
        }
        switch loop.source {
        // Whatever reads the list reads its items.
        case .list(let list)?: _ = try value(of: list, at: loop.location)
        case .pages?, nil: break
        }
        answersTaken.append("‹\(name)›")
        return .string("‹\(name)›")
    }

    /// No file is read for a request that is only shown.
    private mutating func itemOfFile(_ name: String, of loop: ForEachDefinition) throws(ResolutionError) -> LabelledValue? {
        itemFile(of: loop)
        guard !sources.showsPlaceholders else { return .string("‹\(name)›") }
        if firstItems[loop.location] == nil { firstItems[loop.location] = try items(of: loop)?.first }
        guard let first = firstItems[loop.location] else { return .string("‹\(name)›") }
        return loop.variables(of: first)[name].map { hidden(LabelledValue($0), called: name) }
    }

    /// - Returns: `nil` when nobody has allowed the file to be read, and for a loop that takes its items from elsewhere.
    /// - Throws: a sentence with the file's line.
    mutating func items(of loop: ForEachDefinition) throws(ResolutionError) -> [JSONValue]? {
        guard let source = loop.file, let file = itemFile(of: loop) else { return nil }
        let bytes: [UInt8]
        do throws(CollectionFileError) {
            bytes = try file.read(limit: TemplateEnvironment.mostFileBytes)
        } catch {
            throw ResolutionError(.file, "the file of `for-each` \(error)", at: loop.location)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ResolutionError(.file, "\(source.path) isn't text in UTF-8, so `for-each` can't go through it", at: loop.location)
        }
        let items: [JSONValue]
        do throws(DataRows.Problem) {
            items = try source.items(in: text)
        } catch {
            throw ResolutionError(.template, "\(source.path):\(error.line): \(error.message)", at: loop.location)
        }
        if let complaint = ForEachDefinition.complaint(about: items) {
            let item = complaint.index > 0 ? "item \(complaint.index + 1): " : ""
            throw ResolutionError(.template, "\(source.path): \(item)\(complaint.message)", at: loop.location)
        }
        if let complaint = loop.complaint(aboutCount: items.count) {
            throw ResolutionError(.template, "\(source.path): \(complaint)", at: loop.location)
        }
        return items
    }

    /// Notes what a loop reads; `nil` when nobody has allowed it.
    @discardableResult
    mutating func itemFile(of loop: ForEachDefinition) -> PermittedFile? {
        guard let source = loop.file else { return nil }
        return file(joined(RequestCollections.directory(of: loop.location.path), source.path), for: "for-each", at: loop.location)
    }
}
