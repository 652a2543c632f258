import GraphQLLanguage

/// The graph of the demo server: birds, and what was seen of them. Nothing that is sent to it is kept.
enum BirdGraph {
    static let schema: GraphQLSchema = {
        do throws(GraphQLFault) { return try GraphQLSchema(sdl: sdl) } catch { preconditionFailure("\(error)") }
    }()

    private static let sdl = """
        type Query {
          "All birds, or those of a habitat."
          birds(habitat: Habitat): [Bird!]!
          "A bird by its English name; an error where there is none."
          bird(name: String!): Bird
        }

        type Mutation {
          "Reports a sighting, which is given back and not kept."
          report(sighting: SightingInput!): Sighting!
          "Takes a picture, and says how long it is."
          upload(picture: Upload!): Picture!
        }

        type Subscription {
          "Sightings, one every 200 ms."
          sightings(to: Int = 3): Sighting!
        }

        type Bird {
          name: String!
          latin: String!
          habitat: Habitat!
          eats: [String!]!
          "In centimetres, from bill to tail."
          length: Int!
          "What it looks like."
          colour: String! @deprecated(reason: "It depends on the season.")
        }

        enum Habitat {
          SHORE
          FOREST
          TOWN
        }

        type Sighting {
          number: Int!
          bird: Bird
          count: Int!
          note: String
        }

        input SightingInput {
          "The English name."
          bird: String!
          count: Int = 1
          note: String
        }

        type Picture {
          name: String
          bytes: Int!
        }

        "A file of a multipart request."
        scalar Upload
        """

    static let mostSightings = 1000

    /// The fields of the root types.
    static let root = GraphQLExecutor.Node.object("") { name, arguments throws(GraphQLExecutor.Failure) in
        switch name {
        case "birds":
            let habitat = arguments["habitat"]
            return .list(birds.filter { habitat == nil || habitat == .null || $0.habitat == habitat }.map(\.node))
        case "bird": return try bird(arguments["name"])
        case "report": return try sighting(1, arguments["sighting"] ?? .null)
        case "upload": return .values("Picture", arguments["picture"] ?? .null)
        // An event has the number of the sighting.
        case "sightings":
            guard case .number(let number)? = arguments["number"] else { return .leaf(.null) }
            let bird = birds[(number - 1) % birds.count].name
            return try sighting(number, ["bird": .string(bird), "count": .number(number * 2)])
        default: return .leaf(.null)
        }
    }

    private static func sighting(_ number: Int, _ input: JSON) throws(GraphQLExecutor.Failure) -> GraphQLExecutor.Node {
        .object("Sighting") { name, _ throws(GraphQLExecutor.Failure) in
            switch name {
            case "number": .leaf(.number(number))
            case "bird": try bird(input["bird"])
            case "count": .leaf(input["count"] ?? 1)
            default: .leaf(input[name] ?? .null)
            }
        }
    }

    private static func bird(_ name: JSON?) throws(GraphQLExecutor.Failure) -> GraphQLExecutor.Node {
        guard case .string(let text)? = name else { return .leaf(.null) }
        guard let bird = birds.first(where: { $0.name == text.lowercased() }) else {
            throw GraphQLExecutor.Failure(message: "Nobody has seen a \(text) here; { birds { name } } lists whom we know.")
        }
        return bird.node
    }

    private struct Bird {
        var name: String
        var latin: String
        var habitat: JSON
        var eats: [String]
        var length: Int
        var colour: String

        var node: GraphQLExecutor.Node {
            .values(
                "Bird",
                [
                    "name": .string(name), "latin": .string(latin), "habitat": habitat, "eats": .array(eats.map { .string($0) }),
                    "length": .number(length), "colour": .string(colour),
                ])
        }
    }

    private static let birds = [
        Bird(
            name: "turnstone", latin: "Arenaria interpres", habitat: "SHORE", eats: ["insects", "crabs", "mussels"], length: 23,
            colour: "chestnut, black and white"),
        Bird(
            name: "oystercatcher", latin: "Haematopus ostralegus", habitat: "SHORE", eats: ["mussels", "worms"], length: 42,
            colour: "black and white, with a red bill"),
        Bird(
            name: "jay", latin: "Garrulus glandarius", habitat: "FOREST", eats: ["acorns", "insects"], length: 34,
            colour: "pinkish brown"),
        Bird(name: "swift", latin: "Apus apus", habitat: "TOWN", eats: ["insects"], length: 17, colour: "sooty brown"),
    ]
}
