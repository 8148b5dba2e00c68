/// A well-known name that this connection has asked for.
struct OwnedName {
    /// Each request has another.
    var key: UInt64
    var flags: BusNameFlags
    /// Whether the bus has said yes: only then it is asked for again.
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
                BusError(.unexpectedReply, "The bus answered a request for '\(name)' with a number unknown.")
            )
        }
        return .success(outcome)
    }
}
