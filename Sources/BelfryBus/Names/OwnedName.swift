/// A well-known name that this connection has requested.
struct OwnedName {
    /// Unique for each request.
    var id: UInt64
    var flags: BusNameFlags
    /// Whether the bus granted the request or queued it; only then it is repeated.
    var isGiven = false
    var lost: @Sendable (BusError) -> Void

    func request(for name: String) -> BusMethodCall {
        BusDriver.call("RequestName", [.string(name), .uint32(flags.rawValue)], expects: "u")
    }
}

extension BusNameOutcome {
    static func read(_ values: [BusValue], for name: String) -> Result<BusNameOutcome, BusError> {
        guard let outcome = values.first?.integer(UInt32.self).flatMap(BusNameOutcome.init) else {
            return .failure(
                BusError(.unexpectedReply, "The bus replied to a request for '\(name)' with an unknown number.")
            )
        }
        return .success(outcome)
    }
}

extension BusCore {
    /// Requests the names that were granted before again, on a new connection.
    func restoreNames() {
        for (name, owned) in ownedNames.sorted(by: { $0.key < $1.key }) where owned.isGiven { restore(name, owned) }
    }

    private func restore(_ name: String, _ owned: OwnedName, attempt: Int = 0) {
        callBus(owned.request(for: name)) { core, result in
            guard core.ownedNames[name]?.id == owned.id else { return }
            switch result.flatMap({ BusNameOutcome.read($0, for: name) }) {
            case .success(.taken):
                core.ownedNames[name] = nil
                owned.lost(BusError(.accessDenied, "Another program has taken the name '\(name)' meanwhile."))
            case .success: break
            case .failure(let error) where error.isTransient:
                core.retry(attempt) { $0.restore(name, owned, attempt: attempt + 1) }
            case .failure(let error):
                core.ownedNames[name] = nil
                owned.lost(error)
            }
        }
    }
}
