import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Synchronization

/// The real xdg-desktop-portal on a bus of the test's own, before a desktop's part of ours: version 2 of the interface,
/// which no part of Debian's has yet. What the portal checks, seals, strips and refuses is its own doing.
final class ScriptedPart: Sendable {
    struct Added: Sendable {
        var app: String
        var id: String
        var notice: BusValue
    }

    static let program = "/usr/libexec/xdg-desktop-portal"
    private static let name = "org.freedesktop.impl.portal.desktop.belfry"
    private static let path: BusObjectPath = "/org/freedesktop/portal/desktop"
    private static let interface = "org.freedesktop.impl.portal.Notification"
    static let categories = ["im.received", "call.incoming"]
    static let purposes = ["im.reply-with-text", "call.accept", "call.decline"]

    private let added: AsyncStream<Added>
    private let removed: AsyncStream<String>
    private let add: AsyncStream<Added>.Continuation
    private let remove: AsyncStream<String>.Continuation
    private let bus: BusConnection
    private let folder: URL
    private let state = Mutex<(export: BusSubscription?, portal: Foundation.Process?)>((nil, nil))

    init(on bus: TestBus) async throws {
        (added, add) = AsyncStream.makeStream()
        (removed, remove) = AsyncStream.makeStream()
        folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("belfry-part-\(UUID().uuidString)")
        self.bus = try await bus.connection()
        let export = try await self.bus.export([part], at: Self.path)
        try await self.bus.requestName(Self.name)
        let owners = try await self.bus.owners(of: ScriptedPortal.name)
        let portal = try start(at: bus.address)
        state.withLock { $0 = (export, portal) }
        for await owner in owners where owner != nil { break }
    }

    func stop() async {
        await offThePool { [self] in
            guard let portal = state.withLock({ $0.portal }), portal.isRunning else { return }
            kill(portal.processIdentifier, SIGKILL)
            portal.waitUntilExit()
        }
        await bus.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Still there: what a portal can't bear ends it for everybody.
    var isRunning: Bool { state.withLock { $0.portal?.isRunning == true } }

    func nextAdded() async -> Added? { await added.first { _ in true } }
    func nextRemoved() async -> String? { await removed.first { _ in true } }

    func invoke(_ added: Added, _ action: String, _ parameter: [BusValue]) throws {
        let values = BusValue.array(of: .variant, parameter.map(BusValue.variant))
        try bus.emit(
            BusSignal(
                Self.path,
                Self.interface,
                "ActionInvoked",
                [.string(added.app), .string(added.id), .string(action), values]
            )
        )
    }

    /// The portal's process, with this part in its configuration and the test's app among the installed ones.
    private func start(at address: String) throws -> Foundation.Process {
        let applications = folder.appendingPathComponent("applications")
        try FileManager.default.createDirectory(at: applications, withIntermediateDirectories: true)
        let files = [
            "belfry.portal": "[portal]\nDBusName=\(Self.name)\nInterfaces=\(Self.interface);\nUseIn=belfry\n",
            "portals.conf": "[preferred]\ndefault=belfry\n",
            "applications/\(PortalStage.app.id).desktop":
                "[Desktop Entry]\nType=Application\nName=Stage\nExec=/bin/true\nDBusActivatable=true\n",
        ]
        for (name, text) in files {
            try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        let process = Foundation.Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.environment = [
            "DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin", "HOME": folder.path,
            "XDG_DATA_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_CURRENT_DESKTOP": "belfry",
            "XDG_DESKTOP_PORTAL_DIR": folder.path,
            // Its sandbox for pictures wants namespaces, which a test may not have.
            "XDP_VALIDATE_ICON_INSECURE": "1",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Threads of Dispatch block signals, and a child inherits that: the portal would not hear of its validators'
        // end.
        var none = sigset_t()
        var old = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &old)
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        try process.run()
        return process
    }

    private var part: BusInterface {
        let options = BusValue.options([
            "category": .strings(Self.categories), "button-purpose": .strings(Self.purposes),
        ])
        return BusInterface(
            Self.interface,
            methods: [
                BusMethod(
                    "AddNotification",
                    takes: [BusArgument("app_id", "s"), BusArgument("id", "s"), BusArgument("notification", "a{sv}")],
                    atOnce: { [add] call in
                        let names = call.arguments.prefix(2).map { $0.string ?? "" }
                        add.yield(Added(app: names[0], id: names[1], notice: call.arguments[2]))
                        return []
                    }
                ),
                BusMethod(
                    "RemoveNotification",
                    takes: [BusArgument("app_id", "s"), BusArgument("id", "s")],
                    atOnce: { [remove] call in
                        remove.yield(call.arguments[1].string ?? "")
                        return []
                    }
                ),
            ],
            properties: [
                BusProperty("version", "u", read: { .uint32(2) }),
                BusProperty("SupportedOptions", "a{sv}", read: { options }),
            ]
        )
    }
}
