public import Belfry

extension ScheduleSimulation {
    /// The user's response to a notice, and its delay after the showing.
    public struct Response: Sendable, Hashable {
        let kind: NoticeResponse.Kind
        let delay: Duration

        /// Clicks on the notice itself. Negative delays count as zero.
        public static func open(after delay: Duration = .zero) -> Self { Self(kind: .opened, delay: delay) }

        /// Presses the button with the given action identifier.
        public static func action(_ identifier: String, after delay: Duration = .zero) -> Self {
            Self(kind: .action(identifier), delay: delay)
        }

        /// Types a reply into the field of the given action.
        public static func reply(_ text: String, to action: String, after delay: Duration = .zero) -> Self {
            Self(kind: .reply(action: action, text: text), delay: delay)
        }

        /// Snoozes the notice, by one of its buttons or in the app.
        public static func snooze(_ choice: SnoozeChoice, after delay: Duration = .zero) -> Self {
            Self(kind: .action(choice.actionID), delay: delay)
        }

        /// Closes the notice.
        public static func dismiss(after delay: Duration = .zero) -> Self { Self(kind: .dismissed, delay: delay) }
    }
}
