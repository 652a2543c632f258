import Base
import NetworkLayer
package import RequestCollections

/// One text for all that a collection wants, for machines on which nobody can be asked: when somebody adds a want, it is another one.
package enum TrustHash {
    /// All that a collection wants: of each request, in each environment and in none.
    ///
    /// - Parameters:
    ///   - environment: only in this one.
    ///   - variables: win over everything in the file.
    package static func wants(
        of collection: RequestCollection, environment: String? = nil, variables: [String: JSONValue] = [:]
    ) -> [NotedWant] {
        let environments: [String?] = environment.map { [$0] } ?? [nil] + collection.environmentNames.map { $0 }
        let requests = collection.sharedRequests { _ in true }
        var seen: Set<Want> = []
        return environments.flatMap { environment in
            collection.wants(of: requests, environment: environment, variables: variables)
                + itemWants(of: requests, in: collection, environment, variables)
        }
        .filter { seen.insert($0.want).inserted }
    }

    /// The wants that depend on the items of loops. Items that come from an answer aren't known before the run.
    private static func itemWants(
        of requests: [Shared<RequestDefinition>], in collection: RequestCollection, _ environment: String?,
        _ variables: [String: JSONValue]
    ) -> [NotedWant] {
        guard collection.hasLoops, let first = requests.first else { return [] }
        let job = RunJob(first.wrappedValue, in: collection, environment: environment, variables: variables)
        return RunPlan(requests.map(job.with)).wants(usesMocks: false).flatMap(\.wants)
    }

    /// `sha256:` and the digest of the wants in their order. Paths are taken from where the collection lies, or from the home, so that
    /// it is the same on another machine.
    package static func text(_ wants: [NotedWant], of collection: RequestCollection, home: String?) -> String {
        let place = CollectionPlace(collection.path)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = Set(wants.map(\.want)).map { want in
            var want = want
            switch want {
            case .read(let path, let use): want = .read(path: place.portable(path, home: home), for: use)
            case .write(let path): want = .write(path: place.portable(path, home: home) + (path.hasSuffix("/") ? "/" : ""))
            default: break
            }
            // Texts alone: it can't fail.
            return (try? encoder.encode(WantRecord(want))).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return "sha256:"
            + DigestFunction.sha256.hash(
                Data(lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "\n").utf8)
            ).hexadecimal
    }
}
