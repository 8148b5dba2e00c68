public import Belfry
public import BelfryBus

/// How an app's center works over the agent.
///
/// There is no place here for a backend, a store, a clock or a prompt: these are the agent's. An app that brings its
/// own uses a center in its own process.
public struct AgentOptions: Sendable {
    /// What becomes of a trigger kind of the app's own, which the agent can't compute.
    public enum CustomTriggers: Sendable, Hashable {
        /// So many of its coming dates are stored, and renewed while the app runs.
        case storeDates(Int)
        /// `add` throws ``Belfry/NoticeError/Code/needsEmbeddedEngine``.
        case refuse
    }

    /// The bus on which the agent is.
    public var bus: BusAddress
    /// How long an answer of the agent may take, its start included; 30 s. A question to the user has no limit here:
    /// the agent ends it.
    public var timeLimit: Duration
    /// The kinds of triggers that this app can read.
    public var triggers: TriggerRegistry
    /// What becomes of triggers of the app's own kind.
    public var customTriggers: CustomTriggers
    /// Makes the content of a due notice anew while the app is connected; the stored content is shown else.
    public var contentProvider: (@concurrent @Sendable (Delivery) async -> NoticeContent)?
    /// What the agent runs when the user answers and the app does not run; the first element is an absolute path. Not
    /// for a sandboxed app.
    public var command: [String]
    /// The app is `DBusActivatable`: the bus can start it under its identifier. Preferred to ``command``.
    public var isActivatable: Bool
    /// The agent's program, started where the bus can't start it; nil looks beside this program and in `PATH`. Empty:
    /// never.
    public var program: String?
    /// What "now" is when dates are computed ahead; a test's own.
    package var clock: any TriggerClock = SystemTriggerClock()

    /// Creates options; each default is what most apps want.
    public init(
        bus: BusAddress = .session,
        timeLimit: Duration = .seconds(30),
        triggers: TriggerRegistry = .standard,
        customTriggers: CustomTriggers = .storeDates(64),
        contentProvider: (@concurrent @Sendable (Delivery) async -> NoticeContent)? = nil,
        command: [String] = [],
        isActivatable: Bool = false,
        program: String? = nil
    ) {
        self.bus = bus
        self.timeLimit = timeLimit
        self.triggers = triggers
        self.customTriggers = customTriggers
        self.contentProvider = contentProvider
        self.command = command
        self.isActivatable = isActivatable
        self.program = program
    }
}
