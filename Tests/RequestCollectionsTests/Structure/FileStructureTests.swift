import Testing

@testable import RequestCollections

/// Each change of the tree with the file before and after, byte for byte.
@Suite struct FileStructureTests {
    /// The files of one directory, and the collection in `shop.yaml`.
    static func after(_ text: String, _ edit: CollectionEdit) throws -> String {
        let directory = try TemporaryDirectory(["shop.yaml": text])
        let collection = try RequestCollection.load(path: directory.path("shop.yaml"))
        let change = try collection.applying(edit)
        try change.write()
        let now = try RequestCollection.load(path: directory.path("shop.yaml"))
        #expect(now.requests.map(\.withoutLocations) == change.collection.requests.map(\.withoutLocations))
        #expect(change.remarks == [])
        return try directory.read("shop.yaml")
    }

    private static let shop = """
        # The shop.
        turnstone: 1

        requests:
          # Who are you?
          login:   # always first
            post: http://h/login
            # not yet:
            # query: { a: 1 }

          # ---- orders ----

          # Everything about orders.
          orders:
            requests:
              create: { post: "http://h/orders", needs: [login] }
              list:
                get: http://h/orders

          # The last one.
          logout: { post: http://h/logout }
        # end

        """

    @Test func `steps follow the requests that they name`() throws {
        let text = """
            turnstone: 1
            set-up: login
            requests:
              login: { get: http://h/login }
              shop:
                set-up: [make]
                tear-down: [login, drop]
                requests:
                  make: { get: http://h/make, tear-down: drop }
                  drop: { get: http://h/drop }

            """
        #expect(
            try Self.after(text, .rename("shop/drop", to: "away"))
                == text.replacing("[login, drop]", with: "[login, away]").replacing("tear-down: drop", with: "tear-down: away")
                .replacing("  drop:", with: "  away:"))
        #expect(
            try Self.after(text, .rename("login", to: "enter"))
                == text.replacing("set-up: login", with: "set-up: enter").replacing("[login,", with: "[enter,")
                .replacing("  login:", with: "  enter:"))
    }

    /// A copy that is pointed to another server must not get the original's token.
    @Test func `the requests of a copied folder name each other`() throws {
        let text = """
            turnstone: 1
            requests:
              users:
                requests:
                  login: { post: http://users/login }
                  me: { get: http://users/me, needs: users/login, auth: { bearer: '{{response("users/login", ".token")}}' } }
              other: { get: http://h/, needs: users/login }

            """
        let copy = """
                  me: { get: http://users/me, needs: users-2/login, auth: { bearer: '{{response("users-2/login", ".token")}}' } }

            """
        let after = try Self.after(text, .duplicate("users", as: "users-2"))
        #expect(after.contains(copy) && after.contains("other: { get: http://h/, needs: users/login }"), "\(after)")
        #expect(after.contains("needs: users/login, auth: { bearer: '{{response(\"users/login\""), "\(after)")
    }

    @Test func `a request goes with its comments, and the blank line that kept it apart`() throws {
        #expect(
            try Self.after(Self.shop, .remove("logout"))
                == Self.shop.replacing(
                    "\n\n  # The last one.\n  logout: { post: http://h/logout }", with: ""))
    }

    @Test func `comments that stand apart stay`() throws {
        #expect(
            try Self.after(Self.shop, .remove("orders"))
                == Self.shop.replacing(
                    """

                      # Everything about orders.
                      orders:
                        requests:
                          create: { post: "http://h/orders", needs: [login] }
                          list:
                            get: http://h/orders

                    """, with: ""))
    }

    @Test func `the last request of a folder leaves an empty folder`() throws {
        let text =
            "turnstone: 1\nrequests:\n  f: # a folder\n    requests:\n      # one\n      a: { get: http://h/ }\n  b: { get: http://h/ }\n"
        #expect(
            try Self.after(text, .remove("f/a"))
                == "turnstone: 1\nrequests:\n  f: # a folder\n    requests: {}\n  b: { get: http://h/ }\n")
    }

    @Test func `an empty folder takes its first request`() throws {
        let text = "turnstone: 1\nrequests:\n    f:\n        requests: {} # none yet\n    b: { get: http://h/ }\n"
        #expect(
            try Self.after(text, .addRequest("f/a", method: "POST", url: "http://h/{{x}}"))
                == "turnstone: 1\nrequests:\n    f:\n        requests: # none yet\n            a:\n                post: http://h/{{x}}\n    b: { get: http://h/ }\n"
        )
    }

    @Test func `a new request comes last, as far apart as the others`() throws {
        let text = "turnstone: 1\nrequests:\n  a: { get: http://h/ }\n\n  b: { get: http://h/ }"
        #expect(
            try Self.after(text, .addRequest("c", method: "PURGE", url: "http://h/"))
                == text + "\n\n  c:\n    method: PURGE\n    url: http://h/")
        #expect(try Self.after(text, .addFolder("f g")) == text + "\n\n  f g:\n    requests: {}")
    }

    @Test func `a collection without requests gets them`() throws {
        #expect(
            try Self.after("turnstone: 1\nname: X\n", .addRequest("a", method: "GET", url: "http://h/"))
                == "turnstone: 1\nname: X\nrequests:\n  a:\n    get: http://h/\n")
    }

    @Test func `a copy comes behind the original, comments included`() throws {
        #expect(
            try Self.after(Self.shop, .duplicate("login", as: "login 2"))
                == Self.shop.replacing(
                    "    # query: { a: 1 }\n\n",
                    with: "    # query: { a: 1 }\n\n  # Who are you?\n  login 2:   # always first\n    post: http://h/login\n"
                        + "    # not yet:\n    # query: { a: 1 }\n\n"))
    }

    @Test func `a name changes where it stands, and where others name it`() throws {
        #expect(
            try Self.after(Self.shop, .rename("login", to: "sign-in"))
                == Self.shop.replacing("  login:", with: "  sign-in:")
                .replacing("[login]", with: "[sign-in]"))
        let text = """
            turnstone: 1
            requests:
              "login": { get: http://h/ }
              a:
                get: "http://h/{{response(\\"login\\", \\".id\\")}}"
                needs: { 'login': { max-age: 1h } } # login
              b: { get: 'http://h/{{response("login")}}/{{ response( "login", ".x" ) }}' }

            """
        #expect(
            try Self.after(text, .rename("login", to: "enter"))
                == text.replacing("\"login\":", with: "\"enter\":")
                .replacing("response(\\\"login", with: "response(\\\"enter").replacing("'login'", with: "'enter'")
                .replacing("response(\"login", with: "response(\"enter").replacing("( \"login", with: "( \"enter"))
    }

    @Test func `a request moves into a folder and back, as deep as it has to be`() throws {
        let text = """
            turnstone: 1
            requests:
              f:
                requests:
                  x: { get: http://h/ }
              # about a
              a:
                post: http://h/
                body:
                  text: |
                    one
                      two

                    three
                headers:
                  # inside
                  x: 'y'
              z: { get: http://h/ }

            """
        let moved = """
            turnstone: 1
            requests:
              f:
                requests:
                  x: { get: http://h/ }
                  # about a
                  a:
                    post: http://h/
                    body:
                      text: |
                        one
                          two

                        three
                    headers:
                      # inside
                      x: 'y'
              z: { get: http://h/ }

            """
        #expect(try Self.after(text, .move("a", into: "f")) == moved)
        #expect(
            try Self.after(moved, .move("f/a", into: nil))
                == text.replacing("  z: { get: http://h/ }\n", with: "")
                .replacing("  # about a", with: "  z: { get: http://h/ }\n  # about a"))
    }

    @Test func `names follow a request into a folder`() throws {
        let text = """
            turnstone: 1
            requests:
              login: { get: http://h/ }
              a: { get: http://h/, needs: [login] }
              f:
                requests:
                  b: { get: http://h/, needs: [login] }

            """
        #expect(
            try Self.after(text, .move("login", into: "f")) == """
                turnstone: 1
                requests:
                  a: { get: http://h/, needs: [f/login] }
                  f:
                    requests:
                      b: { get: http://h/, needs: [login] }
                      login: { get: http://h/ }

                """)
    }

    @Test func `requests change places, and the blank lines stay`() throws {
        let text =
            "turnstone: 1\nrequests:\n  # one\n  a: { get: http://h/a }\n\n  b: { get: http://h/b } # two\n\n  c: { get: http://h/c }\n"
        #expect(
            try Self.after(text, .reorder("c", before: "a"))
                == "turnstone: 1\nrequests:\n  c: { get: http://h/c }\n\n  # one\n  a: { get: http://h/a }\n\n  b: { get: http://h/b } # two\n"
        )
        #expect(
            try Self.after(text, .reorder("a", before: nil))
                == "turnstone: 1\nrequests:\n  b: { get: http://h/b } # two\n\n  c: { get: http://h/c }\n\n  # one\n  a: { get: http://h/a }\n"
        )
        #expect(try Self.after(text, .reorder("a", before: "b")) == text)
    }

    @Test func `a byte order mark and CRLF stay`() throws {
        let text = "\u{FEFF}turnstone: 1\r\nrequests:\r\n  a: { get: http://h/ }\r\n"
        #expect(
            try Self.after(text, .duplicate("a", as: "b"))
                == "\u{FEFF}turnstone: 1\r\nrequests:\r\n  a: { get: http://h/ }\r\n  b: { get: http://h/ }\r\n")
    }

    @Test(arguments: [
        (
            "a: &x { get: http://h/ }\n  b: *x", CollectionEdit.remove("a"),
            "3:6: other places mean this by `*x`; write it out there first"
        ),
        (
            "a: &x { get: http://h/ }\n  b: *x", .duplicate("a", as: "c"),
            "3:6: a copy of the anchor `&x` would take its name from it; write out what `*x` stands for first"
        ),
        (
            "a: &x { get: http://h/ }\n  b: *x", .reorder("a", before: nil),
            "3:6: other places mean this by `*x`; write it out there first"
        ),
        (
            "f: &x { requests: { a: { get: http://h/ } } }\n  g: *x", .remove("g/a"),
            "4:6: this is `*x`, a copy of what has the anchor `&x`; edit it there, in the file"
        ),
        (
            "f: &x { requests: { a: { get: http://h/ } } }\n  g: *x", .remove("f/a"),
            "3:6: this has the anchor `&x`, and other places would change with it; edit it in the file"
        ),
        (
            "f: { requests: {\n    a: { get: http://h/ }, # one\n    b: { get: http://h/ } } }", .remove("f/a"),
            "3:18: these requests stand between brackets, where none can be put in or taken out; write them in lines first"
        ),
        (
            "? a\n  : { get: http://h/ }\n  b: { get: http://h/ }", .remove("b"),
            "3:5: this form of a key can't be edited in place; edit it in the file"
        ),
    ])
    func `what can't be changed in place says why`(requests: String, edit: CollectionEdit, sentence: String) throws {
        let directory = try TemporaryDirectory(["shop.yaml": "turnstone: 1\nrequests:\n  \(requests)\n"])
        let collection = try RequestCollection.load(path: directory.path("shop.yaml"))
        let error = #expect(throws: CollectionProblem.self) { try collection.applying(edit) }
        #expect(error?.description == "\(directory.path("shop.yaml")):\(sentence)")
    }

    @Test(arguments: [
        (CollectionEdit.remove("x"), "the collection has no `x`"),
        (.rename("login", to: "orders"), "there is a `orders` already; choose another name"),
        (.rename("login", to: "a/b"), "`a/b` can't be a name: a `/` separates the levels of the tree"),
        (.rename("login", to: ""), "a request or folder needs a name of one line"),
        (.move("orders", into: "orders"), "`orders` can't be moved into itself"),
        (.move("logout", into: "login"), "`login` is a request, not a folder"),
        (.reorder("login", before: "orders/list"), "`orders/list` isn't beside `login`; move `login` into its folder first"),
        (
            .addRequest("a", method: "A B", url: ""),
            "`A B` can't be a method; it takes letters, digits and !#$%&'*+-.^_`|~"
        ),
    ])
    func `what makes no sense says so`(edit: CollectionEdit, sentence: String) throws {
        let directory = try TemporaryDirectory(["shop.yaml": Self.shop])
        let collection = try RequestCollection.load(path: directory.path("shop.yaml"))
        let error = #expect(throws: CollectionProblem.self) { try collection.applying(edit) }
        #expect(error?.message == sentence)
    }

    @Test func `a request that others need leaves a remark when it goes`() throws {
        let directory = try TemporaryDirectory(["shop.yaml": Self.shop])
        let collection = try RequestCollection.load(path: directory.path("shop.yaml"))
        #expect(
            try collection.applying(.remove("login")).remarks.map(\.description) == [
                "\(directory.path("shop.yaml")):10:50: `login` is gone, and is named here"
            ])
    }
}

extension RequestID: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
