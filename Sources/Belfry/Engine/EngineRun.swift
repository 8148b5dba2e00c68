/// The single run of an engine: whether it has begun, and whether it is about to end.
struct EngineRun {
    /// The change to the newest zone, in progress while rules are compiled for it.
    var zoneChange: Task<Void, Never>?
    /// The number of changes of the zone in progress.
    var zoneChangeCount = 0
    /// Nil while nothing can fire.
    var alarm: (any WakeAlarm)?
    /// Called whenever no work is in progress any more: a manual clock waits for that.
    var quietListener: (@Sendable () -> Void)?
    /// Whether due requests fire, or the run has failed to begin.
    var hasBegun = false
    /// True while the run finishes its work in progress.
    var isEnding = false
}
