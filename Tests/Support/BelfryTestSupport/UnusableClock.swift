package import Belfry
package import BelfryRecurrence

/// A clock that reports its own use, to prove that code does not read the time.
///
/// Both of its clocks read zero, and it provides no alarm.
package struct UnusableClock: TriggerClock {
    private let report: @Sendable (String) -> Void

    package init(reporting report: @escaping @Sendable (_ message: String) -> Void) { self.report = report }

    package func now() -> TriggerInstant {
        report(
            "The time was read from a clock that must not be used; give the code under test no reason to, or a clock."
        )
        return TriggerInstant(wall: 0, boot: 0)
    }

    package var bootID: String {
        report("The boot id was read from a clock that must not be used.")
        return "unusable"
    }

    package func systemZone() -> ZoneRules {
        report("The time zone was read from a clock that must not be used.")
        return .utc
    }

    package func makeAlarm() throws(NoticeError) -> any WakeAlarm {
        report("An alarm was asked of a clock that must not be used.")
        throw NoticeError(.systemFailure, "The clock of this test must not be used.")
    }
}

extension NoticeCenter.Clock {
    package static func unusable(reporting report: @escaping @Sendable (_ message: String) -> Void) -> Self {
        Self(UnusableClock(reporting: report))
    }
}
