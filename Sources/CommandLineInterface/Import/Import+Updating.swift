import Interchange
import Presentation
import RequestCollections

extension Import {
    /// Merges the import into what is there.
    ///
    /// - Returns: `nil` when nothing is there yet.
    func updateExisting(_ target: ImportTarget, in context: CommandLineContext) throws -> ExitStatus? {
        guard update else {
            throw CommandFailure(status: .usage, message: "--theirs says what an update takes, so it goes with --update.")
        }
        guard !force else {
            throw CommandFailure(status: .usage, message: "--update keeps what is there and --force replaces it; use one of them.")
        }
        guard target.isThere else { return nil }
        let sources = try sources(in: context)
        do {
            let known = try RequestCollection.load(path: target.path)
            if let problem = known.problems.first(where: { $0.location.path == target.variablesFile && known.requests.isEmpty }) {
                throw problem
            }
            let made = try assembled(sources.collection, for: target)
            let basePath = ImportBase.path(of: target.path, target.form)
            let base = try ImportBase.read(basePath)
            var report = UpdateReport()
            let work = { (collections: [RequestCollection]) throws -> CollectionChange in
                let update = try CollectionUpdate(
                    of: collections[0], to: made.collection, identities: made.identities, base: base, yielding: theirs)
                if let place = update.unknown.first {
                    throw CommandFailure(
                        status: .usage,
                        message: "--theirs: neither \(target.path) nor the import has a request, folder or entry `\(place)")
                }
                // Texts in which requests name each other follow those that are elsewhere by now.
                var again = made.collection
                if !update.places.isEmpty {
                    again = try assembled(sources.collection, for: target, places: update.places).collection
                }
                let result = try update.change(to: again)
                report = result.report
                return result.change
            }
            if dryRun {
                _ = try work([known])
            } else {
                _ = try CollectionStore().change([known], work)
            }
            let lines =
                UpdateLines(
                    report, made, kinds: sources.kinds, target: target, missingBase: base == nil ? basePath : nil, isDryRun: dryRun,
                    known: known
                ).lines
                + theirs.filter { !report.changes(at: $0) }.map { "--theirs \(UpdateLines.quoted($0)): nothing to take there." }
            for line in lines { try context.standardError.print(SafeText.line(line)) }
            return strict && made.notes.contains(where: \.isLoss) ? .expectationFailed : .success
        } catch let error as CollectionProblem {
            throw CommandFailure(status: .file, message: SafeText.line("\(error)"))
        } catch let error as CollectionFileError {
            throw CommandFailure(status: .file, message: SafeText.line("\(error)"))
        }
    }
}

/// What people are told about an update.
struct UpdateLines {
    private(set) var lines: [String] = []

    /// - Parameters:
    ///   - missingBase: where what the last import made should be known, and isn't.
    ///   - known: the collection before.
    init(
        _ report: UpdateReport, _ made: AssembledImport, kinds: [ImportKind], target: ImportTarget, missingBase: String?,
        isDryRun: Bool, known: RequestCollection
    ) {
        if let missingBase {
            lines.append("\(missingBase) is missing, so what the last import made isn't known: what differs stays, and is named.")
        }
        let from = kinds.map(\.title).joined(separator: " and ")
        if report.isEmpty {
            lines.append("\(target.path) has everything that is in the import from \(from) already.")
        } else {
            var counts: [String] = []
            for (count, word) in [
                (report.added.count, "added"), (report.changed.count, "changed"), (report.removed.count, "removed"),
            ] where count > 0 { counts.append("\(count) \(word)") }
            let what = counts.isEmpty ? "nothing changed" : counts.joined(separator: ", ")
            lines.append("\(isDryRun ? "Would update" : "Updated") \(target.path) from \(from): \(what).")
        }
        lines += report.added.map { "  + \($0)" }
        lines += report.changed.map { changed in
            let shown = changed.entries.prefix(6).joined(separator: ", ") + (changed.entries.count > 6 ? ", …" : "")
            return "  ~ \(changed.place.isEmpty ? "" : "\(changed.place): ")\(shown)"
        }
        lines += report.removed.map { "  - \($0)" }
        if !report.kept.isEmpty {
            lines.append("Gone in the import, and kept because you have edited them:")
            lines += report.kept.map { "  \($0)" }
        }
        if !report.conflicts.isEmpty {
            lines.append("Changed on both sides; yours stays:")
            lines += report.conflicts.map { conflict in
                "  \(conflict.place): yours \(conflict.mine ?? "isn't there"), theirs \(conflict.theirs ?? "isn't there")"
            }
            if let place = report.conflicts.first?.place {
                lines.append("To take theirs, run it again with --theirs \(Self.quoted(place)), or with another place of these.")
            }
        }
        let set = Set(
            known.variables.compactMap { variable -> String? in
                if case .secret(.environment(let name)) = variable.value { name } else { nil }
            })
        let secrets = made.secrets.map(\.variable).filter { !set.contains($0) }
        if !secrets.isEmpty {
            lines.append("Secrets are not copied. New environment variables to set:")
            lines += secrets.map { "  \($0)" }
        }
        let unset = made.unset.map(\.name).filter { name in !known.variables.contains { $0.name == name } }
        if !unset.isEmpty {
            let place = target.variablesFile.map { " in \($0)" } ?? ""
            lines += ["New variables that need a value of yours, under `variables`\(place):", "  " + unset.joined(separator: ", ")]
        }
        if !report.remarks.isEmpty {
            lines.append("To look at:")
            lines += report.remarks.map { "  \($0)" }
        }
        let losses = made.notes.filter(\.isLoss)
        if !losses.isEmpty {
            lines.append("Left out of the import:")
            lines += ImportReport.lines(losses)
        }
    }

    static func quoted(_ place: String) -> String { place.contains(" ") ? "'\(place)'" : place }
}
