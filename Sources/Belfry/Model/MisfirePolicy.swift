/// What happens to a due time that passed while nothing could fire: power off, a crash, suspend, a stopped server.
///
/// A repeating request delivers the latest missed occurrence once, never all of them.
///
/// ```swift
/// var tea = NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(240)))
/// tea.misfire = .deliver(within: .seconds(600))
/// ```
public enum MisfirePolicy: Sendable, Codable, Hashable {
    /// Delivered late, but not later than `within` (nil: no limit; at least two seconds), which also limits the retries
    /// of a failed delivery.
    case deliver(within: Duration?)
    /// Not delivered if it is more than two seconds late; the history records it.
    case skip

    /// Delivered no matter how late.
    public static let deliver = MisfirePolicy.deliver(within: nil)

    private enum CodingKeys: String, CodingKey {
        case deliver = "deliverLate"
        case skip
    }

    /// A delay up to which a delivery is on time: no process is woken up to the microsecond.
    private static let punctuality = Duration.seconds(2)

    /// The maximum delay of a delivery; nil is without limit.
    var window: Duration? {
        switch self {
        case .deliver(let within): within.map { max($0, Self.punctuality) }
        case .skip: Self.punctuality
        }
    }
}
