public import Belfry
import BelfryBus
import BelfryServers

extension DBusBackend {
    public func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview {
        let session = try await running()
        let (owner, server) = try await session.server(within: limits.call)
        var message = try message(of: delivery, on: server, session.instance(of: owner))
        if delivery.content.badge != nil { noteBadge(&message, session) }
        return Delivery.Preview(
            content: delivery.content,
            backend: name,
            server: server.capabilities.server,
            lost: message.lost
        )
    }

    /// Plasma and dunst say it themselves, swaync and Xfce by another object on the bus, GNOME and MATE in their
    /// settings.
    public func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb {
        let limit = min(limits.call, .seconds(2))
        do throws(NoticeError) {
            let session = try await running()
            let (owner, server) = try await session.server(within: limit)
            let silence = DesktopSilence(session: session, settings: settings(session, limit))
            return await silence.read(from: server.known.silence, of: owner)
        } catch { return .unknown }
    }

    /// Tells the desktop's docks; one that comes later is told then. Needs a bus, no notification server.
    public func setBadge(_ count: Int, of app: AppIdentity) async throws(NoticeError) {
        let session = try await running()
        try await session.connected(within: limits.call)
        do throws(BusError) { try session.badges.set(count, of: app.id, on: session.bus) } catch {
            throw NoticeError(error)
        }
    }

    /// The badge that comes with a notice: the notice stands, so that no failure of this one is an error of the
    /// delivery.
    func setBadge(
        _ count: Int,
        with message: inout NotifyMessage,
        of app: AppIdentity,
        in session: NotificationsSession
    ) {
        do throws(BusError) {
            try session.badges.set(count, of: app.id, on: session.bus)
            noteBadge(&message, session)
        } catch { message.lose(.badge, error.message) }
    }

    private func noteBadge(_ message: inout NotifyMessage, _ session: NotificationsSession) {
        guard !session.badges.hasListener else { return }
        message.lose(.badge, "nothing on this desktop says that it draws badges")
    }
}
