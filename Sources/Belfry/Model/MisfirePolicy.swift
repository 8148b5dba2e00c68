/// What becomes of a due time that passed while nothing could fire: power off, a crash, suspend, a stopped server.
///
/// A repeating request delivers the latest missed occurrence once, never all of them.
public enum MisfirePolicy: Sendable, Codable, Hashable {
    /// Shown late, if not later than `within` (nil: without limit). Also how long a failed delivery is retried.
    case deliverLate(within: Duration?)
    /// Not shown at all when it is later than two seconds; the history says so.
    case skip

    /// Shown however late.
    public static let deliverLate = MisfirePolicy.deliverLate(within: nil)

    /// The lateness that is still shown; nil is without limit.
    var window: Duration? {
        switch self {
        case .deliverLate(let within): within
        case .skip: .seconds(2)
        }
    }
}
