/// A JSON array of exactly so many bytes, made piece by piece.
struct People {
    /// An array with the last object, the one that fills up, and nothing in its text.
    static let minimumSize = opening.count + filler(0).count + closing.count

    private var rest: Int
    private var number = 0
    private var state = State.start

    private enum State {
        case start, middle, end
    }

    /// - Parameter size: at least ``minimumSize``.
    init(size: Int) {
        rest = size
    }

    /// About 64 KiB; `nil` at the end.
    mutating func next() -> [UInt8]? {
        guard state != .end else { return nil }
        var piece: [UInt8] = []
        piece.reserveCapacity(1 << 16 + 512)
        if state == .start {
            piece += Self.opening
            state = .middle
        }
        while piece.count < 1 << 16 {
            let person = Array((Self.person(number) + ",\n").utf8)
            let room = rest - piece.count - Self.filler(0).count - Self.closing.count
            guard person.count <= room else {
                piece += Self.filler(room) + Self.closing
                state = .end
                break
            }
            piece += person
            number += 1
        }
        rest -= piece.count
        return piece
    }

    func all() -> [UInt8] {
        var people = self
        var bytes: [UInt8] = []
        while let piece = people.next() { bytes += piece }
        return bytes
    }

    private static let opening = Array("[\n".utf8)
    private static let closing = Array("\n]\n".utf8)

    private static func filler(_ count: Int) -> [UInt8] {
        Array("{\"id\":-1,\"filler\":\"".utf8) + [UInt8](repeating: UInt8(ascii: "."), count: count) + Array("\"}".utf8)
    }

    /// One line of JSON.
    static func person(_ number: Int) -> String {
        "{\"id\":\(number)" + people[number % people.count]
    }

    /// All of a person but the number. Made once: a large body costs copying only.
    private static let people: [String] = (0..<64).map { index in
        let given = givenNames[index % givenNames.count]
        let family = familyNames[index * 7 % familyNames.count]
        let score = "\(index * 37 % 100).\(index * 61 % 10)"
        let tags = (0..<index % 4).map { "\"\(tagNames[(index + $0) % tagNames.count])\"" }.joined(separator: ",")
        return ",\"name\":\"\(given) \(family)\",\"email\":\"\(given.lowercased()).\(family.lowercased())@example.com\""
            + ",\"active\":\(index % 3 != 0),\"score\":\(score),\"tags\":[\(tags)]"
            + ",\"address\":{\"city\":\"\(cities[index % cities.count])\",\"zip\":\"\(10_000 + index * 977 % 90_000)\"}"
            + ",\"manager\":\(index % 5 == 0 ? "null" : String(index / 5))}"
    }

    private static let givenNames = [
        "Ada", "Alan", "Barbara", "Dennis", "Edsger", "Frances", "Grace", "Ken", "Margaret", "Radia", "Tim",
    ]
    private static let familyNames = [
        "Lovelace", "Turing", "Liskov", "Ritchie", "Dijkstra", "Allen", "Hopper", "Thompson", "Perlman",
    ]
    private static let cities = ["Zürich", "東京", "São Paulo", "Kraków", "Nairobi", "Reykjavík", "Montréal"]
    private static let tagNames = ["admin", "beta", "on-call", "reviewer", "writer"]
}
