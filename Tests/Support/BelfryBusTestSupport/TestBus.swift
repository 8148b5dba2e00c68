public import BelfryBus
import Foundation

/// A bus of a test's own, which can be stopped, killed and started again at the same address.
///
/// Its limits are the strict ones that a bus has whose configuration is silent: 128 outstanding answers.
public final class TestBus: Sendable {
    public let address: String
    private let folder: String
    private let services: String?
    private let passesDescriptors: Bool
    private let daemon: Daemon

    /// Where dbus-daemon stands; nil where it isn't installed.
    public static let program = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon", "/usr/local/bin/dbus-daemon"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// It starts services from that folder, if any, which get the given environment; from the machine's own folders
    /// never. `limits` are the configuration's, by name (dbus-daemon(1)). A bus that passes no descriptors is one over
    /// TCP.
    public init(
        services: String? = nil,
        environment: [String: String]? = nil,
        limits: [String: Int] = [:],
        passesDescriptors: Bool = true
    ) async throws {
        self.services = services
        self.passesDescriptors = passesDescriptors
        folder = NSTemporaryDirectory() + "belfry-bus-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        address =
            passesDescriptors
            ? "unix:path=\(folder)/bus" : "tcp:host=127.0.0.1,family=ipv4,port=\(try Self.freePort())"
        daemon = Daemon(environment)
        try setLimits(limits)
        try await start()
    }

    /// From the next start on, or from the next `ReloadConfig`. The methods are those of the bus itself that it denies
    /// to everybody.
    public func setLimits(_ limits: [String: Int], denying methods: [String] = []) throws {
        let configuration = configuration(limits, denying: methods)
        try configuration.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
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

    /// One that nobody listened at a moment ago.
    private static func freePort() throws -> UInt16 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw BusError(.noBus, "No port is free for the test's bus.") }
        return UInt16(bigEndian: name.sin_port)
    }

    private func configuration(_ limits: [String: Int], denying methods: [String]) -> String {
        """
        <busconfig>
          <type>session</type>
          \(services.map { "<servicedir>\($0)</servicedir>" } ?? "")
          <listen>unix:tmpdir=/tmp</listen>
          \(passesDescriptors ? "<auth>EXTERNAL</auth>" : "<auth>ANONYMOUS</auth><allow_anonymous/>")
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
            \(methods.map { "<deny send_interface=\"org.freedesktop.DBus\" send_member=\"\($0)\"/>" }.joined())
          </policy>
          \(limits.map { "<limit name=\"\($0.key)\">\($0.value)</limit>" }.joined())
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
