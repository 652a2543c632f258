import Base
import Dispatch
import GraphQLLanguage
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections

/// The schemas that servers have told, as SDL in files of the user's cache that nobody else can read, and those that stand in files of
/// collections.
struct SchemaStore: Sendable {
    /// `nil`: nothing is kept.
    let directory: String?

    /// Bytes of an answer or a file.
    static let limit = 32 << 20

    func load(_ source: SchemaSource) -> SchemaFinding {
        switch source {
        case .file(let path, let collection):
            let place = CollectionPlace(collection)
            guard let file = PermittedFile(ownOf: place, RealPath.of(path), named: path) else {
                return .failed("a schema is read only from the collection's own directory: put its file there")
            }
            do {
                return .found(KnownSchema(schema: try Self.schema(try file.read(limit: Self.limit), path)))
            } catch {
                return .failed("graphql-schema: \(error)")
            }
        case .server:
            // What can't be read is asked for again.
            guard let path = path(of: source), let bytes = AtomicFile.read(path), bytes.count <= Self.limit,
                let schema = try? GraphQLSchema(sdl: String(decoding: bytes, as: UTF8.self))
            else { return .nothing }
            let changed = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            return .found(KnownSchema(schema: schema, age: Self.age(changed ?? Date())))
        }
    }

    /// - Parameter redactor: takes out what nobody may see, which then gets into no file either.
    func keep(_ response: Response, _ redactor: Redactor, of source: SchemaSource) -> SchemaFinding {
        let way = "or name a file of the collection with its schema in graphql-schema"
        guard let info = response.info else {
            return .failed("no schema came: \(response.error?.message ?? "There was no answer.") Try again, \(way)")
        }
        let status = info.head.status.code
        guard info.body.count <= Self.limit else {
            let (size, limit) = (Figures.bytes(Int64(info.body.count)), Figures.bytes(Int64(Self.limit)))
            return .failed(
                "the answer has \(size), and \(limit) are read: save its schema into the collection, and name it in graphql-schema")
        }
        guard let data = try? info.body.contents(),
            let json = try? JSONParser.document(
                [UInt8](redactor.bytes(data, contentType: info.head.headers[.contentType])), path: "")
        else {
            return .failed(
                "the server answered \(status) with something that isn't JSON: check that the URL is that of GraphQL, \(way)")
        }
        do throws(GraphQLFault) {
            let schema = try GraphQLSchema(introspection: GraphQLValue(json))
            if let path = path(of: source), let directory {
                // What isn't kept can be asked for again.
                try? AtomicFile.makeDirectory(directory, mode: 0o700)
                try? AtomicFile.write(Data(schema.sdl().utf8), to: path, mode: 0o600, isSynced: false)
            }
            return .found(KnownSchema(schema: schema, age: Self.age(Date())))
        } catch {
            let message = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
            return .failed("\(message) (status \(status)); ask with other authentication, \(way)")
        }
    }

    private static func schema(_ bytes: [UInt8], _ path: String) throws -> GraphQLSchema {
        do throws(GraphQLFault) {
            return try GraphQLSchema(file: bytes)
        } catch {
            throw CollectionProblem(
                location: SourceLocation(path: path, line: max(1, error.line), column: max(1, error.column)), message: error.message
            )
        }
    }

    private func path(of source: SchemaSource) -> String? {
        guard case .server(let key) = source, let directory else { return nil }
        let hash = DigestFunction.sha256.hash(Data(key.utf8))
        return "\(directory)/\(hash.hexadecimal).graphql"
    }

    /// In whole days.
    private static func age(_ date: Date) -> String {
        let days = Int(Date().timeIntervalSince(date) / 86_400)
        return days < 1 ? "asked for today" : "asked for \(Figures.count(days, "day")) ago"
    }
}

extension EffectPerformer {
    func loadSchema(_ source: SchemaSource) {
        files.async { [mailbox, schemas] in mailbox.post(.schemaFound(source, schemas.load(source))) }
    }
}
