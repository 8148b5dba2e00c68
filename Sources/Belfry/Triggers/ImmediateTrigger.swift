/// Fires as soon as the request is stored, like a request without a trigger.
///
/// ```swift
/// try await center.add(NoticeRequest(id: "backup", title: "Backup done", trigger: .now))
/// ```
public struct ImmediateTrigger: NoticeTrigger {
    public static let kind: TriggerKind = "immediate"
    public var repeats: Bool { false }
    /// Creates a trigger that is due as soon as the center runs.
    public init() {}
}

extension NoticeTrigger where Self == ImmediateTrigger {
    /// Fires as soon as the center runs.
    public static var now: ImmediateTrigger { ImmediateTrigger() }
}
