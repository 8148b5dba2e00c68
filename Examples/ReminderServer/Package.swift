// swift-tools-version: 6.2
import PackageDescription

// A package of its own: Hummingbird takes minutes to build, and the other examples don't need it. `make test-server`
// builds and tries it. A server of yours names Belfry's repository where this one names a folder.

let package = Package(
    name: "ReminderServer",
    products: [.executable(name: "reminder-server", targets: ["ReminderServer"])],
    dependencies: [
        .package(name: "Belfry", path: "../..", traits: ["ServiceLifecycle"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "ReminderServer",
            dependencies: [
                .product(name: "Belfry", package: "Belfry"),
                .product(name: "BelfryConsole", package: "Belfry"),
                .product(name: "BelfrySQLite", package: "Belfry"),
                .product(name: "BelfryService", package: "Belfry"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Server",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        )
    ]
)
