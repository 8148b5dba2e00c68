import Belfry
import BelfryRecurrence

extension ZoneRules {
    /// The zone after `--zone`; the system's where there is none.
    static func option(_ name: String?) throws(NoticeError) -> ZoneRules {
        guard let name else { return .system() }
        do throws(RecurrenceError) { return try .named(name) } catch { throw NoticeError(error) }
    }
}
