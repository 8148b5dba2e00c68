package import Belfry

extension NoticeContent.Desktop.Expiry {
    /// The milliseconds of the notification protocol; −1 for the server's own choice, 0 for never. Rounded up: less
    /// than a millisecond must not become "never".
    package var milliseconds: Int32 {
        switch self {
        case .serverDefault: -1
        case .never: 0
        case .after(let duration): Int32(clamping: max(1, (duration.microseconds + 999) / 1_000))
        }
    }
}
