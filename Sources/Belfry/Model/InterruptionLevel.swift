/// How much a notice may disturb.
///
/// | level | urgency on the bus | quiet hours |
/// |---|---|---|
/// | passive | low | wait |
/// | active | normal | wait |
/// | timeSensitive | normal | pass |
/// | critical | critical | pass |
public enum InterruptionLevel: String, Sendable, Codable, Hashable, CaseIterable, Comparable {
    /// Quietly: in the list, without a sound.
    case passive
    /// As usual.
    case active
    /// Also during quiet hours.
    case timeSensitive
    /// Also while the user wants to be left alone, where the desktop allows it; it stays until it is closed.
    case critical

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
