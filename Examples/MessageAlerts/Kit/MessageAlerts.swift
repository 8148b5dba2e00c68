import Belfry

/// Alerts of messages again and again until the user responds to one, or opens the app.
///
/// What alerts is known to the center alone, so that nothing gets out of step with it.
public struct MessageAlerts: Sendable {
    private let center: NoticeCenter
    private let plan: AlertPlan

    public init(center: NoticeCenter, plan: AlertPlan = AlertPlan()) {
        self.center = center
        self.plan = plan
    }

    /// Has the center keep the plan's quiet hours, or none.
    public func prepare() async throws(NoticeError) { try await center.setQuietHours(plan.quietHours) }

    /// A message came: it alerts now, and then as the plan says. Throws what is wrong with the plan.
    @discardableResult
    public func received(_ message: Message) async throws(NoticeError) -> NoticeCenter.AddReport {
        switch plan.shape {
        case .series:
            try await center.add(
                NoticeSeries(
                    id: message.alertID,
                    content: message.content(plan),
                    first: message.arrived,
                    spacing: plan.spacing,
                    count: plan.count
                )
            )
        case .repeating:
            try await center.add(
                .untilAnswered(
                    id: message.alertID,
                    content: message.content(plan),
                    every: plan.spacing,
                    count: plan.count
                )
            )
        }
    }

    /// The app was opened: the user sees the messages there, and none alerts any more.
    public func appWasOpened() async throws(NoticeError) {
        for id in try await alerting() { try await end(id) }
    }

    /// A message was seen somewhere else, on another device say.
    public func wasSeen(messageID: String) async throws(NoticeError) { try await end(Message.alertPrefix + messageID) }

    private func end(_ alertID: String) async throws(NoticeError) {
        switch plan.shape {
        case .series: try await center.remove(alertID, includingDelivered: true)
        case .repeating:
            try await center.remove(alertID)
            try await center.removeDelivered([alertID])
        }
    }

    /// What is pending or stands on the screen, each message once.
    private func alerting() async throws(NoticeError) -> [String] {
        let pending = try await center.pending().map { $0.request.series ?? $0.id }
        let shown = try await center.delivered().map { $0.series ?? $0.requestID }
        return Set(pending + shown).filter { $0.hasPrefix(Message.alertPrefix) }.sorted()
    }
}
