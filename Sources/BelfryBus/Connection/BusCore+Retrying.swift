import BelfryLoop

extension BusCore {
    /// Does something again that failed for a passing reason while the bus stands, after a pause that doubles with each
    /// attempt. Nothing where the connection is another by then: that puts everything back itself.
    func retry(_ attempt: Int, _ action: @escaping @Sendable (BusCore) -> Void) {
        let generation = generation
        let pause = (configuration.reconnection ?? BusReconnection()).delay(before: attempt)
        loop.wait(until: .now + pause.bounded) { [weak self] in
            guard let self, generation == self.generation, case .connected = phase else { return }
            action(self)
            afterSending()
        }
    }
}
