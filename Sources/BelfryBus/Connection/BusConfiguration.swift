/// What a connection does and bears.
public struct BusConfiguration: Sendable, Hashable {
    /// How long an attempt to connect may take, with the greeting.
    public var connectLimit: Duration
    /// When the bus is lost: how it is sought again; nil for never.
    public var reconnection: BusReconnection?
    /// Calls that may wait for their answers at once, from 1 to 100; further ones wait in line. A bus refuses more than
    /// 128 unless its configuration says otherwise.
    public var window: Int
    /// The longest message to send, in bytes. A bus cuts off who sends more than it takes: 128 MiB on the usual session
    /// bus (the protocol's own limit), 32 MiB where its configuration is silent, as the system bus's is.
    public var messageLimit: Int
    /// How much may wait to be taken by the bus before signals are refused, in bytes.
    public var outgoingLimit: Int

    /// Creates a configuration; each default suits a desktop's bus.
    public init(
        connectLimit: Duration = .seconds(10),
        reconnection: BusReconnection? = BusReconnection(),
        window: Int = 64,
        messageLimit: Int = 128 << 20,
        outgoingLimit: Int = 64 << 20
    ) {
        self.connectLimit = connectLimit
        self.reconnection = reconnection
        self.window = min(max(window, 1), 100)
        self.messageLimit = messageLimit
        self.outgoingLimit = outgoingLimit
    }
}

/// How a lost bus is sought: after `first`, then twice as long, up to `longest`. A random part of up to a quarter is
/// added, so that the programs of a session don't come all at once.
public struct BusReconnection: Sendable, Hashable {
    /// The pause before the first attempt.
    public var first: Duration
    /// The longest pause between attempts; pauses double up to it.
    public var longest: Duration

    /// Creates pauses, the first of them longer than zero.
    public init(first: Duration = .milliseconds(100), longest: Duration = .seconds(30)) {
        self.first = first
        self.longest = longest
    }

    /// The wait before attempt number `attempt`, counted from 0.
    func delay(before attempt: Int) -> Duration {
        let doubled = first * (1 << min(attempt, 20))
        let limited = min(max(doubled, .milliseconds(1)), max(longest, .milliseconds(1)))
        return limited + limited / 4 * Double.random(in: 0...1)
    }
}

/// How a connection stands.
public enum BusState: Sendable, Hashable {
    /// Not started, or given up: calls fail at once.
    case idle
    /// An attempt is on its way: calls wait for it.
    case connecting
    /// On the bus, under this unique name.
    case connected(String)
    /// The bus was lost, or not reached; the next attempt is in `retry`. Calls fail at once.
    case disconnected(BusError, retry: Duration)
    /// Closed by its owner, for good.
    case closed
}
