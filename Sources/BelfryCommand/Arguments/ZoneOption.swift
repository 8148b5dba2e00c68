import BelfryRecurrence

/// The zone after `--zone`; the system's where there is none.
enum ZoneOption {
    static func rules(_ name: String?) throws(CommandFailure) -> ZoneRules {
        guard let name else { return ZoneRules.system() }
        do throws(RecurrenceError) {
            return try ZoneRules.named(name)
        } catch { throw CommandFailure(error) }
    }
}
