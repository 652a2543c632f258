import Testing

@testable import GraphQLLanguage

@Suite struct CompletionTests {
    /// - Parameter marked: a text with `|` where the cursor is.
    private func completions(_ marked: String) -> GraphQLCompletions {
        let offset =
            marked.utf8.firstIndex(of: UInt8(ascii: "|")).map { marked.utf8.distance(from: marked.startIndex, to: $0) } ?? 0
        return CorpusTests.schema.completions(in: marked.replacing("|", with: ""), at: offset)
    }

    private func texts(_ marked: String) -> [String] { completions(marked).items.map(\.text) }

    @Test(arguments: [
        ("|", "query mutation subscription fragment"),
        ("mu|", "mutation"),
        ("{ count } |", "query mutation subscription fragment"),
        ("{ bi|", "bird birdBy birds"),
        ("{ sp|rest of it } } }", "species"),
        ("query Q { ob|", "observers"),
        ("subscription { |", "sighted ringed __typename"),
        ("{ __|", "__schema __type __typename"),
        ("{ alias: sta|", "station"),
        ("{ bird(id: 1) { mate { par|", "parents"),
        ("{ bird(id: 1, { mate { par|", "parents"),
        ("{ bird(id: \"(\") @skip(if: true) { si|", "sightings"),
        ("{ search(text: \"a\") { |", "__typename"),
        ("{ search(text: \"a\") { ... on Station { op|", "open"),
        ("{ places { ... @skip(if: true) { pos|", "position"),
        ("fragment F on Ringer { lic|", "licence"),
        ("fragment F o|", "on"),
        ("{ nope { |", ""),
        ("# bi|", ""),
        ("{ count } # bi|", ""),
        ("{ bird(id: \"bi|", ""),
        ("{ birds(first: 1|", ""),
        ("{ {{na|", ""),
        ("{ {{name}}|", ""),
        ("{ {{name}} bi|", "bird birdBy birds"),
    ]) func `fields and keywords`(text: String, items: String) {
        #expect(texts(text).joined(separator: " ") == items)
    }

    @Test(arguments: [
        ("{ bird(|", "id: "),
        ("{ birds(first: 3, |", "habitat: ,languages: "),
        ("{ birds(| habitat: TUNDRA, languages: [LATIN]) { a: id } }", "first: "),
        ("{ birds(first: 3, lan| habitat: TUNDRA", "languages: "),
        ("{ birds(habitat: |", "MUDFLAT,ROCKY_SHORE,SALT_MARSH,TUNDRA,null"),
        ("{ birds(habitat: SA|", "SALT_MARSH"),
        ("{ birds(habitat: marsh|", "SALT_MARSH"),
        ("{ birds(languages: [LATIN, FR|", "FRENCH"),
        ("{ birds(languages: [LATIN], ha|", "habitat: "),
        ("{ count(filter: {|", "from: ,to: ,habitats: ,ids: ,near: ,minimum: ,and: "),
        ("{ count(filter: {near: {latitude: 1, |", "longitude: ,radius: "),
        ("{ count(filter: {and: [{minimum: 1}, {near: {lat|", "latitude: "),
        ("{ count(filter: {near: {latitude: 1}, min|", "minimum: "),
        ("{ count @|", "@cost,@skip,@include"),
        ("{ count @inc|", "@include"),
        ("{ count @include(|", "if: "),
        ("{ count @include(if: |", "true,false"),
        ("{ ... @|", "@skip,@include"),
        ("{ ...F @|", "@cost,@skip,@include"),
        ("query @|", "@trace"),
        ("query ($a: Int @|", "@sensitive"),
        ("fragment F on Bird @|", "@sensitive"),
        ("query ($a: Sigh|", "SightingFilter,NewSighting"),
        ("query ($a: [Bi|", "BirdKey,Habitat"),
        ("query ($a: Language = LAT|", "LATIN,PLATT"),
        ("query ($a: Boolean = |", "true,false,null"),
    ]) func `arguments, values, directives and types`(text: String, items: String) {
        #expect(texts(text).joined(separator: ",") == items)
    }

    @Test(arguments: [
        ("bird(id: $|", "$id"),
        ("bird(id: |", "$id"),
        ("birds(first: $|", "$first,$always"),
        ("search(limit: $|", "$first,$always"),
        ("mean(of: $|", ""),
        ("birds(languages: [$|", "$language"),
        ("birds(languages: $|", "$languages"),
        ("count(filter: {minimum: $fi|", "$first"),
        ("json(value: $|", ""),
        ("nope(value: $|", "$id,$first,$always,$language,$languages"),
    ]) func `variables of a type that fits`(text: String, items: String) {
        let head = "query ($id: ID!, $first: Int = 3, $always: Int!, $language: Language!, $languages: [Language!]) { "
        #expect(texts(head + text).joined(separator: ",") == items)
    }

    @Test func `fragments and conditions that are possible`() {
        let rest =
            " } } fragment Short on Bird { id } fragment Any on Node { id } fragment Kind on Species { id } fragment Odd on Wing { a }"
        #expect(texts("{ bird(id: 1) { ...|" + rest) == ["Short", "Any", "on Node", "on Named", "on Bird", "on SearchResult"])
        #expect(texts("{ bird(id: 1) { ... on |" + rest) == ["Node", "Named", "Bird", "SearchResult"])
        #expect(texts("{ bird(id: 1) { ...An|" + rest) == ["Any"])
        #expect(texts("fragment Short on Bird { ...S|" + rest) == ["on SearchResult"])
        #expect(texts("fragment F on Rin|") == ["Ringer"])
        #expect(!texts("fragment F on |").contains("Language"))
    }

    @Test func `an item says what it is`() throws {
        let name = try #require(completions("{ bird(id: 1) { na|").items.first)
        #expect(
            name == .init(kind: .field, text: "name", detail: "(language: Language = ENGLISH): String!", description: "The name."))
        let colour = try #require(completions("{ bird(id: 1) { col|").items.first)
        #expect(colour.isDeprecated && colour.deprecation == "No longer supported" && colour.detail == "String")
        let platt = try #require(completions("{ bird(id: 1) { name(language: PL|").items.first)
        #expect(platt == .init(kind: .enumValue, text: "PLATT", detail: "Language", deprecation: "Use DIALECT."))
        let cost = try #require(completions("{ count @co|").items.first)
        #expect(
            cost
                == .init(
                    kind: .directive, text: "@cost", detail: "(points: Int! = 1, reason: String)",
                    description: "Marks what a field costs."))
        let first = try #require(completions("{ birds(|").items.first)
        #expect(first == .init(kind: .argument, text: "first: ", detail: "Int = 10"))
        let from = try #require(completions("{ count(filter: {fr|").items.first)
        #expect(from.kind == .inputField)
    }

    @Test func `an item replaces the word at the cursor`() {
        #expect(completions("{ bi|rd(id: 1) }").range == 2..<6)
        #expect(completions("{ |bird }").range == 2..<2)
        #expect(completions("{ é bird }|").range == 11..<11)
        #expect(completions("{ count @in|clude }").range == 8..<16)
        #expect(completions("query ($id: ID!) { bird(id: $|)").range == 28..<29)
        #expect(completions("query ($id: ID!) { bird(id: $i|d)").range == 28..<31)
    }

    @Test(arguments: [
        ("{ bird(id: 1) { na|me } }", "Bird.name(language: Language = ENGLISH): String!  The name."),
        ("{ bird(id: 1) { |mate { id } } }", "Bird.mate: Bird"),
        ("{ bir|d(id: 1) { id } }", "Query.bird(id: ID!): Bird"),
        ("{ bird(id|: 1) { id } }", "Query.bird(id:): ID!"),
        ("{ birds(first|: 1) { id } }", "Query.birds(first:): Int = 10"),
        ("{ bird(id: 1) { name(language: LAT|IN) } }", "Language.LATIN  The language of science"),
        ("{ count(filter: {minimum|: 1}) }", "SightingFilter.minimum: Int! = 1"),
        ("{ count @co|st }", "@cost(points: Int! = 1, reason: String)  Marks what a field costs."),
        ("{ ... on Bird| { id } }", "type Bird  A bird with a ring, or one that was only seen."),
        ("query ($k: BirdKey|) { a }", "input BirdKey  Finds one bird."),
        ("query ($id: [ID!]) { bird(id: $i|d) { id } }", "$id: [ID!]"),
    ]) func `a note says what stands at the cursor`(marked: String, note: String) {
        let offset =
            marked.utf8.firstIndex(of: UInt8(ascii: "|")).map { marked.utf8.distance(from: marked.startIndex, to: $0) } ?? 0
        #expect(CorpusTests.schema.note(in: marked.replacing("|", with: ""), at: offset) == note)
    }

    @Test func `nothing is known of the unknown`() {
        for (text, offset) in [("{ nope }", 4), ("{ bird }", 1), ("", 0), ("{ a }", 99), ("{ a }", -1), ("# bird", 4)] {
            #expect(CorpusTests.schema.note(in: text, at: offset) == nil, "\(text)")
        }
        #expect(CorpusTests.schema.completions(in: "{ bi", at: 99).items.count == 3)
        #expect(CorpusTests.schema.completions(in: "bi", at: -1).range == 0..<0)
    }
}
