/// What stands around requests: the collection, folders, defaults, variables.
extension FormatTable {
    static let collection = FormatTable(
        "a collection",
        [
            FormatKey("turnstone", .integer, "The version of the format: 1."),
            FormatKey("name", .prose, "What the tree shows."),
            FormatKey("description", .prose, "Shown beside it."),
            FormatKey("variables", variables, "Values for templates, by name."),
            FormatKey("environments", .named(.either([environment, .oneOf(["null"])])), "Named variables over the collection's."),
            FormatKey("defaults", .keys(defaults), "Merged into everything below; nearer wins, null removes."),
        ] + steps(of: "the collection") + [
            FormatKey("requests", .nodes, "Requests and folders, by name, in the order in which they are shown.")
        ])

    /// `_collection.yaml`: the requests are in files of their own.
    static let collectionFile = FormatTable("_collection.yaml", collection.keys.filter { $0.name != "requests" } + [order])

    static let folder = FormatTable(
        "a folder",
        [
            FormatKey("name", .prose, "What the tree shows instead of the key."),
            FormatKey("description", .prose, "Shown beside it."),
            FormatKey("variables", variables, "Values for templates of all that is in it; the nearest of a name counts."),
            FormatKey("defaults", .keys(defaults), "Merged into everything below; nearer wins, null removes."),
            FormatKey("when", .conditions, when("All that is in it is sent")),
            FormatKey("for-each", .loop(folderLoop), forEach("All that is in it is sent")),
        ] + steps(of: "the folder") + [
            FormatKey("requests", .nodes, "Requests and folders, by name, in the order in which they are shown.")
        ])

    /// `_folder.yaml`: the requests are in files of their own.
    static let folderFile = FormatTable("_folder.yaml", folder.keys.filter { $0.name != "requests" } + [order])

    /// Files have no order of their own.
    private static let order = FormatKey(
        "order", .list(.text),
        "The requests and folders beside this file that come first, by name; the others follow by their names.")

    static let defaults = FormatTable(
        "defaults",
        [
            FormatKey("query", .rows, "Parameters of every request below."),
            FormatKey("headers", .rows, "Header fields of every request below."),
            FormatKey("cookies", .rows, "Cookies of every request below."),
            FormatKey("auth", auth, "How every request below shows who sends it."),
        ] + settings)

    static let variables = FormatShape.variables(.anything)
    /// `extends` is the one name in an environment that isn't a variable.
    static let environment = FormatShape.variables(.anything)

    static let secret = FormatTable(
        "a secret",
        [
            FormatKey("secret", .keys(secretSource), "Where the value comes from."),
            FormatKey(
                "for", .either([.prose, .list(.prose)]),
                "Where it may go: origins such as https://api.example.com or https://*.example.com; "
                    + "unless given, that of each request that uses it."),
        ])

    static let secretSource = FormatTable(
        "secret",
        [
            FormatKey("env", .environmentVariable, "An environment variable."),
            FormatKey(
                "command", .list(.text),
                "A command that prints it, and its arguments; run once a session, and again after a 401 when its answer is a minute old."
            ),
            FormatKey("file", .text, "A file that holds it."),
            FormatKey("prompt", .text, "What to ask a person; asked once a session."),
        ])
}
