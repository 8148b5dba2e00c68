import Belfry
import BelfryBus

/// The notification of `AddNotification` for one delivery, and what it costs.
struct PortalMessage {
    typealias Feature = DeliveryReceipt.LostFeature.Feature

    let delivery: Delivery
    let profile: PortalProfile
    private(set) var lost: [DeliveryReceipt.LostFeature]
    /// What goes too where only the plain one is taken; each detail follows the reason.
    private(set) var lostWhenPlain: [DeliveryReceipt.LostFeature] = []
    /// What every portal takes.
    private var base: [String: BusValue] = [:]
    /// What a portal may find fault with, by which it replaces what is in `base`.
    private var extras: [String: BusValue] = [:]

    /// The action of every button: which one it was stands in its target.
    static let action = "belfry-answer"

    var content: NoticeContent { delivery.content }

    init(_ delivery: Delivery, for profile: PortalProfile) {
        self.delivery = delivery
        self.profile = profile
        lost = delivery.lost
        addTexts()
        base["priority"] = .string(priority)
        // A click on the notice is an answer, asked for or not.
        base["default-action"] = .string(Self.action)
        base["default-action-target"] = target(NoticeAction.defaultID)
        let icon = icon()
        add("icon", icon, losing: .icon)
        let sound = sound()
        add("sound", sound, losing: .sound)
        addTransience()
        let replies = profile.hasReply && content.actions.contains { $0.isReply }
        addCategory(replies: replies)
        addButtons(replies: replies)
        noteRest()
    }

    /// `a{sv}`, with all that the portal may know.
    var full: BusValue { .options(base.merging(extras) { $1 }) }
    /// Without what a portal may find fault with; nil where that is the same.
    var plain: BusValue? { lostWhenPlain.isEmpty ? nil : .options(base) }

    mutating func lose(_ feature: Feature, _ detail: String) {
        lost.append(DeliveryReceipt.LostFeature(feature, detail))
    }

    private mutating func add(_ key: String, _ extra: BusValue?, losing feature: Feature, _ detail: String = "") {
        guard let extra else { return }
        extras[key] = extra
        lostWhenPlain.append(DeliveryReceipt.LostFeature(feature, detail))
    }

    /// The subtitle, which the portal doesn't know, is the body's first line. A title is never empty.
    private mutating func addTexts() {
        var title = content.title
        var subtitle = content.subtitle
        if title.isEmpty {
            title = subtitle.isEmpty ? delivery.app.name : subtitle
            subtitle = ""
        }
        base["title"] = .string(title)
        let isMarkup = content.bodyFormat == .markup && profile.version > 1
        let parts = [isMarkup ? Self.escaped(subtitle) : subtitle, content.body].filter { !$0.isEmpty }
        let body = parts.joined(separator: "\n")
        base[isMarkup ? "markup-body" : "body"] = .string(body)
        if isMarkup, body.contains("\n") {
            lose(.markup, "the portal makes spaces of the line breaks in a text with markup")
        }
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }

    private var priority: String {
        switch content.level {
        case .passive: "low"
        case .active: "normal"
        case .timeSensitive: "high"
        case .critical: "urgent"
        }
    }

    private mutating func addTransience() {
        guard content.desktop.isTransient else { return }
        guard profile.version > 1 else { return lose(.transient, "this version of the portal has no such hint") }
        add("display-hint", .strings(["transient"]), losing: .transient)
    }

    /// The portal refuses the whole notice for a category that it does not know. A reply field belongs to one of them.
    private mutating func addCategory(replies: Bool) {
        guard let wanted = content.desktop.category ?? (replies ? "im.received" : nil) else { return }
        if profile.categories.contains(wanted) {
            add("category", .string(wanted), losing: .category)
        } else if content.desktop.category != nil {
            lose(.category, "the portal does not know '\(wanted)'")
        }
    }

    private mutating func addButtons(replies: Bool) {
        let actions = content.actions.filter { $0.id != NoticeAction.defaultID }
        guard !actions.isEmpty else { return }
        var buttons = actions.map(button)
        let list = { (buttons: [[String: BusValue]]) in
            BusValue.array(of: .dictionary(key: .string, value: .variant), buttons.map(BusValue.options))
        }
        base["buttons"] = list(buttons)
        guard replies, let first = actions.firstIndex(where: \.isReply) else { return }
        buttons[first]["purpose"] = .string(PortalProfile.replyPurpose)
        add("buttons", list(buttons), losing: .reply, ": it is a button")
        for other in actions[(first + 1)...] where other.isReply {
            lose(.reply, "'\(other.id)' is a button: there is one reply field")
        }
    }

    private func button(_ action: NoticeAction) -> [String: BusValue] {
        [
            "label": .string(action.title.isEmpty ? action.id : action.title), "action": .string(Self.action),
            "target": target(action.id),
        ]
    }

    private func target(_ action: String) -> BusValue { .string(PortalTarget(delivery.id, action).text) }

    private mutating func noteRest() {
        if content.desktop.expiry != .serverDefault {
            lose(.expiry, "the desktop behind the portal decides how long it shows a notice")
        }
        if content.desktop.isResident {
            lose(.resident, "the desktop behind the portal decides what an answer leaves standing")
        }
        if !content.desktop.hints.isEmpty {
            lose(.hint, "the portal takes no hints: \(content.desktop.hints.keys.sorted().joined(separator: ", "))")
        }
        for action in content.actions where action.icon != nil {
            lose(.icon, "the portal draws no icon on '\(action.id)'")
        }
    }
}

extension NoticeAction {
    fileprivate var isReply: Bool {
        if case .reply = kind { true } else { false }
    }
}
