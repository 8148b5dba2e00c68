import Belfry
import BelfryBus
import BelfryServers

extension DesktopSettings {
    /// Reads whether "do not disturb" is on, from where this server exposes it.
    func silence(
        from source: KnownServer.SilenceSource,
        of owner: String
    ) async -> DeliveryCapabilities.DoNotDisturb {
        do throws(BusError) {
            switch source {
            case .unknown: return .unknown
            case .inhibited: return try await property("Inhibited", of: NotificationsSession.name, owner)
            case .dunst: return try await property("paused", of: "org.dunstproject.cmd0", owner)
            case .mako: return try await mako(owner)
            case .swaync: return try await swaync()
            case .xfconf: return await xfconf()
            case .settings(let schema, let key, let silence):
                return await truth(of: key, in: schema).map { $0 == silence ? .on : .off } ?? .unknown
            }
        } catch { return .unknown }
    }

    private func property(
        _ name: String,
        of interface: String,
        _ owner: String
    ) async throws(BusError) -> DeliveryCapabilities.DoNotDisturb {
        let path = NotificationsSession.path
        return Self.silence(try await bus.property(name, of: interface, at: path, on: owner, within: limit))
    }

    /// Users define their own modes. This one is mako(5)'s example; the meaning of others is unknown.
    private func mako(_ owner: String) async throws(BusError) -> DeliveryCapabilities.DoNotDisturb {
        let mako = BusObject(owner, "/fr/emersion/Mako", "fr.emersion.Mako", timeout: limit)
        let modes = try await bus.call(mako.call("ListModes", expects: "as")).first?.strings ?? []
        if modes.contains("do-not-disturb") { return .on }
        return modes.allSatisfy { $0 == "default" } ? .off : .unknown
    }

    private func swaync() async throws(BusError) -> DeliveryCapabilities.DoNotDisturb {
        let name = "org.erikreider.swaync.cc"
        let swaync = BusObject(name, "/org/erikreider/swaync/cc", name, timeout: limit)
        let values = try await bus.call(swaync.call("GetDnd"))
        return values.count == 1 ? Self.silence(values[0]) : .unknown
    }

    private func xfconf() async -> DeliveryCapabilities.DoNotDisturb {
        switch await xfce("/do-not-disturb", of: "xfce4-notifyd") {
        case .set(let value): Self.silence(value)
        case .neverSet: .off
        case .unknown: .unknown
        }
    }

    private static func silence(_ value: BusValue) -> DeliveryCapabilities.DoNotDisturb {
        guard let isOn = value.boolean else { return .unknown }
        return isOn ? .on : .off
    }
}
