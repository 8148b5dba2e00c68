public import Belfry
public import BelfryPluginHost
import CBelfryLibnotify
import CBelfryPlugin

extension DeliveryBackend where Self == PluginBackend {
    /// Shows notices on the desktop through libnotify.
    ///
    /// The plug-in behind it is written in C against `belfry_plugin.h`, on a thread of its own; no call blocks, and
    /// each has a limit. libnotify has global state without locks: run one such backend in a process.
    ///
    /// ```swift
    /// let app = AppIdentity(id: "org.example.Tea", name: "Tea")
    /// let center = NoticeCenter(app: app, backend: .libnotify(for: app))
    /// ```
    ///
    /// - Parameters:
    ///   - app: The app that the desktop shows as the sender.
    ///   - limits: How long the desktop is waited for.
    public static func libnotify(for app: AppIdentity, limits: PluginBackend.Limits = .init()) -> PluginBackend {
        do throws(NoticeError) {
            guard let descriptor = belfry_libnotify_descriptor() else {
                throw NoticeError(.unsupported, "The linked libnotify plug-in has no descriptor.")
            }
            return try PluginBackend(descriptor: descriptor, app: app, limits: limits)
        } catch {
            // Header and plug-in are built together: this is a mistake of the build, not of the desktop.
            preconditionFailure(error.message)
        }
    }
}
