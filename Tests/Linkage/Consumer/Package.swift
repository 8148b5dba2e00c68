// swift-tools-version: 6.2
import PackageDescription

// An app as somebody else would write it, outside Belfry's tree, with the core and the recorder alone.
// Tests/Linkage/run copies it away and says where Belfry is.
let belfry = Context.environment["BELFRY_CHECKOUT"] ?? "../../.."

let package = Package(
    name: "Consumer",
    dependencies: [.package(name: "Belfry", path: belfry)],
    targets: [
        .executableTarget(
            name: "Consumer",
            dependencies: [
                .product(name: "Belfry", package: "Belfry"),
                .product(name: "BelfryRecorder", package: "Belfry"),
            ]
        )
    ]
)
