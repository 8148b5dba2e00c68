// swift-tools-version: 6.2
import PackageDescription

let core = Target.Dependency.product(name: "Belfry", package: "Belfry")

let package = Package(
    name: "Reminders",
    dependencies: [.package(name: "Belfry", path: "../belfry")],
    targets: [
        .target(name: "RemindersKit", dependencies: [core]),
        .executableTarget(
            name: "Reminders",
            dependencies: [
                "RemindersKit", core,
                .product(name: "BelfryDesktop", package: "Belfry"),
                .product(name: "BelfrySQLite", package: "Belfry"),
            ]
        ),
        .testTarget(
            name: "RemindersTests",
            dependencies: [
                "RemindersKit", core,
                .product(name: "BelfryRecorder", package: "Belfry"),
                .product(name: "BelfryTesting", package: "Belfry"),
            ]
        ),
    ]
)
