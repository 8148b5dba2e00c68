import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryDesktop

@Suite("What suits the desktop", .takesTurns)
struct AutoTests {
    @Test("a sandbox is told by its mark in the root folder, or by its variable")
    func sandbox() throws {
        let root = NSTemporaryDirectory() + "belfry-root-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        #expect(Sandbox.current(snap: nil, root: root) == nil)
        #expect(Sandbox.current(snap: "", root: root) == nil)
        #expect(Sandbox.current(snap: "/snap/mine/1", root: root) == .snap)
        try Data().write(to: URL(fileURLWithPath: root + "/.flatpak-info"))
        #expect(Sandbox.current(snap: nil, root: root) == .flatpak)
        #expect(Sandbox.current(snap: "/snap/mine/1", root: root + "/") == .flatpak)
    }

    @Test("the portal comes first in a sandbox and is not asked outside of one")
    func order() {
        let app = AppIdentity(id: "org.example.Auto")
        let names = { (chain: BackendChain) in chain.backends.map(\.name) }
        #expect(names(.auto(for: app, sandbox: nil)) == ["dbus", "terminal", "console"])
        #expect(names(.auto(for: app, sandbox: .flatpak)) == ["portal", "dbus", "terminal", "console"])
        #expect(names(.auto(for: app, sandbox: .snap)) == ["portal", "dbus", "terminal", "console"])
    }
}
