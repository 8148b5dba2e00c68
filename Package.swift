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
        .library(name: "BelfryTesting", targets: ["BelfryTesting"]),
    ],
    targets: [
        .target(name: "BelfryRecurrence", swiftSettings: settings),
        .target(name: "CLinuxClock", path: "CShims/CLinuxClock"),
        .target(name: "Belfry", dependencies: ["BelfryRecurrence", "CLinuxClock"], swiftSettings: settings),
        .target(
            name: "BelfryRecorder",
            dependencies: ["Belfry"],
            path: "Plugins/Recorder",
            swiftSettings: settings
        ),
        .target(name: "BelfryTesting", dependencies: ["Belfry", "BelfryRecurrence"], swiftSettings: settings),
        .testTarget(
            name: "BelfryTestingTests",
            dependencies: ["Belfry", "BelfryRecurrence", "BelfryRecorder", "BelfryTesting"],
            swiftSettings: settings
        ),
        .testTarget(name: "BelfryClockTests", dependencies: ["Belfry"], swiftSettings: settings),
        .testTarget(name: "BelfryRecorderTests", dependencies: ["Belfry", "BelfryRecorder"], swiftSettings: settings),
        .testTarget(name: "BelfryRecurrenceTests", dependencies: ["BelfryRecurrence"], swiftSettings: settings),
    ]
)
