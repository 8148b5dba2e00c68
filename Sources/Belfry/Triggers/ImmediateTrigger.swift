/// Fires as soon as the request is stored; the same as no trigger.
public struct ImmediateTrigger: NoticeTrigger {
    public static let kind: TriggerKind = "immediate"
    public var repeats: Bool { false }
    public init() {}
}

extension NoticeTrigger where Self == ImmediateTrigger {
    public static var now: ImmediateTrigger { ImmediateTrigger() }
}
