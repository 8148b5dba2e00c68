/// The timeouts and limits of a connection.
///
/// ```swift
/// // For a program that makes one call: it fails soon without a bus, and doesn't reconnect.
/// let configuration = BusConfiguration(connectTimeout: .seconds(2), reconnection: nil)
/// let bus = BusConnection(configuration: configuration)
/// ```
public struct BusConfiguration: Sendable, Hashable {
    /// The timeout of an attempt to connect, including the greeting.
    public var connectTimeout: Duration
    /// The pauses between attempts to reconnect after the bus is lost; nil to never reconnect.
    public var reconnection: BusReconnection?
    /// The maximum number of calls that await a reply at once, from 1 to 100; further ones queue. A bus refuses more
    /// than 128 unless configured otherwise.
    public var window: Int
    /// The longest message to send, in bytes. A bus disconnects clients that send longer messages than it accepts. The
    /// limit is 128 MiB on the usual session bus (the protocol's own), and 32 MiB by default, as on the system bus.
    public var messageLimit: Int
    /// The number of unsent bytes above which signals, and calls without reply, are refused.
    public var outgoingLimit: Int

    /// Creates a configuration; the defaults suit a desktop's bus.
    public init(
        connectTimeout: Duration = .seconds(10),
        reconnection: BusReconnection? = BusReconnection(),
        window: Int = 64,
        messageLimit: Int = 128 << 20,
        outgoingLimit: Int = 64 << 20
    ) {
        self.connectTimeout = connectTimeout
        self.reconnection = reconnection
        self.window = min(max(window, 1), 100)
        self.messageLimit = messageLimit
        self.outgoingLimit = outgoingLimit
    }
}

/// The pauses between attempts to reconnect: `first`, then doubled each time up to `longest`. Each gets up to a quarter
/// of random jitter, so that the programs of a session don't all reconnect at once.
///
/// ```swift
/// let patient = BusReconnection(first: .seconds(1), longest: .seconds(300))
/// let bus = BusConnection(configuration: BusConfiguration(reconnection: patient))
/// ```
public struct BusReconnection: Sendable, Hashable {
    /// The pause before the first attempt.
    public var first: Duration
    /// The longest pause between attempts; pauses double up to it.
    public var longest: Duration

    /// Creates pauses; `first` must be longer than zero.
    public init(first: Duration = .milliseconds(100), longest: Duration = .seconds(30)) {
        self.first = first
        self.longest = longest
    }

    /// The pause before attempt number `attempt`, counted from 0.
    package func delay(before attempt: Int) -> Duration {
        let doubled = first * (1 << min(attempt, 20))
        let limited = min(max(doubled, .milliseconds(1)), max(longest, .milliseconds(1)))
        return limited + limited / 4 * Double.random(in: 0...1)
    }
}

/// The state of a connection.
///
/// ```swift
/// for await state in connection.states() {
///     switch state {
///     case .connected(let name): print("connected as \(name)")
///     case .disconnected(let error, let pause): print("\(error) The next attempt is in \(pause).")
///     case .idle, .connecting, .closed: break
///     }
/// }
/// ```
public enum BusState: Sendable, Hashable {
    /// Not started, or given up: calls fail immediately.
    case idle
    /// An attempt is in progress: calls wait for it.
    case connecting
    /// Connected, with this unique name.
    case connected(String)
    /// The bus was lost or not reached; the next attempt is in `retry`. Calls fail immediately.
    case disconnected(BusError, retry: Duration)
    /// Closed permanently by its owner.
    case closed
}
