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
        .library(name: "BelfryRecorder", targets: ["BelfryRecorder"]),
    ],
    targets: [
        .target(name: "BelfryRecurrence", swiftSettings: settings),
        .target(name: "Belfry", dependencies: ["BelfryRecurrence"], swiftSettings: settings),
        .target(
            name: "BelfryRecorder",
            dependencies: ["Belfry"],
            path: "Plugins/Recorder",
            swiftSettings: settings
        ),
        .testTarget(name: "BelfryRecorderTests", dependencies: ["Belfry", "BelfryRecorder"], swiftSettings: settings),
        .testTarget(name: "BelfryRecurrenceTests", dependencies: ["BelfryRecurrence"], swiftSettings: settings),
    ]
)
