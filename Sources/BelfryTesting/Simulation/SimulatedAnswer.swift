public import Belfry

/// What the user does about a notice in a ``ScheduleSimulation``, and how long after it was shown.
public struct SimulatedAnswer: Sendable, Hashable {
    let kind: NoticeResponse.Kind
    let delay: Duration

    /// Clicks on the notice itself. Delays below zero are none.
    public static func open(after delay: Duration = .zero) -> Self { Self(kind: .opened, delay: delay) }

    /// Presses a button, by its identifier.
    public static func action(_ identifier: String, after delay: Duration = .zero) -> Self {
        Self(kind: .action(identifier), delay: delay)
    }

    /// Types into a reply field, by its action's identifier.
    public static func reply(_ text: String, to action: String, after delay: Duration = .zero) -> Self {
        Self(kind: .reply(action: action, text: text), delay: delay)
    }

    /// Puts the notice off, by a button of it or in the app.
    public static func snooze(_ choice: SnoozeChoice, after delay: Duration = .zero) -> Self {
        Self(kind: .action(choice.actionID), delay: delay)
    }

    /// Closes the notice.
    public static func dismiss(after delay: Duration = .zero) -> Self { Self(kind: .dismissed, delay: delay) }
}
