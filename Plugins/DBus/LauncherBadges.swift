import BelfryBus
import Synchronization

/// Numbers on apps' icons, over com.canonical.Unity.LauncherEntry: a signal that docks listen to.
///
/// Whether one does can be told by the name that they take, as Plasma's task manager, Dash to Dock and Plank do (from
/// their sources). To one that comes later the number is told again.
final class LauncherBadges: Sendable {
    static let listener = "com.canonical.Unity"
    private static let interface = "com.canonical.Unity.LauncherEntry"

    private struct State {
        var hasListener = false
        /// The last number of each app.
        var counts: [String: Int] = [:]
    }

    private let state = Mutex(State())

    var hasListener: Bool { state.withLock { $0.hasListener } }

    func listenerChanged(_ owner: String?, on bus: BusConnection) {
        let counts = state.withLock { state in
            state.hasListener = owner != nil
            return owner == nil ? [:] : state.counts
        }
        // A bus that has gone meanwhile brings its docks anew.
        for (app, count) in counts { try? emit(count, of: app, on: bus) }
    }

    /// `app` is the name of its `.desktop` file without the ending.
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

    /// One for each app, as libunity makes it: docks that keep an entry by its path keep it apart.
    private static func path(of address: String) -> BusObjectPath {
        let hash = address.utf8.reduce(5381 as UInt32) { $0 &* 33 &+ UInt32($1) }
        return (try? BusObjectPath("/com/canonical/unity/launcherentry/\(hash)")) ?? .root
    }
}
