import FoundationEssentials
import NetworkLayer
import Testing

@Suite struct ParameterCollectionTests {
    @Test(arguments: [
        ("", ""), (";p=1?q=2#f=3", ";p=1?q=2#f=3"), ("?b=2&a=1", "?a=1&b=2"), ("#f", "#f="), ("?", ""), (";?#", ""),
        ("http://a.test/x;p=1/y", ""), ("http://a.test/x/y;p=1&o=2?q", ";o=2&p=1?q="),
        ("http://a.test?a=x;y#b=?", "?a=x%3By#b=%3F"),
        ("?a=1&a=2", "?a=2"), ("?a=x+y", "?a=x%20y"), ("#a=1#b", "#a=1%23b"),
    ])
    func `URL-4 a string is read, and written sorted`(text: String, description: String) {
        #expect(ParameterCollection(text).description == description)
    }

    @Test func `URL-4 a URL has parameters in three places`() throws {
        let collection = ParameterCollection(try #require(URL(string: "http://a.test/x;p=1?q=a%26b#f=3")))
        #expect(collection["p", .path] == "1")
        #expect(collection["q"] == "a&b")
        #expect(collection["f", .fragment] == "3")
        #expect(collection["p"] == nil)
        #expect(collection.string(for: .query) == "q=a%26b")
    }

    @Test func `URL-4 a collection is made of a dictionary or another collection`() {
        var collection = ParameterCollection(["a": "1", "b": "2", "": "3"])
        #expect(collection.description == "?a=1&b=2")
        collection.merge(ParameterCollection(";x=1?b=3"))
        #expect(collection.description == ";x=1?a=1&b=3")
        #expect(ParameterCollection(collection.description) == collection)
    }

    @Test func `URL-4 setting nil removes a parameter, and the last one its place`() {
        var collection = ParameterCollection("?a=1#b=2")
        collection["a"] = nil
        #expect(collection.description == "#b=2")
        collection["b", .fragment] = nil
        #expect(collection.isEmpty)
        #expect(collection == ParameterCollection())
    }

    @Test(arguments: [
        ("http://a.test/x", "http://a.test/x;p=1?q=2"), ("http://a.test/x;old?old=1#old", "http://a.test/x;p=1?q=2"),
        ("http://a.test/x;kept/y", "http://a.test/x;kept/y;p=1?q=2"),
    ])
    func `URL-4 parameters take the place of a URL's own`(url: String, result: String) throws {
        let url = try #require(URL(string: url))
        #expect(ParameterCollection(";p=1?q=2").applied(to: url)?.absoluteString == result)
    }

    // MARK: Dictionaries

    @Test(
        arguments: [
            (.keysDirectly, ["a": "1", "b": "x y"]), (.urlEncoded("k"), ["k": "a=1&b=x%20y"]),
            (.jsonEncoded("k"), ["k": #"{"a":1,"b":"x y"}"#]), (.dotted("k"), ["k.a": "1", "k.b": "x y"]),
        ] as [(ParameterCollection.DictionaryForm, [String: String])])
    func `URL-4 a dictionary is added in four forms`(
        form: ParameterCollection.DictionaryForm, parameters: [String: String]
    ) throws {
        var collection = ParameterCollection()
        try collection.add(["b": "x y", "a": 1], as: form, to: .fragment)
        #expect(collection == ParameterCollection(parameters, in: .fragment))
    }

    @Test func `URL-4 dots go down into the dictionaries of a dictionary`() throws {
        var collection = ParameterCollection()
        try collection.add(["a": ["b": ["c": 1], "d": [1, 2]], "e": true], as: .dotted("k"))
        #expect(collection == ParameterCollection(["k.a.b.c": "1", "k.a.d": "1,2", "k.e": "1"]))
    }

    @Test func `URL-4 JSON is compact, sorted and escaped`() throws {
        var collection = ParameterCollection()
        try collection.add(
            ["z": nil, "a": [1, 2.5, true, "q\"\\\n\u{1}"] as [Any], "m": ["y": 1, "x": false] as [String: Any]],
            as: .jsonEncoded("j"))
        #expect(collection["j"] == #"{"a":[1,2.5,true,"q\"\\\n\u0001"],"m":{"x":false,"y":1},"z":null}"#)
    }

    @Test func `URL-4 a nil in a dictionary removes the parameter`() throws {
        var collection = ParameterCollection("?a=1&b=2")
        try collection.add(["a": nil, "c": 3])
        #expect(collection.description == "?b=2&c=3")
    }

    @Test func `URL-4 an empty key throws, and changes nothing`() {
        var collection = ParameterCollection("?a=1")
        #expect(throws: URLCodingError.self) { try collection.add(["": 1, "b": 2]) }
        for form: ParameterCollection.DictionaryForm in [.urlEncoded(""), .jsonEncoded(""), .dotted("")] {
            #expect(throws: URLCodingError.self) { try collection.add(["b": 2], as: form) }
        }
        #expect(throws: URLCodingError.self) { try collection.add(["b": ["": 2]], as: .dotted("k")) }
        #expect(collection.description == "?a=1")
    }

    @Test func `URL-4 a value that has no form throws unless it is to be ignored`() throws {
        struct Opaque {}
        var collection = ParameterCollection()
        #expect(throws: URLCodingError.self) { try collection.add(["a": Opaque()]) }
        #expect(throws: URLCodingError.self) { try collection.add(["a": Opaque()], as: .jsonEncoded("k")) }
        try collection.add(["a": Opaque(), "b": 1], options: .ignoreUnsupported)
        #expect(collection.description == "?b=1")
    }
}
