/// The clock by which a center fires.
///
/// ``system`` is the machine's. The module `BelfryTesting` adds `.manual(_:)`, a clock that a test moves.
public struct NoticeClock: Sendable {
    package let clock: any TriggerClock

    package init(_ clock: any TriggerClock) { self.clock = clock }

    /// The machine's clocks. A request that is due while the machine is suspended fires when it resumes.
    public static let system = NoticeClock(SystemTriggerClock())
}
