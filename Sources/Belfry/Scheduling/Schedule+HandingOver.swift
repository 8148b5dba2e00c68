extension Schedule {
    /// A notice that is never shown was due: the app is given it, and nobody is disturbed. The response stays until the app
    /// has taken it.
    mutating func handedOver(_ reference: DeliveryReference, _ response: NoticeResponse) {
        let isWanted = isWanted(reference)
        suppressed(reference, reason: "not displayed: given to the app")
        guard isWanted else { return }
        store(.putResponse(response))
        emit(.publish(response))
    }
}
