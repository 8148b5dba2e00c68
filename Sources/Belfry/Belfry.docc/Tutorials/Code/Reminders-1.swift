import Belfry
import Foundation

/// Reminders of the user: each is a notice at its date, with a button to finish it and one to snooze it.
public struct Reminders: Sendable {
    private let center: NoticeCenter

    public init(center: NoticeCenter) {
        self.center = center
    }
}
