import Belfry
import BelfryBus
import BelfryServers

/// Reads whether "do not disturb" is on, from where this server exposes it.
struct DesktopSilence {
    let session: NotificationsSession
    let settings: DesktopSettings

    func read(from source: KnownServer.SilenceSource, of owner: String) async -> DeliveryCapabilities.DoNotDisturb {
        switch source {
        case .unknown: .unknown
        case .inhibited: await property("Inhibited", of: NotificationsSession.name, owner)
        case .dunst: await property("paused", of: "org.dunstproject.cmd0", owner)
        case .mako: await mako(owner)
        case .swaync:
            await truth(
                BusMethodCall(
                    to: "org.erikreider.swaync.cc",
                    "/org/erikreider/swaync/cc",
                    "org.erikreider.swaync.cc",
                    "GetDnd",
                    timeout: settings.limit
                )
            )
        case .xfconf: await xfconf()
        case .settings(let schema, let key, let silence):
            await settings.truth(of: key, in: schema).map { $0 == silence ? .on : .off } ?? .unknown
        }
    }

    private func property(_ name: String, of interface: String, _ owner: String) async
        -> DeliveryCapabilities.DoNotDisturb
    {
        let (path, limit) = (NotificationsSession.path, settings.limit)
        do throws(BusError) {
            let value = try await session.bus.property(name, of: interface, at: path, on: owner, within: limit)
            return Self.silence([value])
        } catch { return .unknown }
    }

    /// Users define their own modes. This one is mako(5)'s example; the meaning of others is unknown.
    private func mako(_ owner: String) async -> DeliveryCapabilities.DoNotDisturb {
        let limit = settings.limit
        let call = BusMethodCall(
            to: owner,
            "/fr/emersion/Mako",
            "fr.emersion.Mako",
            "ListModes",
            expects: "as",
            timeout: limit
        )
        do throws(BusError) {
            let modes = try await session.bus.call(call).first?.strings ?? []
            if modes.contains("do-not-disturb") { return .on }
            return modes.allSatisfy { $0 == "default" } ? .off : .unknown
        } catch { return .unknown }
    }

    private func xfconf() async -> DeliveryCapabilities.DoNotDisturb {
        switch await settings.xfce("/do-not-disturb", of: "xfce4-notifyd") {
        case .set(let value): Self.silence([value])
        case .neverSet: .off
        case .unknown: .unknown
        }
    }

    private func truth(_ call: BusMethodCall) async -> DeliveryCapabilities.DoNotDisturb {
        do throws(BusError) { return Self.silence(try await session.bus.call(call)) } catch { return .unknown }
    }

    private static func silence(_ values: [BusValue]) -> DeliveryCapabilities.DoNotDisturb {
        guard values.count == 1, let isOn = values[0].boolean else { return .unknown }
        return isOn ? .on : .off
    }
}
