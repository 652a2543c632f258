import RequestCollections
import Testing

@Suite struct CollectionSearchTests {
    @Test func `the collections here come before those above`() throws {
        let folder = try TemporaryDirectory([
            "Collections/far.yaml": "turnstone: 1\n", "project/Collections/near/_collection.yaml": "turnstone: 1\n",
            "project/Collections/other.yaml": "turnstone: 1\n", "project/Sources/x": "",
        ])
        let near = [folder.path("project/Collections/near"), folder.path("project/Collections/other.yaml")]
        #expect(CollectionSearch.nearest(to: folder.path("project")) == near)
        #expect(CollectionSearch.nearest(to: folder.path("project/Sources")) == near)
        #expect(CollectionSearch.nearest(to: folder.path) == [folder.path("Collections/far.yaml")])
    }

    @Test func `an empty folder is passed over`() throws {
        let folder = try TemporaryDirectory(["Collections/a.yaml": "turnstone: 1\n", "inner/Collections/.hidden": ""])
        #expect(CollectionSearch.nearest(to: folder.path("inner")) == [folder.path("Collections/a.yaml")])
    }
}
