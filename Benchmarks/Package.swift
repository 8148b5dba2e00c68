// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who depends on Belfry fetches swift-collections or needs libical's headers. The
// pure Schedule, stores and clocks are not public: `.ci/bench` builds with `-enable-testing`, and the benchmarks import
// it `@testable`. No declaration of Belfry is wider because it is measured.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Benchmarks",
    dependencies: [
        // All of its traits, as `make test` builds it: with others it would compile Belfry again.
        .package(name: "Belfry", path: "..", traits: ["CommandLine", "ServiceLifecycle"]),
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibical",
            path: "CShims/CLibical",
            pkgConfig: "libical",
            providers: [.apt(["libical-dev"])]
        ),
        .systemLibrary(
            name: "CLibDBus",
            path: "CShims/CLibDBus",
            pkgConfig: "dbus-1",
            providers: [.apt(["libdbus-1-dev"])]
        ),
        .systemLibrary(
            name: "CNotify",
            path: "CShims/CNotify",
            pkgConfig: "libnotify",
            providers: [.apt(["libnotify-dev"])]
        ),
        .target(name: "CBenchmarkLoops", dependencies: ["CLibical"]),
        .target(name: "CBenchmarkBus", dependencies: ["CLibDBus", "CNotify"]),
        .target(
            name: "CPlaceTrees",
            // Without it, Boost checks its own assertions.
            cxxSettings: [.define("NDEBUG")]
        ),
        .executableTarget(name: "RunProgram"),
        .target(name: "CStoreLoops", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "BelfryBenchmarks",
            dependencies: [
                "CBenchmarkBus",
                "CBenchmarkLoops",
                "CPlaceTrees",
                "CStoreLoops",
                .product(name: "Belfry", package: "Belfry"),
                .product(name: "BelfryBus", package: "Belfry"),
                .product(name: "BelfryDBus", package: "Belfry"),
                .product(name: "BelfryRecurrence", package: "Belfry"),
                .product(name: "BelfrySQLite", package: "Belfry"),
                .product(name: "BelfryTesting", package: "Belfry"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),
    ],
    cxxLanguageStandard: .cxx17
)
