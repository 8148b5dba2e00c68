import BelfryLoop

extension BusCore {
    /// Repeats an action that failed with a transient error, after a pause that doubles with each attempt. Does nothing
    /// if the connection was replaced meanwhile: the new one restores everything itself.
    func retry(_ attempt: Int, _ action: @escaping @Sendable (BusCore) -> Void) {
        let generation = generation
        let pause = (configuration.reconnection ?? BusReconnection()).delay(before: attempt)
        loop.wait(until: .now + pause.bounded) { [weak self] in
            guard let self, generation == self.generation, case .connected = state else { return }
            action(self)
            afterSending()
        }
    }
}
