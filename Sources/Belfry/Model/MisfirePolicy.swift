/// What happens to a due time that passed while nothing could fire: power off, a crash, suspend, a stopped server.
///
/// A repeating request delivers the latest missed occurrence once, never all of them.
///
/// ```swift
/// var tea = NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(240)))
/// tea.misfire = .deliver(within: .seconds(600))
/// ```
public enum MisfirePolicy: Sendable, Codable, Hashable {
    /// Delivered late, but not later than `within` (nil: no limit), which also limits the retries of a failed delivery.
    case deliver(within: Duration?)
    /// Not delivered if it is more than two seconds late; the history records it.
    case skip

    /// Delivered no matter how late.
    public static let deliver = MisfirePolicy.deliver(within: nil)

    private enum CodingKeys: String, CodingKey {
        case deliver = "deliverLate"
        case skip
    }

    /// The maximum delay of a delivery; nil is without limit.
    var window: Duration? {
        switch self {
        case .deliver(let within): within
        case .skip: .seconds(2)
        }
    }
}
