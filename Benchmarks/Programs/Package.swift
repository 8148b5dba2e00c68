// swift-tools-version: 6.2
import PackageDescription

// Two programs as somebody else would write them, each of which shows one notice. `.ci/bench` builds them, with the
// options of the article "Installation", for what an app weighs, and how long it takes, with Belfry inside.
let package = Package(
    name: "Programs",
    dependencies: [.package(name: "Belfry", path: "../..")],
    targets: [
        .executableTarget(
            name: "CoreProgram",
            dependencies: [
                .product(name: "Belfry", package: "Belfry"),
                .product(name: "BelfryRecorder", package: "Belfry"),
            ]
        ),
        .executableTarget(
            name: "DesktopProgram",
            dependencies: [
                .product(name: "Belfry", package: "Belfry"),
                .product(name: "BelfryDesktop", package: "Belfry"),
            ]
        ),
    ]
)
