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
}
