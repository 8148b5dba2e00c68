extension EmbeddedEngine {
    /// Gives the app what is due and is not to be displayed: as a response, which is kept until it was taken, and for which
    /// an app that does not run is started. Nobody is asked for permission to show it.
    func handOver(_ content: NoticeContent, _ order: DeliveryOrder, for languages: [String]?) {
        let now = clock.now()
        let response = NoticeResponse(
            id: "\(order.reference.deliveryID)/due",
            requestID: order.reference.requestID,
            deliveryID: order.reference.deliveryID,
            kind: .due(completed(content, for: languages)),
            at: now.date,
            series: order.series,
            userInfo: content.userInfo
        )
        post(.event(.handedOver(order.reference, response)))
    }
}
