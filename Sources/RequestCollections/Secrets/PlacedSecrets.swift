import Base
import HTTPTypes
import NetworkLayer

/// Where the secrets of a request went while it was put together.
struct PlacedSecrets {
    private var placed: [(part: SecretUse.Part, text: LabelledText)] = []
    /// Where they are is not known, or not in the request itself.
    private var noted: [(part: SecretUse.Part, labels: [SecretLabel], origin: Origin?)] = []

    var isEmpty: Bool { placed.isEmpty && noted.isEmpty }

    /// - Parameter text: the whole part, as it will stand there.
    mutating func put(_ text: LabelledText, in part: SecretUse.Part) {
        if !text.marks.isEmpty { placed.append((part, text)) }
    }

    /// - Parameter origin: `nil`: that of the request.
    mutating func note(_ labels: [SecretLabel], in part: SecretUse.Part, to origin: Origin? = nil) {
        if !labels.isEmpty { noted.append((part, labels, origin)) }
    }

    /// What was put into a part, which is put there again in another form.
    mutating func removeText(from part: SecretUse.Part) -> LabelledText? {
        guard let index = placed.firstIndex(where: { $0.part == part }) else { return nil }
        return placed.remove(at: index).text
    }

    /// - Parameter origin: of the request; `nil` as long as nobody knows it.
    func uses(to origin: Origin?) -> [SecretUse] {
        var uses: [SecretUse] = []
        func add(_ labels: [SecretLabel], _ part: SecretUse.Part, _ origin: Origin?) {
            for label in labels {
                let use = SecretUse(label, in: part, to: origin)
                if !uses.contains(use) { uses.append(use) }
            }
        }
        for (part, text) in placed { add(text.labels, part, origin) }
        for (part, labels, other) in noted { add(labels, part, other ?? origin) }
        return uses
    }

    /// Credentials that stand in the file as they are, where only credentials stand.
    var literals: Set<String> {
        let texts = placed.flatMap { $0.text.segments }.filter { $0.labels.contains { $0.source == .literal } }.map(\.text)
        return Set(texts.filter { $0.utf8.count >= Redactor.shortestSearched })
    }

    /// What the network layer is told, which keeps them where they belong.
    func secrets(of request: Request, knowing texts: Set<String>) -> RequestSecrets {
        var secrets = RequestSecrets()
        guard !isEmpty || !texts.isEmpty else { return secrets }
        guard let origin = Origin(request.url) else { return secrets }
        let own = OriginPattern(origin)
        var all: [SecretLabel] = []
        for (part, text) in placed {
            guard let part = RequestSecrets.Part(part) else { continue }
            let isThere = request.text(of: part) == text.text
            for label in text.labels {
                let ranges = isThere ? text.marks.filter { $0.labels.contains(label) }.map(\.range) : []
                secrets.insert(
                    .init(
                        part: part, name: label.name, origins: label.origins ?? [own], ranges: ranges,
                        length: isThere ? text.text.utf8.count : nil))
            }
            all.add(text.labels)
        }
        for (part, labels, _) in noted {
            all.add(labels)
            guard let part = RequestSecrets.Part(part) else { continue }
            for label in labels { secrets.insert(.init(part: part, name: label.name, origins: label.origins ?? [own])) }
        }
        secrets.know(literals, for: [own])
        // Which text is of which secret isn't kept: where one of them may go, all may come back from.
        let shared = all.compactMap(\.origins)
        secrets.know(texts, for: shared.count == all.count && !all.isEmpty ? shared.reduce([], +) + [own] : [own])
        return secrets
    }
}

extension RequestSecrets.Part {
    fileprivate init?(_ part: SecretUse.Part) {
        switch part {
        case .url: self = .url
        case .header(let name): self = .header(name)
        case .body: self = .body
        case .authentication, .token, .proxy: return nil
        }
    }
}

extension Request {
    /// `nil` for a part that is no text, or more than one.
    fileprivate func text(of part: RequestSecrets.Part) -> String? {
        switch part {
        case .url: return url.absoluteString
        case .header(let name):
            let values = headers.filter { $0.name.canonicalName == name }.map(\.value)
            return values.count == 1 ? values[0] : nil
        case .body:
            guard case .data(let data) = body else { return nil }
            return String(validating: data, as: UTF8.self)
        }
    }
}

extension RequestResolver {
    /// Which secret goes where.
    ///
    /// - Throws: when one of them may not go there.
    func secretUses(of request: Request) throws(ResolutionError) -> [SecretUse] {
        guard !secrets.isEmpty else { return [] }
        let uses = secrets.uses(to: Origin(request.url))
        for use in uses {
            guard let origins = use.secret.origins, let origin = use.origin, !origins.contains(where: { $0.contains(origin) })
            else { continue }
            let others = uses.filter { other in
                other.part == use.part && other.secret.name != use.secret.name
                    && other.secret.origins.map { Set($0).isDisjoint(with: origins) } == true
            }
            let place = definition.places["url"] ?? definition.location
            if let other = others.first {
                throw ResolutionError(
                    .notAllowed,
                    "\(Self.sentence(use.secret)), \(Self.sentence(other.secret)), and both are in \(use.part): "
                        + "there is no server that may get both",
                    at: place)
            }
            throw ResolutionError(
                .notAllowed, "\(Self.sentence(use.secret)), and \(use.part) sends it to \(origin)", at: place)
        }
        return uses
    }

    private static func sentence(_ secret: SecretLabel) -> String {
        "`\(secret.name)` is for \((secret.origins ?? []).map(\.description).joined(separator: ", "))"
    }
}
