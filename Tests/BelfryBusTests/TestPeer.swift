import BelfryBus
import BelfryBusTestSupport
import Glibc
import Testing

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

/// Calls `body` with the address of a Unix socket at this path.
func withSocketAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

let peerName = "org.example.Peer"
let peerPath: BusObjectPath = "/org/example/Peer"

extension BusMethodCall {
    /// A call to the test's own peer.
    static func peer(
        _ method: String,
        _ arguments: [BusValue] = [],
        expects: BusSignature? = nil,
        timeout: Duration = .seconds(60)
    ) -> BusMethodCall {
        BusMethodCall(to: peerName, peerPath, peerName, method, arguments, expects: expects, timeout: timeout)
    }
}

/// A second connection with an object that echoes, fails, counts, and never answers.
func makePeer(_ bus: TestBus) async throws -> (BusConnection, BusSubscription) {
    let connection = try await bus.connection()
    let any = [BusArgument("value", "v")]
    let never: @Sendable (BusIncomingCall) async throws -> [BusValue] = { _ in
        for await _ in AsyncStream<Never>.makeStream().stream {}
        throw CancellationError()
    }
    let interface = BusInterface(
        peerName,
        methods: [
            BusMethod("Echo", takes: any, returns: any, atOnce: { $0.arguments }),
            BusMethod("EchoLater", takes: any, returns: any, later: { $0.arguments }),
            BusMethod("Fail", atOnce: { _ in throw BusError.reply("org.example.Error.Sad", "so sad") }),
            BusMethod("Never", later: never),
            BusMethod("NeverWith", takes: any, later: never),
        ]
    )
    let export = try await connection.export([interface], at: peerPath)
    try await connection.requestName(peerName)
    return (connection, export)
}
