public import Foundation

/// The private desktop that `.ci/desktop` made: its tools end when the thing is done, so that no test sleeps.
public enum Desktop {
    public static let isThere = ProcessInfo.processInfo.environment["BELFRY_TEST_DESKTOP"] == "1"
    public static let reason = "no private desktop: run the tests with make test, or in .ci/desktop"

    /// The folder of the tools.
    public static var tools: String { ProcessInfo.processInfo.environment["BELFRY_TEST_DESKTOP_DIR"] ?? "" }

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
        public init(description: String) { self.description = description }
    }

    /// Runs a tool and answers what it printed. Off Swift's pool: tools wait for the desktop.
    @discardableResult
    public static func tool(_ name: String, _ arguments: String..., environment: [String: String] = [:]) async throws
        -> String
    {
        guard let folder = ProcessInfo.processInfo.environment["BELFRY_TEST_DESKTOP_DIR"] else {
            throw Failure(description: reason)
        }
        return try await run("\(folder)/\(name)", arguments, environment: environment)
    }

    /// Whether the desktop's server has a place for what the tool `hand` does: `press`, `open` or `close`.
    static func canHand(_ deed: String) async -> Bool { (try? await tool("hand", "can", deed)) != nil }

    public static func run(_ path: String, _ arguments: [String], environment: [String: String] = [:]) async throws
        -> String
    {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try wait(path, arguments, environment) })
            }
        }
    }

    private static func wait(_ path: String, _ arguments: [String], _ environment: [String: String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        // Threads of Dispatch block signals, and a child inherits that: a server started so could not be ended.
        var none = sigset_t()
        var old = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &old)
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        try process.run()
        let printed = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description:
                    "\(path) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus): \(printed)"
            )
        }
        return printed
    }

    /// A picture of the screen, as the bytes of its PNG file without the chunks that carry a date.
    public static func picture(_ name: String) async throws -> URL {
        let folder = ProcessInfo.processInfo.environment["BELFRY_TEST_DESKTOP_STATE"] ?? "/tmp"
        let url = URL(fileURLWithPath: folder).appendingPathComponent("\(name).png")
        try await tool("screenshot", url.path)
        return url
    }

    /// Looks at the screen until it differs from `before` by more than `pixels`, or by none at all where that is 0;
    /// each look is a picture taken. False after a minute.
    public static func screen(_ name: String, differsFrom before: URL, by pixels: Int) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let difference = try await differentPixels(before, picture(name))
            if pixels == 0 ? difference == 0 : difference > pixels { return true }
        }
        return false
    }

    /// How many pixels differ between two pictures.
    public static func differentPixels(_ first: URL, _ second: URL) async throws -> Int {
        // compare ends with 1 where the pictures differ, and prints the number either way.
        let printed = try await run(
            "/bin/sh",
            ["-c", "compare -metric AE \"$0\" \"$1\" null: 2>&1 || test $? -eq 1", first.path, second.path]
        )
        return try count(printedByImageMagick: printed)
    }

    /// Runs ImageMagick's `convert` and returns what it printed.
    ///
    /// ImageMagick 7 calls the program `magick` and prints a warning under its old name.
    @discardableResult
    static func convertPicture(_ arguments: [String]) async throws -> String {
        let script = #"program=$(command -v magick || command -v convert) && exec "$program" "$@""#
        return try await run("/bin/sh", ["-c", script, "sh"] + arguments)
    }

    /// A count of pixels: ImageMagick 6 prints the number alone, ImageMagick 7 adds the share of all: `42 (0.01)`.
    ///
    /// Since 7.1.2 a pixel that differs a little counts for less than one. A part of a pixel is rounded up, since it is
    /// a difference.
    static func count(printedByImageMagick printed: String) throws -> Int {
        let words = printed.split(whereSeparator: \.isWhitespace)
        guard let first = words.first, let number = Double(first), words.count == 1 || words[1].hasPrefix("(") else {
            throw Failure(description: "ImageMagick printed '\(printed)' instead of a number of pixels")
        }
        return Int(number.rounded(.up))
    }
}
