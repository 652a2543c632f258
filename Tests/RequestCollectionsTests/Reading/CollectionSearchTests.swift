import Testing

@testable import RequestCollections

@Suite struct CollectionSearchTests {
    private static let me: UInt32 = 4711

    /// Everything is the user's and on one device, but for what is said.
    private func owners(
        _ others: [String: UInt32] = [:], devices: [String: UInt64] = [:], users: Set<UInt32> = [me]
    ) -> FileOwners {
        FileOwners(users: users) { path in
            FileOwners.Status(owner: others[path] ?? Self.me, device: devices.first { path.hasPrefix($0.key) }?.value ?? 1)
        }
    }

    private func found(_ directory: String, home: String? = nil, _ owners: FileOwners? = nil) -> CollectionSearch {
        CollectionSearch.nearest(to: directory, home: home, owners: owners ?? self.owners())
    }

    @Test func `the collections here come before those above`() throws {
        let folder = try TemporaryDirectory([
            "Collections/far.yaml": "turnstone: 1\n", "project/Collections/near/_collection.yaml": "turnstone: 1\n",
            "project/Collections/other.yaml": "turnstone: 1\n", "project/Sources/x": "",
        ])
        let near = [folder.path("project/Collections/near"), folder.path("project/Collections/other.yaml")]
        #expect(found(folder.path("project")).collections == near)
        #expect(found(folder.path("project/Sources")).collections == near)
        #expect(found(folder.path).collections == [folder.path("Collections/far.yaml")])
    }

    @Test func `an empty folder is passed over`() throws {
        let folder = try TemporaryDirectory(["Collections/a.yaml": "turnstone: 1\n", "inner/Collections/.hidden": ""])
        #expect(found(folder.path("inner")).collections == [folder.path("Collections/a.yaml")])
    }

    @Test func `what belongs to somebody else isn't found, and is named`() throws {
        let folder = try TemporaryDirectory(["Collections/a.yaml": "turnstone: 1\n", "inner/deep/x": ""])
        let foreign = folder.path("Collections")
        for start in [folder.path, folder.path("inner"), folder.path("inner/deep")] {
            let search = found(start, owners([foreign: 1_234_567]))
            #expect(search.collections == [])
            #expect(
                search.refused?.refusal(by: "turnstone run")
                    == "\(foreign) belongs to the user 1234567, so it is only opened when it is named: turnstone run \(foreign)")
        }
    }

    @Test func `what is the user's own in somebody else's folder above isn't found either`() throws {
        let folder = try TemporaryDirectory(["Collections/a.yaml": "turnstone: 1\n", "inner/x": ""])
        let search = found(folder.path("inner"), owners([folder.path: 1_234_567]))
        #expect(search.collections == [])
        #expect(search.refused == ForeignPath(path: folder.path("Collections"), owner: "the user 1234567"))
        // Where one stands, only the folder itself must be one's own.
        #expect(found(folder.path, owners([folder.path: 1_234_567])).collections == [folder.path("Collections/a.yaml")])
    }

    @Test func `somebody else's folder ends the search`() throws {
        let folder = try TemporaryDirectory(["Collections/a.yaml": "turnstone: 1\n", "theirs/mine/x": ""])
        let search = found(folder.path("theirs/mine"), owners([folder.path("theirs"): 1_234_567]))
        #expect(search == CollectionSearch())
    }

    @Test func `nobody looks above the home`() throws {
        let folder = try TemporaryDirectory([
            "Collections/a.yaml": "turnstone: 1\n", "home/project/x": "", "other/Collections/b.yaml": "turnstone: 1\n",
            "other/home/x": "",
        ])
        #expect(found(folder.path("home/project"), home: folder.path("home")) == CollectionSearch())
        #expect(found(folder.path("home/project")).collections == [folder.path("Collections/a.yaml")])
        // In the home itself one may be.
        #expect(
            found(folder.path("other/home"), home: folder.path("other")).collections == [folder.path("other/Collections/b.yaml")])
    }

    @Test func `nobody looks beyond the file system`() throws {
        let folder = try TemporaryDirectory(["Collections/a.yaml": "turnstone: 1\n", "mount/x/y": ""])
        #expect(found(folder.path("mount/x"), owners(devices: [folder.path("mount"): 2])) == CollectionSearch())
    }

    @Test func `who became the superuser finds what is his own`() throws {
        let folder = try TemporaryDirectory(["Collections/a.yaml": "turnstone: 1\n"])
        #expect(found(folder.path, owners(users: [0, Self.me])).collections.count == 1)
        #expect(found(folder.path, owners(users: [0])).collections == [])
    }

    @Test func `of what is named only a stranger's is said`() {
        let owners = owners(["/theirs": 1_234_567, "/system": 0])
        #expect(owners.stranger("/theirs")?.warning == "/theirs belongs to the user 1234567")
        #expect(owners.stranger("/system") == nil)
        #expect(owners.stranger("/mine") == nil)
    }
}
