import Belfry
import BelfryRecurrence

extension ZoneRules {
    /// Returns the zone given with `--zone`, or the system's zone.
    static func option(_ name: String?) throws(NoticeError) -> ZoneRules {
        guard let name else { return .system() }
        do throws(RecurrenceError) { return try .named(name) } catch { throw NoticeError(error) }
    }
}
