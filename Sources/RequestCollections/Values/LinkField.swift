/// The header field `link` (RFC 8288): `</orders?page=2>; rel="next", </orders?page=9>; rel="last"`
enum LinkField {
    /// Where the first link of a relation leads, as it is written; `nil` without one.
    ///
    /// - Parameter fields: all of the name.
    static func target(of relation: String, in fields: [String]) -> String? {
        for field in fields {
            var rest = field[...].unicodeScalars
            while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
                let target = String(rest[rest.index(after: start)..<end])
                rest = rest[rest.index(after: end)...]
                let parameters = parameters(&rest)
                // Where there are several the first counts, and it may have several words.
                guard let relations = parameters.first(where: { $0.name == "rel" })?.value else { continue }
                if relations.lowercased().split(separator: " ").contains(where: { $0 == relation.lowercased() }) { return target }
            }
        }
        return nil
    }

    /// Those of one link, up to the comma behind it: a text in quotes may have one in it.
    private static func parameters(_ rest: inout Substring.UnicodeScalarView) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        var name = ""
        var value: String?
        var isQuoted = false
        func end() {
            let key = String(name[...].trimmed).lowercased()
            if !key.isEmpty { parameters.append((key, String((value ?? "")[...].trimmed))) }
            (name, value) = ("", nil)
        }
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": isQuoted.toggle()
            case "\\" where isQuoted: if let next = rest.popFirst() { value?.unicodeScalars.append(next) }
            case _ where isQuoted: value?.unicodeScalars.append(scalar)
            case ",":
                end()
                return parameters
            case ";": end()
            case "=" where value == nil: value = ""
            default:
                if value == nil { name.unicodeScalars.append(scalar) } else { value?.unicodeScalars.append(scalar) }
            }
        }
        end()
        return parameters
    }
}
