/// An app's say in what is shown, and its designated handler of answers.
///
/// Its functions are called on a thread for apps, and run there unless they are isolated to an actor, such as the main
/// actor.
public protocol NoticeCenterDelegate: Sendable {
    /// Asked before each showing; the default presents. An answer that takes longer than the center's
    /// ``CenterOptions/appTimeLimit`` counts as ``NoticeCenter/Presentation/present``.
    @concurrent func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation
    /// Takes a response. Until it returns, the response is kept by the store and handed over again after a restart.
    @concurrent func handle(_ response: NoticeResponse) async
    /// Receives a notice that is due and never displayed (``NoticeContent/isDisplayed``). Until it returns, the notice
    /// is kept by the store, and comes again after a restart.
    @concurrent func handleUndisplayed(_ delivery: Delivery) async
}

extension NoticeCenter {
    /// What becomes of a due notice.
    public enum Presentation: Sendable, Codable, Hashable {
        /// Shown as it is.
        case present
        /// Shown with another content.
        case presentInstead(NoticeContent)
        /// Not shown; the history says by whom.
        case suppress(reason: String)
    }
}

extension NoticeCenterDelegate {
    public func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation { .present }
    public func handle(_ response: NoticeResponse) async {}
    public func handleUndisplayed(_ delivery: Delivery) async {}
}
