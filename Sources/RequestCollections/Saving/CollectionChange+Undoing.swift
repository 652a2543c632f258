extension CollectionChange {
    /// What takes the change back, byte by byte. Asked for once it is written: a directory in which something else still lies has stayed.
    package var undoing: [Step] { Self.undoing(steps) }

    /// - Parameter steps: those that have just been done.
    package static func undoing(_ steps: [Step]) -> [Step] {
        steps.reversed().compactMap { step in
            switch step {
            case .createDirectory(let path): .removeDirectory(path)
            case .create(let path, let bytes): .remove(path, before: bytes)
            case .replace(let path, let before, let after): .replace(path, before: after, after: before)
            case .move(let from, let to): .move(to, to: from)
            case .remove(let path, let bytes): .create(path, bytes)
            case .removeDirectory(let path): FileContents.exists(path) ? nil : .createDirectory(path)
            }
        }
    }
}

extension CollectionChange {
    /// The change, and in the same go another `name` for a request of it; `nil` takes the name away.
    package func naming(_ id: RequestID, _ name: String?) throws -> CollectionChange {
        guard let stored = collection.request(id), stored.name != name else { return self }
        var draft = stored
        draft.name = name
        let bytes = try CollectionFiles(after: steps).read(stored.location.path)
        let next = try collection.change(to: draft, from: stored, in: bytes)
        var change = CollectionChange(steps: steps + next.steps, collection: next.collection, remarks: remarks)
        change.target = target
        return change
    }
}
