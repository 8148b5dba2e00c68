import Belfry
import BelfryBus
import BelfryBusBackend
import BelfryServers
import Synchronization

extension NotificationsSession {
    static func object(of owner: String, within limit: Duration) -> BusObject {
        BusObject(owner, path, name, timeout: limit)
    }

    /// Returns the current server and its features. Starts one if none runs and the bus can start it.
    func server(within limit: Duration) async throws(NoticeError) -> (owner: String, NotificationServer) {
        let current = state.withLock { ($0.owner, $0.server) }
        if case (let owner?, let server?) = current { return (owner, server) }
        do throws(BusError) {
            let owner = try await owner(within: limit)
            let object = Self.object(of: owner, within: limit)
            let identity = try await texts(object.call("GetServerInformation", expects: "ssss")) ?? []
            let listed = try await texts(object.call("GetCapabilities", expects: "as")) ?? ["body"]
            let server = NotificationServer(
                name: identity.first ?? "",
                vendor: identity.count > 1 ? identity[1] : "",
                version: identity.count > 2 ? identity[2] : "",
                capabilities: listed
            )
            state.withLock { if $0.owner == owner { $0.server = server } }
            return (owner, server)
        } catch { throw NoticeError(error) }
    }

    private func owner(within limit: Duration) async throws(BusError) -> String {
        if let known = state.withLock({ $0.owner }) { return known }
        return try await bus.owner(starting: Self.name, within: limit)
    }

    /// Returns nil if the reply violates the specification: the server may show notices nevertheless.
    private func texts(_ call: BusMethodCall) async throws(BusError) -> [String]? {
        do throws(BusError) {
            let values = try await bus.call(call)
            return values.count == 1 ? values[0].strings : values.map { $0.string ?? "" }
        } catch {
            guard [.unexpectedReply, .unknownMember, .remoteError].contains(error.code) else { throw error }
            return nil
        }
    }
}
