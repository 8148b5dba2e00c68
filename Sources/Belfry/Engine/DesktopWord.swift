/// What the desktop's own settings said last about the app.
struct DesktopWord {
    private var known: (value: DesktopPermission, boot: Int64)?
    /// The question that is under way.
    var question: Task<DesktopPermission?, Never>?
    /// It was waited for in vain, and has said nothing since.
    private(set) var isSilent = false

    /// How long it holds; microseconds.
    private static let span: Int64 = 5_000_000

    var value: DesktopPermission? { known?.value }

    /// Nil where it is too old.
    func value(at boot: Int64) -> DesktopPermission? {
        guard let known, (0..<Self.span).contains(boot - known.boot) else { return nil }
        return known.value
    }

    mutating func keep(_ found: DesktopPermission, at boot: Int64) {
        known = (found, boot)
        isSilent = false
    }

    mutating func noteSilence() { isSilent = true }
}
