/// How much a notice may disturb.
///
/// | level | urgency on D-Bus | quiet hours |
/// |---|---|---|
/// | passive | low | deferred |
/// | active | normal | deferred |
/// | timeSensitive | normal | shown |
/// | critical | critical | shown |
///
/// ```swift
/// let alarm = NoticeContent(title: "Smoke in the server room", level: .critical)
/// let news = NoticeContent(title: "12 photos were imported", level: .passive)
/// ```
public enum InterruptionLevel: String, Sendable, Codable, Hashable, CaseIterable, Comparable {
    /// Shown quietly: in the list, without a sound.
    case passive
    /// Shown as usual.
    case active
    /// Shown also during quiet hours.
    case timeSensitive
    /// Shown also in do-not-disturb mode, if the desktop allows it; it stays until it is closed.
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
