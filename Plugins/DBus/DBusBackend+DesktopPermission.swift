public import Belfry
import BelfryBus
import BelfryServers

extension DBusBackend {
    /// Returns the desktop's own setting for the app, which GNOME, Plasma and Xfce have. All three also enforce it,
    /// without reporting to the sender that nothing was shown.
    public func desktopPermission(for app: AppIdentity) async -> DesktopPermission {
        do throws(NoticeError) {
            let (settings, _, server) = try await settings()
            return switch server.known.appSwitch {
            case .unknown: .unknown
            case .gnome: await settings.gnomeSwitch(for: app)
            case .plasma: await settings.plasmaSwitch(for: app)
            case .xfce: await settings.xfceSwitch(for: app)
            }
        } catch { return .unknown }
    }

    /// Returns the settings of the desktop, and its server. The timeout is short: no notice waits for it.
    func settings() async throws(NoticeError) -> (DesktopSettings, owner: String, server: NotificationServer) {
        let limit = min(timeouts.call, .seconds(2))
        let session = try await running(within: limit)
        let (owner, server) = try await session.server(within: limit)
        let settings = DesktopSettings(bus: session.bus, limit: limit, places: settingsPlaces ?? .standard)
        return (settings, owner, server)
    }
}

extension DesktopSettings {
    /// Reads GNOME's settings for the app, whose path GNOME derives from the app's identifier.
    fileprivate func gnomeSwitch(for app: AppIdentity) async -> DesktopPermission {
        let schema = "org.gnome.desktop.notifications.application"
        let place = "\(schema):/org/gnome/desktop/notifications/application/\(Self.gnomeName(app.id))/"
        switch await truth(of: "enable", in: place) {
        case false: return .off
        case true: return await truth(of: "show-banners", in: place) == false ? .quiet : .on
        case nil: return .unknown
        }
    }

    /// Returns GNOME's name for an app: in lower case, runs of anything but letters, digits and hyphens as one hyphen.
    static func gnomeName(_ id: String) -> String {
        var name = ""
        for byte in id.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): name.unicodeScalars.append(Unicode.Scalar(byte + 0x20))
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default: if name.last != "-" { name.append("-") }
            }
        }
        return name
    }

    /// Reads Plasma's settings. Popups and the history have separate settings; if both are off, nothing is shown.
    fileprivate func plasmaSwitch(for app: AppIdentity) async -> DesktopPermission {
        let (file, group) = ("plasmanotifyrc", ["Applications", app.id])
        guard await truth(of: "ShowPopups", in: group, ofFile: file) == false else { return .on }
        return await truth(of: "ShowInHistory", in: group, ofFile: file) == false ? .off : .quiet
    }

    /// Reads Xfce's list of muted apps, by the names that they send, and whether it logs what it doesn't show.
    fileprivate func xfceSwitch(for app: AppIdentity) async -> DesktopPermission {
        switch await xfce("/applications/muted_applications", of: "xfce4-notifyd") {
        case .unknown: return .unknown
        case .neverSet: return .on
        case .set(let value):
            let muted = value.elements?.compactMap(\.string) ?? []
            guard muted.contains(app.name) || muted.contains(app.id) else { return .on }
            guard case .set(let log) = await xfce("/notification-log", of: "xfce4-notifyd"), log.boolean == true else {
                return .off
            }
            return .quiet
        }
    }
}
