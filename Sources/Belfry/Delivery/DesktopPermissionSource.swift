/// A backend whose desktop may have a switch of its own for each app.
///
/// The center obeys it: what is ``DesktopPermission/off`` counts as denied by the person, whatever was answered to the app's
/// own question, and ``DesktopPermission/quiet`` as provisional. A backend that is none leaves the answer alone.
public protocol DesktopPermissionSource: DeliveryBackend {
    /// Asked at most every few seconds, while the backend runs; answers within two, and ``DesktopPermission/unknown`` where it
    /// can't.
    func desktopPermission(for app: AppIdentity) async -> DesktopPermission
}
