import BelfryBus
import Foundation
import Synchronization

/// A scripted notification server on a bus of the test's own.
final class StubServer: Sendable {
    struct Notified: Sendable {
        var sender: String
        var arguments: [BusValue]

        var replaces: UInt32 { arguments[1].integer() ?? 0 }
        var title: String { arguments[3].string ?? "" }
        var body: String { arguments[4].string ?? "" }
        var actions: [String] { arguments[5].strings ?? [] }
        var expiry: Int { arguments[7].integer() ?? 0 }
        /// With its type.
        func hint(_ name: String) -> BusValue? { arguments[6][name] }
    }

    let bus: BusConnection
    private let identity: [String]
    private let listed: [String]
    private let state = Mutex<(next: UInt32, notified: [Notified])>((1, []))
    private let export = Mutex<BusSubscription?>(nil)
    private let name = "org.freedesktop.Notifications"
    private let path: BusObjectPath = "/org/freedesktop/Notifications"

    init(at address: String, _ listed: [String], _ identity: [String] = ["stub", "Belfry", "1", "1.2"]) {
        self.identity = identity
        self.listed = listed
        bus = BusConnection(to: .address(address))
    }

    /// What receipts name it by.
    var instance: String { "\(bus.uniqueName ?? "")@\(bus.busID ?? "")" }

    var notified: [Notified] { state.withLock { $0.notified } }

    func start() async throws {
        try await bus.connect()
        let text = { (name: String) in BusArgument(name, "s") }
        let interface = BusInterface(
            name,
            methods: [
                BusMethod(
                    "GetServerInformation",
                    returns: ["name", "vendor", "version", "spec"].map(text),
                    atOnce: { [identity] _ in identity.map(BusValue.string) }
                ),
                BusMethod(
                    "GetCapabilities",
                    returns: [BusArgument("names", "as")],
                    atOnce: { [listed] _ in [.strings(listed)] }
                ),
                BusMethod(
                    "Notify",
                    takes: ["s", "u", "s", "s", "s", "as", "a{sv}", "i"].map { BusArgument("argument", $0) },
                    returns: [BusArgument("id", "u")],
                    atOnce: { [weak self] call in [.uint32(self?.notify(call) ?? 0)] }
                ),
                BusMethod(
                    "CloseNotification",
                    takes: [BusArgument("id", "u")],
                    atOnce: { [weak self] call in
                        try self?.signal("NotificationClosed", [call.arguments[0], .uint32(3)])
                        return []
                    }
                ),
            ]
        )
        let export = try await bus.export([interface], at: path)
        self.export.withLock { $0 = export }
        try await bus.requestName(name)
    }

    private func notify(_ call: BusIncomingCall) -> UInt32 {
        state.withLock { state in
            let notified = Notified(sender: call.sender, arguments: call.arguments)
            state.notified.append(notified)
            if notified.replaces != 0 { return notified.replaces }
            defer { state.next += 1 }
            return state.next
        }
    }

    func signal(_ member: String, _ arguments: [BusValue], to destination: String? = nil) throws {
        try bus.emit(BusSignal(path, name, member, arguments, to: destination))
    }

    func stop() async { await bus.close() }
}
