/// How much a notice may disturb.
///
/// | level | urgency on the bus | quiet hours |
/// |---|---|---|
/// | passive | low | wait |
/// | active | normal | wait |
/// | timeSensitive | normal | pass |
/// | critical | critical | pass |
public enum InterruptionLevel: String, Sendable, Codable, Hashable, CaseIterable, Comparable {
    case passive, active, timeSensitive, critical

    private var rank: Int {
        switch self {
        case .passive: 0
        case .active: 1
        case .timeSensitive: 2
        case .critical: 3
        }
    }

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}
