import BelfryBus
import Foundation
import Testing

/// A bus of a test's own, which can be stopped, killed and started again at the same address.
///
/// Its limits are the strict ones that a bus has whose configuration is silent: 128 outstanding answers.
final class TestBus: Sendable {
    let address: String
    private let folder: String
    private let daemon: Daemon

    /// Where dbus-daemon stands; nil where it isn't installed.
    static let program = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon", "/usr/local/bin/dbus-daemon"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    init() async throws {
        folder = NSTemporaryDirectory() + "belfry-bus-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        address = "unix:path=\(folder)/bus"
        try Self.configuration.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
        daemon = Daemon()
        try await start()
    }

    deinit {
        daemon.end(SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    func start() async throws {
        try await daemon.start(
            #require(Self.program),
            ["--config-file=\(folder)/bus.conf", "--address=\(address)", "--nofork", "--nopidfile", "--print-address"]
        )
    }

    /// The bus is gone without a farewell.
    func kill() { daemon.end(SIGKILL) }
    /// The bus takes nothing and says nothing.
    func freeze() { daemon.signal(SIGSTOP) }
    func thaw() { daemon.signal(SIGCONT) }

    func connection(_ configuration: BusConfiguration = .quick) async throws -> BusConnection {
        let connection = BusConnection(to: .address(address), configuration: configuration)
        try await connection.connect()
        return connection
    }

    private static let configuration = """
        <busconfig>
          <type>session</type>
          <listen>unix:tmpdir=/tmp</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
}

extension BusConfiguration {
    /// Seeks a lost bus at once and often.
    static let quick = BusConfiguration(
        reconnection: BusReconnection(first: .milliseconds(5), longest: .milliseconds(20))
    )
}

/// A child process that says by its first line that it is ready.
///
/// `@unchecked Sendable`: `process` is touched under the lock only.
private final class Daemon: @unchecked Sendable {
    private let lock = NSLock()
    private var process: Foundation.Process?

    func start(_ program: String, _ arguments: [String]) async throws {
        let process = Foundation.Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        lock.withLock { self.process = process }
        let isReady = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: !output.fileHandleForReading.availableData.isEmpty)
            }
        }
        try #require(isReady, "dbus-daemon did not start")
    }

    func signal(_ number: Int32) {
        lock.withLock { if let process, process.isRunning { kill(process.processIdentifier, number) } }
    }

    func end(_ number: Int32) {
        signal(number)
        signal(SIGCONT)
        let process = lock.withLock { self.process }
        process?.waitUntilExit()
    }
}

/// What a suite needs: `.enabled(if: hasDaemon, …)`.
let hasDaemon = TestBus.program != nil
let noDaemon: Comment = "dbus-daemon is not installed: apt-get install dbus-daemon"

/// The error that `body` throws.
func failure(
    _ location: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async throws -> BusError {
    var thrown: BusError?
    do { try await body() } catch let error as BusError { thrown = error }
    return try #require(thrown, "nothing was thrown", sourceLocation: location)
}

let peerName = "org.example.Peer"
let peerPath: BusObjectPath = "/org/example/Peer"

extension BusMethodCall {
    /// A call to the test's own peer.
    static func peer(
        _ method: String,
        _ arguments: [BusValue] = [],
        expects: BusSignature? = nil,
        timeLimit: Duration = .seconds(25)
    ) -> BusMethodCall {
        BusMethodCall(to: peerName, peerPath, peerName, method, arguments, expects: expects, timeLimit: timeLimit)
    }
}

/// A second connection with an object that echoes, fails, counts, and never answers.
func makePeer(_ bus: TestBus) async throws -> (BusConnection, BusSubscription) {
    let connection = try await bus.connection()
    let any = [BusArgument("value", "v")]
    let interface = BusInterface(
        peerName,
        methods: [
            BusMethod("Echo", takes: any, returns: any, atOnce: { $0.arguments }),
            BusMethod("EchoLater", takes: any, returns: any, later: { $0.arguments }),
            BusMethod("Fail", atOnce: { _ in throw BusError.answer("org.example.Error.Sad", "so sad") }),
            BusMethod(
                "Never",
                later: { _ in
                    for await _ in AsyncStream<Never>.makeStream().stream {}
                    throw CancellationError()
                }
            ),
        ]
    )
    let export = try await connection.export([interface], at: peerPath)
    try await connection.requestName(peerName)
    return (connection, export)
}
