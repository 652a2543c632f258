import OrderedCollections
import RequestCollections

extension ExplorerState {
    /// The file says something else than when the edit began, and nobody has said yet which of the two stays.
    package func isConflict(_ reference: RequestReference) -> Bool { drafts[reference]?.isConflict ?? false }

    package var conflicts: [RequestReference] { unsavedRequests.filter(isConflict) }

    /// What is typed into a request that reads differently now becomes an edit first, so that it can conflict and isn't lost.
    mutating func finishEditing(before collection: RequestCollection) -> [ExplorerEffect] {
        guard requestPane.editing != nil, let selectedRequest, selectedRequest.collection == collection.path,
            let old = tree.definition(of: selectedRequest), let new = collection.request(selectedRequest.id), !old.says(sameAs: new)
        else { return [] }
        return commitEditing()
    }

    /// Lets unsaved edits know what their files say now.
    mutating func reread(_ collection: RequestCollection) {
        let before = Set(conflicts)
        var missing: [RequestReference] = []
        for reference in drafts.keys where reference.collection == collection.path {
            guard let definition = tree.definition(of: reference) else {
                if isUnsaved(reference) { missing.append(reference) }
                continue
            }
            // A file that can't be read just now says nothing.
            if definition.problems.isEmpty || !isUnsaved(reference) { drafts[reference]?.reread(definition) }
        }
        if let reference = conflicts.first(where: { !before.contains($0) }) {
            notice = Notice(.warning, "\(reference.id) was changed on disk, and here: saving asks which of the two stays")
        } else if let reference = missing.min(by: { $0.id < $1.id }) {
            notice = Notice(.warning, "\(reference.id) isn't in its file any more; the edit of it is kept until it is back")
        }
    }

    /// Which of the two stays?
    mutating func ask(about reference: RequestReference) {
        quitsWhenSaved = false
        overlay = .dialog(
            Dialog(
                title: "Changed on disk",
                lines: ["\(reference.id) was changed in its file since you began to edit it. Which of the two stays?"],
                buttons: [
                    .init("b", "See both", .showBoth(reference)), .init("m", "Keep mine", .keepMine(reference)),
                    .init("t", "Take theirs", .takeTheirs(reference)), .init("c", "Cancel", .close),
                ]))
    }

    mutating func showBoth(_ reference: RequestReference) {
        guard let draft = drafts[reference] else { return }
        overlay = .dialog(
            Dialog(
                title: "\(reference.id): mine and theirs", lines: ConflictText.lines(mine: draft.current, theirs: draft.saved),
                buttons: [
                    .init("m", "Keep mine", .keepMine(reference)), .init("t", "Take theirs", .takeTheirs(reference)),
                    .init("c", "Cancel", .close),
                ]))
    }

    mutating func keepMine(_ reference: RequestReference) -> [ExplorerEffect] {
        drafts[reference]?.keepMine()
        return save([reference])
    }

    mutating func takeTheirs(_ reference: RequestReference) -> [ExplorerEffect] {
        drafts[reference]?.takeTheirs()
        refreshContext(isStale: true)
        notice = Notice(.info, "\(reference.id) is as in its file; undo brings your edit back")
        return [.writeDraft(reference, nil)]
    }
}

/// What two versions of a request say differently, as lines: `- ` theirs, `+ ` mine.
enum ConflictText {
    static func lines(mine: RequestDefinition, theirs: RequestDefinition) -> [String] {
        let (mine, theirs) = (lines(mine), lines(theirs))
        let removed = theirs.filter { !mine.contains($0) }.map { "theirs  \($0)" }
        let added = mine.filter { !theirs.contains($0) }.map { "mine    \($0)" }
        guard !removed.isEmpty || !added.isEmpty else { return ["They differ in settings that are only in the file."] }
        return Array((removed + added).prefix(16))
    }

    private static func lines(_ definition: RequestDefinition) -> [String] {
        var lines = ["\(definition.method) \(definition.url)"]
        if let name = definition.name { lines.append("name: \(name)") }
        if let text = definition.description { lines.append("description: \(text)") }
        if !definition.tags.isEmpty { lines.append("tags: \(definition.tags.joined(separator: ", "))") }
        for (title, rows) in [
            ("path", definition.path), ("query", definition.query), ("header", definition.headers), ("cookie", definition.cookies),
        ] {
            lines += rows.map { "\(title) \($0.name): \($0.value)\($0.isEnabled ? "" : " (off)")" }
        }
        if let auth = definition.auth { lines.append("auth: \(auth.kindName)") }
        switch definition.body {
        case nil: break
        case .some(.none): lines.append("body: none")
        case .text(let text), .json(let text): lines += text.split(separator: "\n").map { "body: \($0)" }
        case .form(let rows): lines += rows.map { "form \($0.name): \($0.value)" }
        case .multipart(let parts): lines += parts.map { "part \($0.name)" }
        case .file(let path): lines.append("body: the file \(path)")
        case .graphql: lines.append("body: graphql")
        }
        return lines
    }
}
