import Foundation
import OrderedCollections
import Testing

@testable import RequestCollections

@Suite struct `Saving a variable` {
    private func after(_ text: String, _ name: String, _ value: String, in environment: String?) throws -> String {
        let directory = try TemporaryDirectory(["shop.yaml": text])
        let collection = try RequestCollection.load(path: directory.path("shop.yaml"))
        let change = try collection.applying(collection.setting(name, to: value, in: environment))
        try change.write()
        let found =
            environment.map { change.collection.environments[$0]?.variables ?? [] } ?? change.collection.variables
        #expect(found.first { $0.name == name }?.value == .text(value))
        try CollectionChange.write(change.undoing)
        #expect(try directory.read("shop.yaml") == text)
        return String(decoding: change.files.first?.after ?? [], as: UTF8.self)
    }

    private let requests = "requests:\n  a:\n    get: http://a/  # stays\n"

    @Test func `adds it behind those that are there, and every other byte stays`() throws {
        let head = "turnstone: 1\nvariables:\n  host: http://h  # here\n"
        #expect(try after(head + requests, "key", "42", in: nil) == head + "  key: \"42\"\n" + requests)
    }

    @Test func `adds it to its environment, and makes an environment that isn't there`() throws {
        let text = "turnstone: 1\nenvironments:\n  dev:\n    host: http://d\n  prod: { host: http://p }\n" + requests
        #expect(
            try after(text, "key", "a b", in: "dev")
                == "turnstone: 1\nenvironments:\n  dev:\n    host: http://d\n    key: a b\n  prod: { host: http://p }\n" + requests)
        #expect(
            try after(text, "key", "a b", in: "prod")
                == "turnstone: 1\nenvironments:\n  dev:\n    host: http://d\n  prod: { host: http://p, key: a b }\n" + requests)
        #expect(try after("turnstone: 1\n" + requests, "key", "x", in: "dev").contains("environments:\n  dev: { key: x }\n"))
    }

    @Test func `changes one that is there`() throws {
        let text = "turnstone: 1\nvariables: { key: old, host: h }\n" + requests
        #expect(try after(text, "key", "new", in: nil) == "turnstone: 1\nvariables: { key: new, host: h }\n" + requests)
    }

    @Test func `stands in the file of a directory that has the environments`() throws {
        let directory = try TemporaryDirectory(["_collection.yaml": "turnstone: 1\n", "a.yaml": "get: http://a/{{key}}\n"])
        let collection = try RequestCollection.load(path: directory.path)
        let change = try collection.applying(collection.setting("key", to: "1", in: nil))
        try change.write()
        #expect(try directory.read("_collection.yaml") == "turnstone: 1\nvariables:\n  key: \"1\"\n")
        #expect(change.collection.others(than: nil) == (try RequestCollection.load(path: directory.path)).others(than: nil))
    }

    @Test func `a value that another program has written since this one was shown is not written over`() throws {
        let directory = try TemporaryDirectory(["shop.yaml": "turnstone: 1\nvariables: { key: old }\n" + requests])
        let shown = try RequestCollection.load(path: directory.path("shop.yaml"))
        try directory.write("turnstone: 1\nvariables: { key: theirs }\n" + requests, to: "shop.yaml")
        let onDisk = try RequestCollection.load(path: directory.path("shop.yaml"))
        #expect(throws: CollectionProblem.self) { try onDisk.applying(shown.setting("key", to: "mine", in: nil)) }
    }

    @Test func `a file that others have changed is left as it is`() throws {
        let directory = try TemporaryDirectory(["shop.yaml": "turnstone: 1\n" + requests])
        let collection = try RequestCollection.load(path: directory.path("shop.yaml"))
        try directory.write("turnstone: 1\n# theirs\n" + requests, to: "shop.yaml")
        #expect(throws: CollectionFileError.self) { try collection.applying(collection.setting("key", to: "1", in: nil)) }
    }
}

@Suite struct `Editing variables and environments` {
    private let text =
        "turnstone: 1\nvariables:\n  host: http://h  # here\n  key: { secret: { env: KEY } }\nenvironments:\n  dev: { host: http://d }\n"
        + "  prod:\n    extends: dev\n    host: http://p\nrequests:\n  a:\n    get: http://a/  # stays\n"

    /// The file after an edit; the disk is as it was before after undoing it.
    private func after(_ text: String, _ edit: (RequestCollection) throws -> VariableEdit) throws -> String {
        let directory = try TemporaryDirectory(["shop.yaml": text])
        let collection = try RequestCollection.load(path: directory.path("shop.yaml"))
        let change = try collection.applying(edit(collection))
        try change.write()
        let written = try directory.read("shop.yaml")
        #expect(
            try RequestCollection.load(path: directory.path("shop.yaml")).others(than: nil) == change.collection.others(than: nil))
        try CollectionChange.write(change.undoing)
        #expect(try directory.read("shop.yaml") == text)
        return written
    }

    private func variable(_ name: String, _ value: VariableDefinition.Value) -> VariableDefinition {
        VariableDefinition(name: name, value: value, location: .none)
    }

    @Test func `renames a variable, changes its value, and turns a text into a secret`() throws {
        let renamed = try after(text) { .variable(base: $0.variables[0], edited: variable("base", .text("http://h")), in: nil) }
        #expect(renamed == text.replacing("  host: http://h  # here", with: "  base: http://h  # here"))
        let secret = try after(text) {
            .variable(
                base: $0.environments["prod"]!.variables[0], edited: variable("host", .secret(.environment("HOST"))), in: "prod")
        }
        #expect(secret == text.replacing("    host: http://p", with: "    host: { secret: { env: HOST } }"))
    }

    @Test func `takes variables away, the last one with its heading`() throws {
        let one = try after(text) { .variable(base: $0.variables[0], edited: nil, in: nil) }
        #expect(one == text.replacing("  host: http://h  # here\n", with: ""))
        let single = "turnstone: 1\nvariables:\n  a: b\nrequests:\n  a:\n    get: http://a/\n"
        let none = try after(single) { .variable(base: $0.variables[0], edited: nil, in: nil) }
        #expect(none == "turnstone: 1\nrequests:\n  a:\n    get: http://a/\n")
        let empty = try after(text) { .variable(base: $0.environments["dev"]!.variables[0], edited: nil, in: "dev") }
        #expect(empty == text.replacing("dev: { host: http://d }", with: "dev: {}"))
    }

    @Test func `adds, renames and removes environments, with what they extend`() throws {
        let added = try after(text) { _ in
            .environment(base: nil, edited: EnvironmentDefinition(name: "stage", extends: "dev", location: .none))
        }
        #expect(added == text.replacing("    host: http://p\n", with: "    host: http://p\n  stage: { extends: dev }\n"))
        let renamed = try after(text) {
            .environment(base: $0.environments["prod"], edited: EnvironmentDefinition(name: "live", location: .none))
        }
        #expect(renamed == text.replacing("  prod:\n    extends: dev\n", with: "  live:\n"))
        let removed = try after(text) { .environment(base: $0.environments["prod"], edited: nil) }
        #expect(removed == text.replacing("  prod:\n    extends: dev\n    host: http://p\n", with: ""))
    }

    @Test func `refuses what can't be, and what others have changed meanwhile`() throws {
        let directory = try TemporaryDirectory(["shop.yaml": text])
        let collection = try RequestCollection.load(path: directory.path("shop.yaml"))
        let host = collection.variables[0]
        let theirs = variable("host", .text("http://theirs"))
        let refused: [VariableEdit] = [
            .variable(base: theirs, edited: variable("host", .text("mine")), in: nil),
            .variable(base: theirs, edited: nil, in: nil),
            .variable(base: nil, edited: variable("host", .text("mine")), in: nil),
            .variable(base: host, edited: variable("key", .text("x")), in: nil),
            .variable(base: nil, edited: variable("a b", .text("x")), in: nil),
            .variable(base: nil, edited: variable("extends", .text("x")), in: "dev"),
            .environment(base: nil, edited: EnvironmentDefinition(name: "dev", location: .none)),
            .environment(base: nil, edited: EnvironmentDefinition(name: "x", extends: "nobody", location: .none)),
            .environment(
                base: collection.environments["dev"], edited: EnvironmentDefinition(name: "dev", extends: "prod", location: .none)),
            .environment(base: collection.environments["dev"], edited: nil),
        ]
        for edit in refused { #expect(throws: CollectionProblem.self, "\(edit)") { try collection.applying(edit) } }
        // What is there already as it is wanted changes nothing.
        #expect(try collection.applying(.variable(base: theirs, edited: host, in: nil)).steps.isEmpty)
    }
}

@Suite struct `Saving a mock` {
    @Test func `is made, changed where it differs, and taken away`() throws {
        let get = "    get: http://a/\n"
        let made = try SavingTests.lines(get) {
            var mock = MockDefinition(location: .none)
            mock.status = 503
            mock.delay = .milliseconds(10) ... .milliseconds(20)
            $0.mock = mock
        }
        #expect(made == get + "    mock: { status: 503, delay: 10ms..20ms }\n")
        let changed = try SavingTests.lines(get + "    mock:\n      status: 503  # busy\n      body: { a: 1 }\n") {
            $0.mock?.error = .timeout
        }
        #expect(changed == get + "    mock:\n      status: 503  # busy\n      body: { a: 1 }\n      error: timeout\n")
        #expect(try SavingTests.lines(made) { $0.mock = nil } == get)
    }
}

@Suite struct `Saving how it is tried again` {
    @Test func `changes what differs, and keeps the rest of the map`() throws {
        let before = "    get: http://a/\n    retry: { attempts: 3, on: [503, timeout] }  # patience\n"
        let after = try SavingTests.lines(before) {
            $0.settings.retry.attempts = 5
            $0.settings.retry.first = .milliseconds(200)
        }
        #expect(
            after == "    get: http://a/\n    retry: { attempts: 5, on: [503, timeout], backoff: { first: 200ms } }  # patience\n")
    }

    @Test func `is made, turned off, and taken away`() throws {
        let get = "    get: http://a/\n"
        let made = try SavingTests.lines(get) {
            $0.settings.retry.isOn = true
            $0.settings.retry.attempts = 4
            $0.settings.retry.conditions = ["503"]
        }
        #expect(made == get + "    retry: { attempts: 4, on: [503] }\n")
        #expect(
            try SavingTests.lines(made) {
                $0.settings.retry = .init(); $0.settings.retry.isOn = false
            } == get + "    retry: none\n")
        #expect(try SavingTests.lines(made) { $0.settings.retry = .init() } == get)
    }
}

@Suite struct `Saving authentication` {
    @Test func `of OAuth 2 changes what differs`() throws {
        let before =
            "    get: http://a/\n    auth:\n      oauth2:\n        token-url: https://t/  # ours\n        client-id: ada\n        client-secret: s\n"
        let after = try SavingTests.lines(before) {
            guard case .oauth2(var oauth2) = $0.auth else { return }
            oauth2.clientID = "bob"
            oauth2.scope = "read"
            $0.auth = .oauth2(oauth2)
        }
        #expect(
            after
                == "    get: http://a/\n    auth:\n      oauth2:\n        token-url: https://t/  # ours\n        client-id: bob\n        client-secret: s\n        scope: read\n"
        )
    }

    @Test(arguments: [
        AuthDefinition.apiKey(APIKeyDefinition(name: "k", value: "{{key}}", place: .query)),
        .awsSigV4(AWSSigV4Definition(accessKey: "a", secretKey: "{{s}}", region: "eu-central-1")), .negotiate, .netrc(path: nil),
        .netrc(path: "n"), .ntlm(user: "u", password: "{{p}}"),
        .oauth2(OAuth2Definition(grant: .deviceCode(deviceURL: "https://d/"), tokenURL: "https://t/", clientID: "c")),
    ])
    func `of any kind takes the place of another one`(auth: AuthDefinition) throws {
        for before in ["", "    auth: none\n", "    auth: { basic: { user: a, password: b } }\n", "    auth:\n      bearer: x\n"] {
            _ = try SavingTests.lines("    get: http://a/\n" + before) { $0.auth = auth }
        }
    }
}
