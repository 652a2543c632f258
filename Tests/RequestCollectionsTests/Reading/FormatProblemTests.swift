import Testing

@testable import RequestCollections

/// The exact sentence of everything that can be wrong with what stands around a request, with its line and column.
@Suite struct FormatProblemTests {
    @Test(
        arguments: [
            // Templates, at the character where they go wrong.
            ("headers: { a: 'x {{b c}}' }", "3:27: `c` can't stand here: after a value comes `|` or `}}`"),
            ("headers: { a: \"{{uiid()}}\" }", "3:23: the function `uiid()` isn't known; did you mean `uuid`?"),
            ("body: { text: '{{host' }", "3:21: `{{` has no `}}`; write `{{\"{{\"}}` for the braces themselves"),
            ("body: { json: { a: [1, '{{}}'] } }", "3:32: `{{}}` is empty; write the name of a variable between the braces"),
            ("path: { id: \"a\\n{{}}\" }", "3:18: `{{}}` is empty; write the name of a variable between the braces"),
            (
                "auth: { bearer: '{{sha256()}}' }",
                "3:25: `sha256()` lacks its `text`; it is written `sha256(text, encoding: \"hex\")`"
            ),
            ("expect: { status: '{{}}' }", "3:27: `{{}}` is empty; write the name of a variable between the braces"),
            ("description: 'a {{'", nil),
            // Retry.
            (
                "retry: { attempts: 0 }", "3:25: `attempts` takes a whole number from 1 to 100, not `0`"
            ),
            (
                "retry: { on: [50x] }",
                "3:20: `on` takes a status (`503`), a class of them (`5xx`), `connection`, `refused`, `timeout`, `dns`, `tls`, `protocol` or `any`, not `50x`"
            ),
            ("retry: { backoff: { factor: two } }", "3:34: `factor` takes a number from 1 to 100, not `two`"),
            ("retry: { backoff: { jitter: some } }", "3:34: `jitter` takes `full`, `equal` or `none`, not `some`"),
            (
                "retry: sometimes",
                "3:13: `retry` takes `none` or a map of `attempts`, `on`, `backoff` or `retry-after`, not `sometimes`"
            ),
            // Auth.
            ("auth: {}", "3:12: `auth` is empty; write `auth: none` for none"),
            ("auth: { bearer: a, basic: {} }", "3:25: both `bearer` and `basic` are there; a request has one kind of `auth`"),
            ("auth: { api-key: { name: a } }", "3:14: `api-key` lacks `value`"),
            ("auth: { api-key: { name: a, value: b, in: body } }", "3:48: `in` takes `header`, `query` or `cookie`, not `body`"),
            ("auth: { aws-sigv4: { access-key: a } }", "3:14: `aws-sigv4` lacks `secret-key`"),
            (
                "auth: { oauth2: { token-url: a, client-id: b } }",
                "3:14: `oauth2 with the grant client-credentials` lacks `client-secret`"
            ),
            (
                "auth: { oauth2: { grant: implicit, token-url: a, client-id: b } }",
                "3:31: `grant` takes `client-credentials`, `password`, `authorization-code`, `device-code` or `refresh-token`, not `implicit`"
            ),
            // Bodies.
            ("body: { graphql: { query: a, file: b } }", "3:35: both `query` and `file` are there; a GraphQL body has one query"),
            ("body: { graphql: { operation: a } }", "3:14: `graphql` lacks its `query`, or the `file` that has it"),
            ("body: { graphql: { qurey: a } }", "3:25: unknown key `qurey` in graphql; did you mean `query`?"),
            // Captures, needs, hydrate.
            (
                "capture: { a: token }",
                "3:20: `a` captures `token`; it takes a path into the body such as `.id`, `header:NAME`, `cookie:NAME`, `link:next`, `/…(…)…/`, `xpath:…`, `tls:NAME`, `time:NAME`, `status`, `url` or `body`"
            ),
            (
                "capture: { 1a: .b }",
                "3:17: `1a` can't name a variable: it takes letters, digits, `_`, `-` and `.`, a letter or `_` first"
            ),
            ("capture: { a: { form: .b } }", "3:22: unknown key `form` in a capture; did you mean `from`?"),
            ("needs: { b: { maxage: 1h } }", "3:20: unknown key `maxage` in needs; did you mean `max-age`?"),
            ("needs: c", "3:13: `needs` names the request `c`, which isn't there; did you mean `b`?"),
            ("hydrate: []", "3:15: the command of `hydrate` is empty"),
            // Expectations.
            ("expect: { contract: '' }", "3:26: `contract` is empty"),
            (
                "expect: { status: ok }",
                "3:24: `ok` isn't a status or a class of them (`404`, `2xx`), nor a comparison such as `< 500`"
            ),
            (
                "expect: { status: '> many' }",
                "3:24: `> many` compares with `many`, which isn't a status or a class of them (`404`, `2xx`)"
            ),
            (
                "expect: { time: { total: 300 } }",
                "3:31: `300` isn't a duration (200ms, 3s, 1m, 1h, 14d), nor a comparison such as `< 300ms`"
            ),
            (
                "expect: { time: { total: '< 300' } }",
                "3:31: `< 300` compares with `300`, which isn't a duration (200ms, 3s, 1m, 1h, 14d)"
            ),
            ("expect: { time: { recieve: '< 3s' } }", "3:24: unknown key `recieve` in time; did you mean `receive`?"),
            ("expect: { attempts: few }", "3:26: `few` isn't a number, nor a comparison such as `> 0`"),
            ("expect: { size: big }", "3:22: `big` isn't a number of bytes (4096, 10MB, 1MiB), nor a comparison such as `< 10KB`"),
            ("expect: { tls: { valid_for: '> 1d' } }", "3:23: unknown key `valid_for` in tls; did you mean `valid-for`?"),
            ("expect: { body: { .a: { typ: array } } }", "3:30: unknown key `typ` in an expectation; did you mean `type`?"),
            (
                "expect: { body: { .a: { type: list } } }",
                "3:36: `type` takes `string`, `number`, `integer`, `boolean`, `array`, `object`, nothing, `date`, `uuid`, `ipv4`, `ipv6`, `sorted` or `unique`, not `list`"
            ),
            ("expect: { body: /(/ }", "3:22: `/(/` isn't a regular expression: missing closing parenthesis"),
            (
                "expect: { body: { typo: exists } }",
                "3:24: `typo` is no filter: those begin with a dot; did you mean `.typo` or `type`?"
            ),
            ("expect: { body: { .a: [] } }", "3:28: an expectation with no value in its list can't hold"),
            ("expect: { body: { .a: {} } }", "3:28: an expectation takes a value, not an empty map"),
            (
                "expect: { body: not /ERROR/m }",
                "3:22: `/ERROR/m` would be a regular expression with the flags `m`; only `i` is one: `/ERROR/i`. The text itself stands in quotes"
            ),
            (
                "expect: { header: { a: /x/ i } }",
                "3:29: `/x/ i` would be a regular expression with the flags `i`; only `i` is one: `/x/i`. The text itself stands in quotes"
            ),
            ("expect: { body: { .a: not 5..1 } }", "3:28: `5..1` holds for nothing: the smaller end comes first"),
            ("expect: { body: { .a: 1..5s } }", "3:28: `1..5s` has two ends that can't be compared with each other"),
            ("expect: { body: { .a: { all: [] } } }", "3:35: `all` takes a list with something in it"),
            ("expect: { body: { .a: { not: { one-of: [] } } } }", "3:45: `one-of` takes a list with something in it"),
            (
                "expect: { size: { equals: 1 kb } }",
                "3:32: `1 kb` isn't a number of bytes (4096, 10MB, 1MiB), nor a comparison such as `< 10KB`"
            ),
            // Mocks.
            ("mock: { status: 1000 }", "3:22: `status` takes a whole number from 200 to 599, not `1000`"),
            ("mock: { body: a, file: b }", "3:23: both `body` and `file` are there; a mock has one body"),
            ("mock: { error: oops }", "3:21: `error` takes `timeout`, `dns`, `connection`, `tls` or `protocol`, not `oops`"),
            (
                "mock: { delay: 2s..1s }",
                "3:21: `delay` takes a duration (200ms, 3s, 1m) or two of them (`100ms..2s`), not `2s..1s`"
            ),
            ("response: { hash: md4 }", "3:24: `hash` takes `md5`, `sha1`, `sha256` or `sha512`, not `md4`"),
        ] as [(String, String?)])
    func `a wrong request says what and where`(line: String, sentence: String?) {
        let collection = RequestCollection.of(
            "turnstone: 1\nrequests: { b: { get: http://x/ }, a: { get: http://x/,\n     \(line) } }")
        #expect(collection.problems.map(\.description) == (sentence.map { ["shop.yaml:\($0)"] } ?? []))
        #expect(collection.request(RequestID(rawValue: "b"))?.problems == [])
    }
}
