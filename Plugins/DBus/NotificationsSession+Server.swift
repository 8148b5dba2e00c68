import Belfry
import BelfryBus
import BelfryServers
import Synchronization

extension NotificationsSession {
    func call(
        _ method: String,
        _ arguments: [BusValue] = [],
        to owner: String,
        expects: BusSignature? = nil,
        limit: Duration
    ) -> BusMethodCall {
        BusMethodCall(to: owner, Self.path, Self.name, method, arguments, expects: expects, timeLimit: limit)
    }

    /// Returns when there is a bus and answers are listened for. Throws ``NoticeError/Code/noBus`` at once without a
    /// bus, and after the limit where it doesn't come to be.
    func connected(within limit: Duration) async throws(NoticeError) {
        do throws(BusError) { try await listening.wait(within: limit) } catch { throw NoticeError(error) }
    }

    /// Who shows notices now, with what it can. Starts one that the bus can start.
    func server(within limit: Duration) async throws(NoticeError) -> (owner: String, NotificationServer) {
        try await connected(within: limit)
        do throws(BusError) {
            let owner = try await owner(within: limit)
            if let server = state.withLock({ $0.owner == owner ? $0.server : nil }) { return (owner, server) }
            let identity = try await texts("GetServerInformation", "ssss", of: owner, limit) ?? []
            let listed = try await texts("GetCapabilities", "as", of: owner, limit) ?? ["body"]
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

    /// Nil where the server answers in another way than the specification says: it may show notices all the same.
    private func texts(
        _ method: String,
        _ signature: BusSignature,
        of owner: String,
        _ limit: Duration
    ) async throws(BusError) -> [String]? {
        do throws(BusError) {
            let values = try await bus.call(call(method, to: owner, expects: signature, limit: limit))
            return values.count == 1 ? values[0].strings : values.map { $0.string ?? "" }
        } catch {
            guard [.unexpectedReply, .unknownMember, .remoteError].contains(error.code) else { throw error }
            return nil
        }
    }
}
