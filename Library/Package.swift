// swift-tools-version: 6.2
import PackageDescription

// The network layer on its own: the targets of ../Package.swift that a program needs to send requests, and nothing else to resolve.
// Sources and Tests are links to those of the repository; Tests/ArchitectureTests holds that both manifests say the same.

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
// Resolved only with the trait.
let withMetrics = TargetDependencyCondition.when(traits: ["Metrics"])
let withTracing = TargetDependencyCondition.when(traits: ["Tracing"])
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics", condition: withMetrics)
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing", condition: withTracing)

func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: name == "Base" ? dependencies : ["Base"] + dependencies, exclude: exclude, swiftSettings: settings
    )
}

let package = Package(
    name: "network-layer",
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
    ],
    traits: [
        .trait(name: "Metrics", description: "NetworkLayerMetrics, over swift-metrics."),
        .trait(name: "Tracing", description: "NetworkLayerTracing, over swift-distributed-tracing."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
    ],
    targets: [
        module("Base"),
        module("NetworkLayer", ["CLibcrypto", "CLibidn2", httpTypes, logging, deques, heaps], exclude: ["README.md"]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLibssl", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLibidn2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        module("CurlTransport", ["NetworkLayer", "CCurl", "CLibssl", "CZlib", httpTypes]),
        module("WebSockets", ["NetworkLayer", "CZlib", httpTypes]),
        module("MockTransport", ["NetworkLayer", "WebSockets", httpTypes]),
        module("NetworkMonitor", ["NetworkLayer", httpTypes]),
        module("NetworkLayerMetrics", ["NetworkLayer", httpTypes, metrics]),
        module("NetworkLayerTracing", ["NetworkLayer", httpTypes, tracing]),
        .target(
            name: "NetworkLayerTesting", dependencies: ["NetworkLayer", httpTypes], path: "Tests/NetworkLayerTesting",
            swiftSettings: settings),
    ]
)
