/// What becomes of a due time that passed while nothing could fire: power off, a crash, suspend, a stopped server.
///
/// A repeating request delivers the latest missed occurrence once, never all of them.
public enum MisfirePolicy: Sendable, Codable, Hashable {
    /// Shown late, if not later than `within` (nil: without limit). Also how long a failed delivery is retried.
    case deliver(within: Duration?)
    /// Not shown at all when it is later than two seconds; the history says so.
    case skip

    /// Shown however late.
    public static let deliver = MisfirePolicy.deliver(within: nil)

    private enum CodingKeys: String, CodingKey {
        case deliver = "deliverLate"
        case skip
    }

    /// The lateness that is still shown; nil is without limit.
    var window: Duration? {
        switch self {
        case .deliver(let within): within
        case .skip: .seconds(2)
        }
    }
}
