// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who only builds the program resolves what it is compared with. See `make bench`.
let package = Package(
    name: "turnstone-benchmarks",
    platforms: [.macOS(.v15)],
    traits: [
        .default(enabledTraits: ["Peers"]),
        .trait(
            name: "Peers",
            description: "AsyncHTTPClient, whose packages take nine tenths of the build. `make bench PEERS=no` goes without."),
    ],
    dependencies: [
        .package(name: "turnstone", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    ],
    targets: [
        .systemLibrary(name: "CBareCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CAllocationCount"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CAllocationCount",
                "CBareCurl",
                .product(name: "NetworkLayer", package: "turnstone"),
                .product(name: "CurlTransport", package: "turnstone"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Peers"])),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Peers"])),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ]
)
