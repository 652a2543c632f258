import Presentation
import Testing

@Suite struct `A JSON body that is being written` {
    @Test(arguments: [
        "", " \n", "{}", #"{"a": {"b": {}}}"#, #"{"n": {{n}}, "list": [{{a}}, -{{b}}]}"#, #"{"s": "{{ env("HOME") }}/x"}"#,
        "{{whole}}", #"{"a": {{ f("{") }} }"#,
    ])
    func `has no fault when it is JSON once its templates have values`(text: String) {
        #expect(JSONFault(in: text) == nil)
    }

    @Test(arguments: [
        ("{\n  \"sku\": \"A7\",,\n  \"qty\": 2\n}", 2), ("{\n\"n\": {{n}}\n\"m\": 1\n}", 3), ("[1,\n2", 2), ("{\"a\": {{a}", 1),
        ("no", 1),
    ])
    func `names the line of its fault`(text: String, line: Int) {
        #expect(JSONFault(in: text)?.line == line)
        #expect(JSONFault(in: text)?.reason.isEmpty == false)
    }
}
