import Belfry
import BelfryBus
import BelfryServers

/// The notification of `AddNotification` for one delivery, and the features that are lost.
struct PortalMessage {
    typealias Feature = DeliveryReceipt.LostFeature.Feature

    let delivery: Delivery
    let profile: PortalProfile
    /// The notice's name, where responses come as calls of the app; nil: they come as signals.
    let calledHandle: String?
    var lost: [DeliveryReceipt.LostFeature]
    /// The features that are also lost if only the plain notification is accepted; each detail follows the reason.
    private(set) var lostWhenPlain: [DeliveryReceipt.LostFeature] = []
    /// The entries that every portal accepts.
    var base: [String: BusValue] = [:]
    /// Entries that a portal may refuse; they replace those in `base`.
    private var extras: [String: BusValue] = [:]

    var content: NoticeContent { delivery.content }
    var buttonAction: String { calledHandle == nil ? PortalTarget.action : PortalTarget.appAction }

    init(_ delivery: Delivery, for profile: PortalProfile, calledHandle: String? = nil) {
        self.delivery = delivery
        self.profile = profile
        self.calledHandle = calledHandle
        lost = delivery.lost
        addTexts()
        base["priority"] = .string(priority)
        // A click on the notice is a response even if the app defines no action for it.
        base["default-action"] = .string(buttonAction)
        base["default-action-target"] = target(NoticeAction.defaultID)
        let icon = icon()
        add("icon", icon, losing: [.icon])
        let sound = sound()
        add("sound", sound, losing: [.sound])
        addDisplayHints()
        addCategory()
        addButtons()
        noteRest()
    }

    /// The notification `a{sv}` with all entries.
    var full: BusValue { .options(base.merging(extras) { $1 }) }
    /// The notification without the entries that a portal may refuse; nil if no features depend on them.
    var plain: BusValue? { lostWhenPlain.isEmpty ? nil : .options(base) }

    mutating func add(_ key: String, _ extra: BusValue?, losing features: [Feature], _ detail: String = "") {
        guard let extra else { return }
        extras[key] = extra
        lostWhenPlain += features.map { DeliveryReceipt.LostFeature($0, detail) }
    }

    private mutating func addTexts() {
        let isMarkup = content.bodyFormat == .markup && profile.version > 1
        let (title, body) = delivery.titleAndBody(asMarkup: isMarkup)
        base["title"] = .string(title)
        base[isMarkup ? "markup-body" : "body"] = .string(body)
        guard isMarkup else { return }
        if body.contains("\n") { lost.add(.markup, "the portal makes spaces of the line breaks in a text with markup") }
        if body.contains("<u>") { lost.add(.markup, "the portal underlines nothing") }
    }

    private var priority: String {
        switch content.level {
        case .passive: "low"
        case .active: "normal"
        case .timeSensitive: "high"
        case .critical: "urgent"
        }
    }

    private mutating func noteRest() {
        if content.desktop.expiry != .serverDefault {
            lost.add(.expiry, "the desktop behind the portal decides how long it shows a notice")
        }
        if content.desktop.isResident {
            lost.add(.resident, "the desktop behind the portal decides whether a response closes the notice")
        }
        if !content.desktop.hints.isEmpty {
            lost.add(.hint, "the portal takes no hints: \(content.desktop.hints.keys.sorted().joined(separator: ", "))")
        }
        for action in content.actions where action.icon != nil {
            lost.add(.icon, "the portal draws no icon on '\(action.id)'")
        }
    }
}
