/// A backend whose desktop may have a switch of its own for each app.
///
/// The center obeys it: what is ``DesktopSwitch/off`` counts as denied by the person, whatever was answered to the app's
/// own question, and ``DesktopSwitch/quiet`` as provisional. A backend that is none leaves the answer alone.
public protocol DesktopSwitchSource: DeliveryBackend {
    /// Asked at most every few seconds, while the backend runs; answers within two, and ``DesktopSwitch/unknown`` where it
    /// can't.
    func desktopSwitch(for app: AppIdentity) async -> DesktopSwitch
}
