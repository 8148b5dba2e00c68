import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("The session bus, as the environment names it", .takesTurns)
struct SessionBusTests {
    /// A socket that accepts, in a folder of its own.
    private func withSocket(_ body: (_ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "belfry-\(UUID().uuidString.prefix(8))"
        ).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array("\(folder)/bus".utf8)) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(isBound == 0 && listen(descriptor, 4) == 0)
        try body(folder)
    }

    @Test("Where nothing names a bus, as under cron, that of the user's session is taken, if it is the user's own")
    func unnamed() throws {
        try withSocket { folder in
            let found = SessionBus(environment: [:], sessionFolder: folder)
            #expect(found.state == .reachable(address: "unix:path=\(folder)/bus"))
            let elsewhere = SessionBus(environment: ["XDG_RUNTIME_DIR": "/nowhere"], sessionFolder: folder)
            #expect(elsewhere.state == .absent)
            try #require(chown(folder + "/bus", getuid() + 1, getgid()) == 0 || getuid() != 0)
            if getuid() == 0 { #expect(SessionBus(environment: [:], sessionFolder: folder).state == .absent) }
        }
    }

    @Test("A socket that accepts is reachable, by its address and in XDG_RUNTIME_DIR")
    func reachable() throws {
        try withSocket { folder in
            let escaped = folder.replacingOccurrences(of: "-", with: "%2d")
            for address in [
                "unix:path=\(folder)/bus", "unix:path=\(escaped)/bus,guid=0",
                "unix:path=/nowhere;unix:path=\(folder)/bus",
            ] {
                #expect(SessionBus(environment: ["DBUS_SESSION_BUS_ADDRESS": address]).isReachable, "\(address)")
            }
            let found = SessionBus(environment: ["XDG_RUNTIME_DIR": folder])
            #expect(found.state == .reachable(address: "unix:path=\(folder)/bus"))
        }
    }

    @Test(
        "What nobody answers at is unreachable, and the reason is told",
        arguments: [
            "unix:path=/nowhere/bus", "unix:abstract=belfry-nobody", "unix:", "nonsense", ";;", "unix:path=%zz",
            "unix:path=/" + String(repeating: "x", count: 200), "unix:guid=1",
        ]
    )
    func unreachable(address: String) {
        guard
            case .unreachable(let named, let why) = SessionBus(environment: ["DBUS_SESSION_BUS_ADDRESS": address]).state
        else {
            Issue.record("\(address) is not reachable")
            return
        }
        #expect(named == address)
        #expect(!why.isEmpty)
    }

    @Test("Without an address and a socket there is no bus")
    func absent() {
        #expect(SessionBus(environment: [:]).state == .absent)
        #expect(
            SessionBus(environment: ["XDG_RUNTIME_DIR": "/nowhere", "DBUS_SESSION_BUS_ADDRESS": ""]).state == .absent
        )
    }
}
