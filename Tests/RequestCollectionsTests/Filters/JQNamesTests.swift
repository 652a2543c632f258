import Testing

@testable import RequestCollections

@Suite struct JQNamesTests {
    @Test(
        arguments: [
            ("env", "env"), (".a | env", "env"), ("{a: env}", "env"), ("{(env.A): 1}", "env"), ("[env]", "env"),
            ("map(env)", "env"), ("{a: if . then 1, env else 2 end}", "env"), ("{a: if . then 1 else 2, env end, b: 1}", "env"),
            ("\"x\\(env)\"", "env"), ("{\"\\(env)\": 1}", "env"), ("\"\\(\"\\(env)\")\"", "env"), ("@text \"\\(env)\"", "env"),
            (".a.b\n|\nenv", "env"), ("..|env", "env"), ("if . then env else 1 end", "env"), ("{a: 1 | env}", "env"),
            ("{a: (1, env)}", "env"), ("{a: [1, env]}", "env"), ("\"a\\\"\" | env", "env"), ("\"a\\\\\" | env", "env"),
            ("$ENV", "$ENV"), ("{$ENV}", "$ENV"), ("\"\\($ENV)\"", "$ENV"), ("# env\nenv", "env"),
            ("# \\\n\"\nenv #\"", "#… \\"), ("# \r\"\nenv #\"", "#… \\"), ("input_filename", "input_filename"),
            ("import \"a\" as a; 1", "import"), ("include \"a\"; 1", "include"), ("modulemeta", "modulemeta"),
            ("get_search_list", "get_search_list"), ("{a: if . then try @end catch 1, env else 1 end}", "env"),
            ("{a: if . then lib::end, env else 1 end}", "env"),
        ])
    func `finds what reaches out of the body`(program: String, name: String) {
        #expect(JSONFilter(program).refusedName == name)
    }

    @Test(
        arguments: [
            ".env", ".a.env | length", "{env: 1} | .a", "{env}", "{a, env}", "{a: .b, env: 2}", "{a: 1 | ., env}",
            "{a: if . then 1 else 2 end, env}", "\"env\" | length",
            "\"$ENV\" | length", "\"\\(.env)\"", "[\"env\"]", "# env\nlength", ".[\"env\"] | length", "environment | 1",
            "$environment",
            "{a: @if \"x\", env}", "map(.env)", "\"\\(1) env\"", "{\"a\": \"\\(1)\", env}",
        ])
    func `leaves fields, keys and texts of these names alone`(program: String) {
        #expect(JSONFilter(program).refusedName == nil)
    }
}
