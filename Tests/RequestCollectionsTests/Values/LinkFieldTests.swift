import Testing

@testable import RequestCollections

@Suite struct LinkFieldTests {
    @Test(
        arguments: [
            ([#"</a?p=2>; rel="next", </a?p=9>; rel="last""#], "/a?p=2"),
            ([#"</a>; rel=last, <b>;title="x, y; rel=no"; REL=Next"#], "b"),
            ([#"</a>; rel="last""#, #"</b>; rel="prev next""#], "/b"), (["</a,b;c>;rel=next"], "/a,b;c"),
            ([#"</a>; rel="first"; rel="next""#], nil), ([#"</a>; title="\"; rel=next""#], nil), (["</a>"], nil), ([""], nil),
            (["<"], nil),
            ([#"</a>; x="unfinished, </b>; rel=next"#], nil),
        ] as [([String], String?)])
    func `the link of a relation is found`(fields: [String], target: String?) {
        #expect(LinkField.target(of: "next", in: fields) == target)
    }
}
