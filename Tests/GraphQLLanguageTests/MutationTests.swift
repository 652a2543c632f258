import GraphQLLanguage
import Testing

/// Texts that a keyboard never sees: each goes through everything, which must hold what it says of ranges and places.
@Suite struct MutationTests {
    @Test(arguments: 0..<50) func `no mutation of a query breaks a rule`(seed: Int) throws {
        var random = SplitMix(state: UInt64(seed))
        let schema = CorpusTests.schema
        var bytes = Array(CorpusTests.Query.all.randomElement(using: &random)!.text.utf8)
        Self.mutate(&bytes, using: &random)
        let text = String(decoding: bytes, as: UTF8.self)
        let length = text.utf8.count
        do throws(GraphQLFault) {
            let document = try GraphQLDocument(parsing: text)
            for fault in schema.faults(in: document) + document.faults() {
                #expect(fault.range.upperBound <= length && fault.line > 0 && fault.column > 0)
            }
        } catch {
            #expect(error.range.upperBound <= length && error.line > 0 && error.column > 0)
        }
        for offset in 0...length {
            let completions = schema.completions(in: text, at: offset)
            #expect(
                completions.range.lowerBound <= offset && offset <= completions.range.upperBound
                    && completions.range.upperBound <= length)
            _ = schema.note(in: text, at: offset)
        }
    }

    @Test(arguments: 0..<50) func `a mutated schema is one that can be printed, or a fault`(seed: Int) throws {
        var random = SplitMix(state: UInt64(seed))
        var bytes = Array(CorpusTests.sdl.utf8)
        Self.mutate(&bytes, using: &random)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let schema = try? GraphQLSchema(sdl: text) else {
            #expect(throws: GraphQLFault.self) { try GraphQLSchema(sdl: text) }
            return
        }
        #expect(try GraphQLSchema(sdl: schema.sdl()) == schema)
    }

    private static let pieces = [
        "{", "}", "(", ")", "[", "$", "@", "...", "on", "\"", "\"\"\"", "{{x}}", "{{", "\\u{", ":", "#", "fragment", "é",
    ]

    private static func mutate(_ bytes: inout [UInt8], using random: inout SplitMix) {
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.removeSubrange(place...)
            default: bytes.insert(contentsOf: pieces.randomElement(using: &random)!.utf8, at: place)
            }
        }
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
