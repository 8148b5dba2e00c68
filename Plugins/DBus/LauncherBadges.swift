import BelfryBus
import Synchronization

/// Badge counts on apps' icons, over com.canonical.Unity.LauncherEntry: a signal that docks listen to.
///
/// Docks such as Plasma's task manager, Dash to Dock and Plank own a name that shows that one listens (from their
/// sources). A dock that starts later receives the counts then.
final class LauncherBadges: Sendable {
    static let listener = "com.canonical.Unity"
    private static let interface = "com.canonical.Unity.LauncherEntry"

    private struct State {
        var hasListener = false
        /// The last count of each app.
        var counts: [String: Int] = [:]
    }

    private let state = Mutex(State())

    var hasListener: Bool { state.withLock { $0.hasListener } }

    func listenerChanged(_ owner: String?, on bus: BusConnection) {
        let counts = state.withLock { state in
            state.hasListener = owner != nil
            return owner == nil ? [:] : state.counts
        }
        // If the bus was lost meanwhile, its docks appear again on the next one.
        for (app, count) in counts { try? emit(count, of: app, on: bus) }
    }

    /// Sets the count. `app` is the name of its `.desktop` file without the extension.
    func set(_ count: Int, of app: String, on bus: BusConnection) throws(BusError) {
        try emit(count, of: app, on: bus)
        state.withLock { $0.counts[app] = count }
    }

    private func emit(_ count: Int, of app: String, on bus: BusConnection) throws(BusError) {
        let address = "application://\(app).desktop"
        try bus.emit(
            BusSignal(
                Self.path(of: address),
                Self.interface,
                "Update",
                [
                    .string(address),
                    .options(["count": .int64(Int64(clamping: count)), "count-visible": .boolean(count > 0)]),
                ]
            )
        )
    }

    /// Returns one path per app, computed as libunity does: docks that key entries by path keep apps apart.
    private static func path(of address: String) -> BusObjectPath {
        let hash = address.utf8.reduce(5381 as UInt32) { $0 &* 33 &+ UInt32($1) }
        return (try? BusObjectPath("/com/canonical/unity/launcherentry/\(hash)")) ?? .root
    }
}
