import NetworkLayer
import Synchronization

/// Where the requests and folders of a tree are, by their ids: found once, when somebody asks, and shared by the copies of the
/// collection. Whoever asks for each of a hundred thousand requests would else look through them as many times.
final class NodeIndex: Sendable {
    private let places = Mutex<Places?>(nil)

    struct Places: Sendable {
        fileprivate(set) var requests: [RequestID: Shared<RequestDefinition>] = [:]
        /// The folders, each with those around it; the nearest comes last.
        fileprivate(set) var folders: [RequestID: [RequestCollection.Folder]] = [:]
        /// Whether a folder has a `for-each` or a `when`: most collections have none.
        fileprivate(set) var hasLoops = false
        fileprivate(set) var hasConditions = false
        /// The captures of each variable, in the tree's order.
        fileprivate(set) var captors: [String: [Captor]] = [:]
        /// The names of the cookies that some request captures as a secret.
        fileprivate(set) var hiddenCookies: Set<String> = []
    }

    typealias Captor = (request: RequestID, capture: CaptureDefinition)

    /// - Parameter nodes: those that the index is of, whenever it is asked.
    func places(in nodes: [RequestCollection.Node]) -> Places {
        places.withLock { places in
            if let places { return places }
            var found = Places()
            found.add(nodes, inside: [])
            places = found
            return found
        }
    }
}

extension NodeIndex.Places {
    /// Where two have one id, the first counts, with all that is in it.
    fileprivate mutating func add(_ nodes: [RequestCollection.Node], inside around: [RequestCollection.Folder]) {
        for node in nodes {
            switch node {
            case .request(let request):
                if requests[request.id] == nil { requests[request.id] = request }
                hiddenCookies.formUnion(request.captures.compactMap(\.hiddenCookie))
                var names: Set<String> = []
                for capture in request.captures where names.insert(capture.name).inserted {
                    captors[capture.name, default: []].append((request.id, capture))
                }
            case .folder(let folder):
                guard folders[folder.id] == nil else { continue }
                folders[folder.id] = around + [folder]
                if folder.forEach != nil { hasLoops = true }
                if folder.when != nil { hasConditions = true }
                add(folder.nodes, inside: around + [folder])
            }
        }
    }
}
