// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Belfry",
    products: [
        .library(name: "Belfry", targets: ["Belfry"]),
        .library(name: "BelfryRecurrence", targets: ["BelfryRecurrence"]),
    ],
    targets: [
        .target(name: "BelfryRecurrence", swiftSettings: settings),
        .target(name: "Belfry", dependencies: ["BelfryRecurrence"], swiftSettings: settings),
        .testTarget(name: "BelfryRecurrenceTests", dependencies: ["BelfryRecurrence"], swiftSettings: settings),
    ]
)
