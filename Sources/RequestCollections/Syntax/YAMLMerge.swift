/// Merge keys: `<<: *common` stands for the pairs of another map (https://yaml.org/type/merge.html).
enum YAMLMerge {
    /// The pairs of a map with those that `<<` brings in its place: of one name the map's own wins, then the earlier one of a list of maps.
    ///
    /// What comes in this way is a copy that stands where the alias stands, so that nobody edits the one it was made from.
    ///
    /// - Returns: `nil` for a map without `<<`.
    static func merged(_ pairs: [YAMLPair], in path: String) throws(CollectionProblem) -> [YAMLPair]? {
        guard pairs.contains(where: isMerge) else { return nil }
        var names = Set(pairs.filter { !isMerge($0) }.compactMap(\.key.text))
        var merged: [YAMLPair] = []
        for pair in pairs {
            guard isMerge(pair) else {
                merged.append(pair)
                continue
            }
            for source in pair.value.items ?? [pair.value] {
                guard let others = source.pairs else {
                    throw CollectionProblem(
                        location: source.location(in: path), message: "`<<` takes a map or a list of maps, such as `<<: *common`")
                }
                for other in others {
                    if let name = other.key.text, !names.insert(name).inserted { continue }
                    merged.append(YAMLPair(key: other.key.copied(to: pair.value), value: other.value.copied(to: pair.value)))
                }
            }
        }
        return merged
    }

    private static func isMerge(_ pair: YAMLPair) -> Bool {
        guard case .scalar("<<", .plain) = pair.key.content else { return false }
        return pair.key.decoration == nil
    }
}

extension YAMLNode {
    fileprivate func copied(to place: YAMLNode) -> YAMLNode {
        let alias = place.decoration?.alias ?? place.items?.compactMap(\.decoration?.alias).first ?? "<<"
        return YAMLNode(
            content: content, start: place.start, end: place.end, decoration: .init(tag: decoration?.tag, alias: alias))
    }
}
