import BelfryTestSupport
import Foundation

/// A desktop for one test alone, beside the one that `make test` gives to all.
enum PrivateDesktop {
    static let isThere = ProcessInfo.processInfo.environment["BELFRY_TEST_DESKTOP"] == "1"

    /// Runs a shell script on a new desktop, with `belfry` and the desktop's tools at hand.
    static func run(_ script: String) async throws -> BuiltProgram.Outcome {
        let folder = try TemporaryFolder()
        let file = try folder.writeScript(
            "script",
            "belfry='\(BuiltProgram.path)'; PATH=\"$BELFRY_TEST_DESKTOP_DIR:$PATH\"\n\(script)"
        )
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        // The shared desktop's variables would make the new one think that it runs inside.
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("BELFRY_TEST_DESKTOP") }
        return try await BuiltProgram.run(root.path + "/.ci/desktop", [file], [], environment, 60)
    }
}
