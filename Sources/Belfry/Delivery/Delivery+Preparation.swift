extension Delivery {
    /// As a center hands it to a backend that offers these capabilities: texts cleaned and cut, what can't be shown left out
    /// and named in ``lost``.
    package func prepared(for capabilities: DeliveryCapabilities) -> Delivery {
        var delivery = self
        (delivery.content, delivery.lost) = DeliveryPreparation.prepare(content, for: capabilities)
        return delivery
    }
}
