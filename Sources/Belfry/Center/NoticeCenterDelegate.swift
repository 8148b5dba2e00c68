/// Lets an app change or suppress notices, and handle responses.
///
/// Its functions are called on an app thread, and run there unless they are isolated to an actor, such as the main
/// actor.
///
/// ```swift
/// struct Mailbox: NoticeCenterDelegate {
///     func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation {
///         delivery.content.thread == "spam" ? .suppress(reason: "the thread is muted") : .present
///     }
///     func handle(_ response: NoticeResponse) async { print(response.requestID, response.kind) }
/// }
/// await center.setDelegate(Mailbox())
/// ```
public protocol NoticeCenterDelegate: Sendable {
    /// Decides about each notice before it is shown; the default presents it. A result later than the center's
    /// ``CenterOptions/appTimeout`` is replaced by ``NoticeCenter/Presentation/present``.
    ///
    /// The delivery waits for the decision, and other deliveries and withdrawals wait behind it. So the center's calls
    /// in here return when a removal is stored, and what they remove leaves the screen afterwards.
    /// ``NoticeCenter/show(_:)`` throws ``NoticeError/Code/rejected``: add the request instead. This also holds for
    /// tasks that are started here, until the decision. Over the agent, these calls wait until the decision or its
    /// timeout: make them in a task of their own that this function doesn't wait for.
    @concurrent func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation
    /// Handles a response. Until it returns, the response is stored, and delivered again after a restart.
    @concurrent func handle(_ response: NoticeResponse) async
    /// Handles a notice that is due and never displayed (``NoticeContent/isDisplayed``). Until it returns, the notice
    /// is stored, and delivered again after a restart.
    @concurrent func handleUndisplayed(_ delivery: Delivery) async
}

extension NoticeCenter {
    /// What happens to a due notice.
    public enum Presentation: Sendable, Codable, Hashable {
        /// Show it unchanged.
        case present
        /// Show it with another content.
        case presentInstead(NoticeContent)
        /// Don't show it; the history has the reason.
        case suppress(reason: String)
    }
}

extension NoticeCenterDelegate {
    public func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation { .present }
    public func handle(_ response: NoticeResponse) async {}
    public func handleUndisplayed(_ delivery: Delivery) async {}
}
