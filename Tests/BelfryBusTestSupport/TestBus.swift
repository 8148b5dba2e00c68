import BelfryBus
import Foundation

/// A bus of a test's own, which can be stopped, killed and started again at the same address.
///
/// Its limits are the strict ones that a bus has whose configuration is silent: 128 outstanding answers.
public final class TestBus: Sendable {
    public let address: String
    private let folder: String
    private let daemon: Daemon

    /// Where dbus-daemon stands; nil where it isn't installed.
    public static let program = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon", "/usr/local/bin/dbus-daemon"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// It starts services from that folder, if any, which get the given environment; from the machine's own folders never.
    public init(services: String? = nil, environment: [String: String]? = nil) async throws {
        folder = NSTemporaryDirectory() + "belfry-bus-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        address = "unix:path=\(folder)/bus"
        let configuration = Self.configuration(services: services)
        try configuration.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
        daemon = Daemon(environment)
        try await start()
    }

    deinit {
        daemon.end(SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    public func start() async throws {
        try await daemon.start(
            Self.program ?? "dbus-daemon",
            ["--config-file=\(folder)/bus.conf", "--address=\(address)", "--nofork", "--nopidfile", "--print-address"]
        )
    }

    /// The bus is gone without a farewell.
    public func kill() { daemon.end(SIGKILL) }
    /// The bus takes nothing and says nothing.
    public func freeze() { daemon.signal(SIGSTOP) }
    public func thaw() { daemon.signal(SIGCONT) }

    public func connection(_ configuration: BusConfiguration = .quick) async throws -> BusConnection {
        let connection = BusConnection(to: .address(address), configuration: configuration)
        try await connection.connect()
        return connection
    }

    private static func configuration(services: String?) -> String {
        """
        <busconfig>
          <type>session</type>
          \(services.map { "<servicedir>\($0)</servicedir>" } ?? "")
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
}

extension BusConfiguration {
    /// Seeks a lost bus at once and often.
    public static let quick = BusConfiguration(
        reconnection: BusReconnection(first: .milliseconds(5), longest: .milliseconds(20))
    )
}

/// A child process that says by its first line that it is ready.
///
/// `@unchecked Sendable`: `process` is touched under the lock only.
private final class Daemon: @unchecked Sendable {
    private let lock = NSLock()
    private var process: Foundation.Process?
    private let environment: [String: String]?

    init(_ environment: [String: String]?) { self.environment = environment }

    func start(_ program: String, _ arguments: [String]) async throws {
        let process = Foundation.Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        lock.withLock { self.process = process }
        let isReady = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: !output.fileHandleForReading.availableData.isEmpty)
            }
        }
        guard isReady else { throw BusError(.noBus, "dbus-daemon did not start.") }
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
