public import Belfry
public import BelfryPluginHost
import CBelfryLibnotify
import CBelfryPlugin

extension DeliveryBackend where Self == PluginBackend {
    /// Shows notices on the desktop through libnotify.
    ///
    /// The plug-in is written in C against `belfry_plugin.h` and runs on its own thread. No call blocks, and each has a
    /// timeout. libnotify has global state without locks, so run only one such backend in a process.
    ///
    /// ```swift
    /// let app = AppIdentity(id: "org.example.Tea", name: "Tea")
    /// let center = NoticeCenter(app: app, backend: .libnotify(for: app))
    /// ```
    ///
    /// - Parameters:
    ///   - app: The app that the desktop shows as the sender.
    ///   - timeouts: The timeouts for the desktop.
    public static func libnotify(for app: AppIdentity, timeouts: PluginBackend.Timeouts = .init()) -> PluginBackend {
        do throws(NoticeError) {
            guard let descriptor = belfry_libnotify_descriptor() else {
                throw NoticeError(.unsupported, "The linked libnotify plug-in has no descriptor.")
            }
            return try PluginBackend(descriptor: descriptor, app: app, timeouts: timeouts)
        } catch {
            // Header and plug-in are built together, so this is a build error, not one of the desktop.
            preconditionFailure(error.message)
        }
    }
}
