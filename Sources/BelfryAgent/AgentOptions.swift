public import Belfry
public import BelfryBus

/// The options of an app's center that uses the agent.
///
/// A backend, store, clock or prompt can't be set: these are the agent's. An app with its own uses a center in its own
/// process.
///
/// ```swift
/// // The agent starts the program for a response while the app does not run.
/// let options = AgentOptions(timeout: .seconds(5), command: ["/usr/bin/tea", "--response"])
/// let center = NoticeCenter(app: app, agent: options)
/// ```
public struct AgentOptions: Sendable {
    /// What is done with a trigger kind of the app's own, which the agent can't compute.
    public enum CustomTriggers: Sendable, Hashable {
        /// This number of future dates is stored, 10,000 at most, and renewed at each start of the app and while it
        /// runs.
        ///
        /// A request ends for good after its last stored date if the app has not run before. For example, with 64 dates
        /// a kind that fires every 4 hours stops after some ten days.
        case storeDates(Int)
        /// `add` throws ``Belfry/NoticeError/Code/needsEmbeddedEngine``.
        case refuse
    }

    /// The agent's bus.
    public var bus: BusAddress
    /// The timeout of a call to the agent, including its start; 30 s. `requestAuthorization()` has no
    /// timeout here: the agent ends the question. `show` may have to wait for it, too, and takes 5 minutes at most.
    public var timeout: Duration
    /// The trigger kinds that this app can decode.
    public var triggers: TriggerRegistry
    /// What is done with trigger kinds of the app's own.
    public var customTriggers: CustomTriggers
    /// Recomputes the content of a due notice while the app is connected; otherwise the stored content is shown.
    public var contentProvider: (@concurrent @Sendable (Delivery) async -> NoticeContent)?
    /// The command that the agent runs for a response of the user while the app does not run, of at most 32 KiB. The
    /// first element is an absolute path. Not available to a sandboxed app.
    public var command: [String]
    /// Whether the app is `DBusActivatable`: the bus can start it under its identifier. Preferred to ``command``.
    public var isActivatable: Bool
    /// The agent's program, which is started if the bus can't start the agent. Nil searches the directory of this
    /// program and `PATH`; an empty path disables this.
    public var program: String?
    /// The clock for computing dates ahead; tests replace it.
    package var clock: any TriggerClock = SystemTriggerClock()

    /// Creates options; the defaults suit most apps.
    public init(
        bus: BusAddress = .session,
        timeout: Duration = .seconds(30),
        triggers: TriggerRegistry = .standard,
        customTriggers: CustomTriggers = .storeDates(64),
        contentProvider: (@concurrent @Sendable (Delivery) async -> NoticeContent)? = nil,
        command: [String] = [],
        isActivatable: Bool = false,
        program: String? = nil
    ) {
        self.bus = bus
        self.timeout = timeout
        self.triggers = triggers
        self.customTriggers = customTriggers
        self.contentProvider = contentProvider
        self.command = command
        self.isActivatable = isActivatable
        self.program = program
    }
}
