public import Belfry
import BelfryBus
import BelfryServers

extension DBusBackend {
    public func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview {
        let session = try await running()
        let (owner, server) = try await session.server(within: timeouts.call)
        var message = try message(of: delivery, on: server, session.instance(of: owner))
        if delivery.content.badge != nil { noteBadge(&message, session) }
        return preview(of: delivery, on: server.capabilities.server, lost: message.lost)
    }

    /// Returns the state of "do not disturb". Plasma, dunst and mako report it themselves, swaync and Xfce by another
    /// object on the bus, GNOME and MATE in their settings.
    public func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb {
        do throws(NoticeError) {
            let (settings, owner, server) = try await settings()
            return await settings.silence(from: server.known.silence, of: owner)
        } catch { return .unknown }
    }

    /// Sends the badge to the desktop's docks, also to one that starts later. Needs a bus, but no notification server.
    ///
    /// - Throws: ``Belfry/NoticeError/Code/backendStopped`` if no center runs the backend,
    ///   ``Belfry/NoticeError/Code/noBus`` and ``Belfry/NoticeError/Code/serverBusy``; all transient.
    public func setBadge(_ count: Int, of app: AppIdentity) async throws(NoticeError) {
        let session = try await running()
        do throws(BusError) { try session.badges.set(count, of: app.id, on: session.bus) } catch {
            throw NoticeError(error)
        }
    }

    /// Sets the badge of a notice that is already shown, so an error here is not an error of the delivery.
    func setBadge(
        _ count: Int,
        with message: inout NotifyMessage,
        of app: AppIdentity,
        in session: NotificationsSession
    ) {
        do throws(BusError) {
            try session.badges.set(count, of: app.id, on: session.bus)
            noteBadge(&message, session)
        } catch { message.lost.add(.badge, error.message) }
    }

    private func noteBadge(_ message: inout NotifyMessage, _ session: NotificationsSession) {
        guard !session.badges.hasListener else { return }
        message.lost.add(.badge, "nothing on this desktop says that it draws badges")
    }
}
