import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryBus

@Suite("Where the session bus is", .takesTurns) struct AddressTests {
    /// A folder with a socket `bus` in it, which nobody listens to.
    private func folder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "belfry-user-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        try #require(withSocketAddress(folder + "/bus") { bind(socket, $0, $1) } == 0)
        try body(folder)
    }

    private func failure(_ body: () throws -> String) -> BusError? {
        do { _ = try body() } catch { return error as? BusError }
        return nil
    }

    @Test("where nothing names one, it is the user's own") func userBus() throws {
        try folder { folder in
            let found = try BusAddress.session(named: nil, runtimeFolder: nil, userFolder: folder)
            #expect(found == "unix:path=\(folder)/bus")
            // What is named wins, also where nothing is there.
            let named = "unix:path=/x"
            #expect(try BusAddress.session(named: named, runtimeFolder: nil, userFolder: folder) == named)
            let missing = failure {
                try BusAddress.session(named: nil, runtimeFolder: "/nonexistent", userFolder: folder)
            }
            #expect(missing?.code == .noBus && missing?.message.contains("/nonexistent/bus") == true)
            for nothing in [nil, "/nonexistent"] {
                let error = failure { try BusAddress.session(named: nil, runtimeFolder: nil, userFolder: nothing) }
                #expect(error?.code == .noBus && error?.message.contains("XDG_RUNTIME_DIR") == true)
            }
        }
    }

    @Test("another user's socket is not ours", .enabled(if: getuid() == 0, "only root can give a file away"))
    func foreignBus() throws {
        try folder { folder in
            try #require(chown(folder + "/bus", 65534, 65534) == 0)
            let error = failure { try BusAddress.session(named: nil, runtimeFolder: nil, userFolder: folder) }
            #expect(error?.code == .noBus && error?.message.contains("of this user's") == true)
        }
    }
}
