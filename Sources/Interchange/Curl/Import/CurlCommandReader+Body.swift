import RequestCollections

/// What the options for data make of a request's body.
extension CurlCommandReader {
    /// - Returns: whether there is one, so that the method is POST unless something else is said.
    func readBody(
        into definition: inout RequestDefinition, losses: inout [String], _ translate: (String) -> TemplateText
    ) -> Bool {
        func text(_ text: String) -> String { translate(text).text }
        if let upload {
            if Self.isStandardInput(upload) || upload == "." {
                if let input {
                    definition.body = .text(text(input))
                } else {
                    losses.append("the body, which comes from standard input")
                }
            } else {
                definition.body = .file(text(upload))
                if expandsGlobs, CurlURL.expanded(upload)?.count != 1 {
                    losses.append("the files that `\(upload)` stands for, each of which curl sends; here it is one name")
                }
                // Else its name would say one, which curl doesn't send.
                if !definition.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
                    definition.headers.append(.init(name: "Content-Type", value: "", isEnabled: false))
                }
            }
            return true
        }
        if !parts.isEmpty {
            definition.body = .multipart(multipart(&losses, translate))
            return true
        }
        guard !data.isEmpty else { return false }
        let given = definition.headers.first { $0.name.lowercased() == "content-type" }
        if isJSON {
            if given == nil { definition.headers.append(.init(name: "Content-Type", value: "application/json")) }
            if !definition.headers.contains(where: { $0.name.lowercased() == "accept" }) {
                definition.headers.append(.init(name: "Accept", value: "application/json"))
            }
        }
        if putsDataInURL {
            var fields: [Field] = []
            for piece in data {
                switch piece.data {
                // What is empty separates nothing in front of all else.
                case .raw(let raw): if !raw.isEmpty || !fields.isEmpty { fields += Self.fields(raw, translate) }
                case .encoded(let pair): fields += encoded(pair, &losses, translate)
                case .file(let path, _): losses.append("the parameters of the file \(path)")
                }
            }
            Self.add(fields, to: &definition, &losses)
            return false
        }
        let type = given.flatMap { $0.isEnabled ? $0.value : nil }
        definition.body = body(
            data, type: isJSON ? type ?? "application/json" : type ?? "application/x-www-form-urlencoded", &losses, translate)
        if given == nil, !isJSON {
            if case .form = definition.body { return true }
            // This is the type that curl gives every body.
            definition.headers.append(.init(name: "Content-Type", value: "application/x-www-form-urlencoded"))
        }
        return true
    }

    private func body(
        _ data: [Piece], type: String, _ losses: inout [String], _ translate: (String) -> TemplateText
    ) -> BodyDefinition? {
        func text(_ text: String) -> String { translate(text).text }
        if data.count == 1, case .file(let path, let dropsLineBreaks) = data[0].data {
            if dropsLineBreaks { losses.append("curl sends the file \(path) without its line breaks; here it is sent as it is") }
            return .file(text(path))
        }
        var joined = ""
        var fields: [Field] = []
        var isEncoded = false
        for piece in data {
            switch piece.data {
            case .raw(let raw):
                joined += (joined.isEmpty ? "" : piece.separator) + raw
                if !raw.isEmpty || !fields.isEmpty { fields += Self.fields(raw, translate) }
            case .encoded(let pair):
                isEncoded = true
                fields += encoded(pair, &losses, translate)
            case .file(let path, _): losses.append("the file \(path), which is only a part of the body")
            }
        }
        if isEncoded {
            fields = Self.encodable(fields, &losses)
            guard fields.contains(where: { $0.bare != nil }) else { return .form(fields.compactMap(\.row)) }
            // A field without `=` is none that a form could have.
            return .text(Self.text(of: fields))
        }
        // Neither JSON nor anything else begins a form with one of these.
        let looksLikeForm =
            joined.unicodeScalars.contains("=") && !joined.contains(where: \.isNewline) && !["{", "[", "<"].contains(joined.first)
            && joined == joined.trimmingSpace
        let essence = MediaType.essence(type)
        if essence == "application/x-www-form-urlencoded", !looksLikeForm { return ImportedBody.make(joined, type: nil, translate) }
        return ImportedBody.make(joined, type: type, translate)
    }
}
