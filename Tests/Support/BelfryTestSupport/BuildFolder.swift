import Foundation

/// Where the build has put the programs of this package: beside the test bundle.
package enum BuildFolder {
    package static let path: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
    }()
}
