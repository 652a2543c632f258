// swift-tools-version: 6.2
import PackageDescription

// One row per module, floor by floor: see "The map of the code" in README.md.
// Tests/ArchitectureTests holds the same table against every `import`.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let deques = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heaps = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let orderedCollections = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
// What only the program uses: who depends on the network layer alone need not resolve it (`traits: []`).
let program = TargetDependencyCondition.when(traits: ["Program"])
let flyingSocks = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox", condition: program)
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser", condition: program)
// What only one product of the library uses: whoever wants it says so (`traits: ["Metrics"]`). The default has both, to test them;
// `make build` goes without.
let withMetrics = TargetDependencyCondition.when(traits: ["Metrics"])
let withTracing = TargetDependencyCondition.when(traits: ["Tracing"])
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics", condition: withMetrics)
let metricsTesting = Target.Dependency.product(name: "MetricsTestKit", package: "swift-metrics", condition: withMetrics)
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing", condition: withTracing)
let spans = Target.Dependency.product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: withTracing)

func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: name == "Base" ? dependencies : ["Base"] + dependencies, exclude: exclude, resources: resources,
        swiftSettings: settings + (small.contains(name) ? [.unsafeFlags(["-Osize"], .when(configuration: .release))] : []))
}

// What waits for people or files is built to be small: a sixth less code, and a seventh less time to compile. What runs for each request
// is built to be fast. `make build` alone asks for it, since SwiftPM takes no package with such flags as a dependency.
let small: Set<String> =
    Context.environment["SMALL"] == nil ? [] : ["Interchange", "CommandLineInterface", "Explorer", "Presentation", "DemoServer"]

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: ["Base"] + dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
    name: "turnstone",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "NetworkLayer", targets: ["NetworkLayer"]),
        .library(name: "CurlTransport", targets: ["CurlTransport"]),
        .library(name: "MockTransport", targets: ["MockTransport"]),
        .library(name: "WebSockets", targets: ["WebSockets"]),
        .library(name: "NetworkMonitor", targets: ["NetworkMonitor"]),
        .library(name: "NetworkLayerTesting", targets: ["NetworkLayerTesting"]),
        .library(name: "NetworkLayerMetrics", targets: ["NetworkLayerMetrics"]),
        .library(name: "NetworkLayerTracing", targets: ["NetworkLayerTracing"]),
        .executable(name: "turnstone", targets: ["turnstone"]),
    ],
    traits: [
        .default(enabledTraits: ["Program", "Metrics", "Tracing"]),
        .trait(name: "Program", description: "The program, and what only it resolves; without it, the network layer."),
        .trait(name: "Metrics", description: "NetworkLayerMetrics, over swift-metrics."),
        .trait(name: "Tracing", description: "NetworkLayerTracing, over swift-distributed-tracing."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    ],
    targets: [
        // Floor 0
        module("Base"),
        module("NetworkLayer", ["CLibcrypto", "CLibidn2", httpTypes, logging, deques, heaps], exclude: ["README.md"]),
        module("TerminalUI"),
        // Without Base: it parses bytes, and needs nothing else.
        .target(name: "GraphQLLanguage", swiftSettings: settings),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLibssl", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLibidn2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CJQ", providers: [.apt(["libjq-dev"])]),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CPCRE2", providers: [.apt(["libpcre2-dev"])]),
        // Loads libxml2, libjq and PCRE2 when they are called first.
        .target(name: "CLate", dependencies: ["CJQ", "CPCRE2", "CXML2"]),
        module("Zlib", ["CZlib"]),
        // Floor 1
        module(
            "DemoServer", ["GraphQLLanguage", "CLibcrypto", "CLibssl", "Zlib", flyingSocks],
            resources: ["authority", "expired", "good", "other_host", "self_signed"].map {
                .embedInCode("Certificates/\($0).pem")
            }),
        module("CurlTransport", ["NetworkLayer", "CCurl", "CLibssl", "CZlib", httpTypes]),
        module("WebSockets", ["NetworkLayer", "CZlib", httpTypes]),
        module("NetworkMonitor", ["NetworkLayer", httpTypes]),
        module("NetworkLayerMetrics", ["NetworkLayer", httpTypes, metrics]),
        module("NetworkLayerTracing", ["NetworkLayer", httpTypes, tracing]),
        module("NcursesTerminal", ["TerminalUI", "CNcurses"]),
        module(
            "RequestCollections",
            ["GraphQLLanguage", "NetworkLayer", "CLate", "CLibYAML", "CPCRE2", "Zlib", httpTypes, orderedCollections]),
        // Floor 2
        module("MockTransport", ["NetworkLayer", "WebSockets", httpTypes]),
        module("History", ["NetworkLayer", "RequestCollections", "CSQLite", httpTypes]),
        module("Presentation", ["NetworkLayer", "TerminalUI", "RequestCollections", httpTypes]),
        module(
            "Interchange", ["NetworkLayer", "RequestCollections", httpTypes, orderedCollections],
            resources: [.embedInCode("Locust/locust_runtime.py")]),
        // Floor 3
        module(
            "CollectionRunner",
            ["NetworkLayer", "WebSockets", "MockTransport", "RequestCollections", "History", "CJQ", "CXML2", "CLate", httpTypes]),
        // Floor 4
        module(
            "CommandLineInterface",
            [
                "NetworkLayer", "CurlTransport", "MockTransport", "WebSockets", "DemoServer", "RequestCollections", "Presentation",
                "History", "Interchange", "CollectionRunner", "TerminalUI", httpTypes, argumentParser,
            ]),
        // Floor 5
        module(
            "Explorer",
            [
                "GraphQLLanguage", "Presentation", "CollectionRunner", "History", "Interchange", "MockTransport", "NetworkLayer",
                "TerminalUI",
                "RequestCollections", httpTypes, orderedCollections,
            ]),
        // Floor 6
        .executableTarget(
            name: "turnstone",
            dependencies: [
                "Base",
                "CollectionRunner", "CommandLineInterface", "Explorer", "NcursesTerminal", "CurlTransport",
                "DemoServer", "History",
                "MockTransport", "NetworkMonitor", "NetworkLayer", "RequestCollections", "Presentation",
            ],
            resources: [.embedInCode("Resources/share.pack")],
            swiftSettings: settings),

        // Doubles and servers that tests of several modules share.
        .target(
            name: "NetworkLayerTesting", dependencies: ["NetworkLayer", httpTypes], path: "Tests/NetworkLayerTesting",
            swiftSettings: settings),
        .target(name: "TerminalTesting", dependencies: ["TerminalUI"], path: "Tests/TerminalTesting", swiftSettings: settings),
        .target(name: "ServerTesting", path: "Tests/ServerTesting", swiftSettings: settings),
        .target(name: "SchemaTesting", dependencies: ["RequestCollections"], path: "Tests/SchemaTesting", swiftSettings: settings),

        tests("ArchitectureTests"),
        tests("NetworkLayerTests", ["NetworkLayer", "NetworkLayerTesting", httpTypes, heaps, logging]),
        // The code of the catalogue's articles, and the program of the library's README.
        tests(
            "NetworkLayerExamples",
            [
                "NetworkLayer", "NetworkLayerTesting", "NetworkLayerMetrics", "NetworkLayerTracing", "CurlTransport",
                "MockTransport",
                "NetworkMonitor", "ServerTesting", "retry-example", httpTypes, logging,
            ]),
        .executableTarget(
            name: "retry-example", dependencies: ["NetworkLayer", "CurlTransport", httpTypes], path: "Tests/NetworkLayerProgram",
            swiftSettings: settings),
        .target(name: "CStormSupport", path: "Tests/NetworkLayerStormSupport"),
        // For `make sanitize`, and the memory of very many operations.
        .executableTarget(
            name: "network-storm",
            dependencies: [
                "NetworkLayer", "NetworkLayerTesting", "CurlTransport", "MockTransport", "DemoServer", "ServerTesting",
                "CStormSupport", httpTypes,
            ],
            path: "Tests/NetworkLayerStorm", exclude: ["sanitizer-suppressions.txt"], swiftSettings: settings),
        // Saves edits of one file, many at once.
        .executableTarget(
            name: "collection-writers", dependencies: ["RequestCollections"], path: "Tests/CollectionWriters",
            swiftSettings: settings),
        // For `make torture`.
        .executableTarget(
            name: "torture",
            dependencies: [
                "CurlTransport", "Explorer", "NetworkLayer", "NetworkLayerTesting", "ServerTesting",
                "TerminalTesting",
                "TerminalUI", httpTypes,
            ],
            path: "Tests/Torture", exclude: ["Server"], swiftSettings: settings),
        tests("GraphQLLanguageTests", ["GraphQLLanguage"], exclude: ["Corpus"]),
        tests("TerminalUITests", ["TerminalUI", "TerminalTesting", "NetworkLayerTesting"]),
        tests(
            "DemoServerTests",
            ["DemoServer", "GraphQLLanguage", "RequestCollections", "CurlTransport", "NetworkLayer", "Zlib", httpTypes]),
        tests(
            "CurlTransportTests",
            [
                "CCurl", "CurlTransport", "NetworkLayer", "NetworkLayerTesting", "ServerTesting", "DemoServer",
                "network-storm", httpTypes,
            ]),
        tests("MockTransportTests", ["MockTransport", "NetworkLayer", "NetworkLayerTesting", httpTypes]),
        tests(
            "WebSocketsTests",
            [
                "WebSockets", "CurlTransport", "MockTransport", "NetworkLayer", "NetworkLayerTesting", "ServerTesting", "Zlib",
                httpTypes,
            ]),
        tests("NetworkMonitorTests", ["NetworkMonitor", "NetworkLayer", "NetworkLayerTesting", httpTypes]),
        tests(
            "NetworkLayerMetricsTests",
            ["NetworkLayerMetrics", "NetworkLayer", "NetworkLayerTesting", httpTypes, metrics, metricsTesting]),
        tests(
            "NetworkLayerTracingTests",
            ["NetworkLayerTracing", "NetworkLayer", "NetworkLayerTesting", httpTypes, tracing, spans]),
        tests("NcursesTerminalTests", ["NcursesTerminal", "TerminalUI", "TerminalTesting", "NetworkLayerTesting"]),
        tests(
            "RequestCollectionsTests",
            [
                "RequestCollections", "NetworkLayer", "NetworkLayerTesting", "SchemaTesting", "collection-writers",
                httpTypes, orderedCollections,
            ]),
        tests(
            "PresentationTests",
            ["NetworkLayerTesting", "Presentation", "NetworkLayer", "RequestCollections", "TerminalUI", httpTypes]),
        tests("HistoryTests", ["History", "NetworkLayer", "NetworkLayerTesting", "RequestCollections", httpTypes]),
        tests(
            "InterchangeTests",
            [
                "Interchange", "NetworkLayer", "NetworkLayerTesting", "RequestCollections", "SchemaTesting", "ServerTesting",
                httpTypes,
            ],
            exclude: ["HAR/har-1.2.schema.json"]),
        tests(
            "CollectionRunnerTests",
            [
                "CollectionRunner", "History", "MockTransport", "NetworkLayer", "NetworkLayerTesting", "RequestCollections",
                "ServerTesting", "WebSockets", httpTypes,
            ]),
        tests(
            "CommandLineInterfaceTests",
            [
                "CommandLineInterface", "CollectionRunner", "CurlTransport", "DemoServer", "Interchange", "NetworkLayer",
                "NetworkLayerTesting", "RequestCollections", "SchemaTesting", "ServerTesting", "TerminalTesting", "TerminalUI",
                argumentParser, httpTypes,
            ],
            exclude: ["Conformance/curl.table"]),
        tests(
            "ExplorerTests",
            [
                "Explorer", "GraphQLLanguage", "CollectionRunner", "History", "Interchange", "MockTransport", "NetworkLayer",
                "NetworkLayerTesting",
                "Presentation", "RequestCollections", "TerminalUI", "TerminalTesting", httpTypes, orderedCollections,
            ],
            exclude: ["Expected"]),
        // Over what the fuzzer starts from and has found.
        tests(
            "FuzzingTests",
            [
                "CurlTransport", "Interchange", "NcursesTerminal", "NetworkLayer", "Presentation", "RequestCollections",
                "TerminalUI", httpTypes, orderedCollections,
            ], exclude: ["main.swift", "Corpus"]),
        // The real program in a pseudo-terminal against real servers.
        tests(
            "TurnstoneTests", ["TerminalUI", "TerminalTesting", "NetworkLayerTesting", "ServerTesting", "DemoServer", "turnstone"]),
    ]
)

// `make fuzz` builds the same code into a program that libFuzzer drives.
if Context.environment["FUZZ"] != nil, let index = package.targets.firstIndex(where: { $0.name == "FuzzingTests" }) {
    let (program, tests) = ("fuzz", package.targets[index])
    package.targets[index] = .executableTarget(
        name: program, dependencies: tests.dependencies, path: "Tests/FuzzingTests", exclude: ["CorpusTests.swift", "Corpus"],
        swiftSettings: settings)
}

// Only the tests named: `TESTS=HistoryTests,PresentationTests swift test` neither builds nor runs others.
if let named = Context.environment["TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !named.contains($0.name) }
}

// `make test` compiles each module of tests as a whole: file by file takes two thirds more of a processor's time, and nobody waits for one.
if Context.environment["WHOLE_TESTS"] != nil {
    for target in package.targets where target.type == .test {
        target.swiftSettings?.append(
            .unsafeFlags([
                "-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "2", "-disable-batch-mode",
            ]))
    }
}
