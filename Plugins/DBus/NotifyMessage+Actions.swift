import Belfry
import BelfryServers

extension NotifyMessage.Writer {
    static let replyKey = "inline-reply"
    /// Keys that servers give a meaning to; an app's own identifier must not get it by chance.
    private static let special: Set<String> = [NoticeAction.defaultID, "settings", replyKey]

    /// Key, label, key, label…
    mutating func actions() -> [String] {
        let given = delivery.content.actions
        usesActionIcons = canUseIcons(of: given)
        var actions: [String] = []
        for action in given {
            let key = usesActionIcons ? iconKey(of: action) : key(of: action)
            if key != action.id { identifiers[key] = action.id }
            actions += [key, action.title]
        }
        return actions
    }

    /// A server that draws icons takes the keys for their names: every button must have one, and each another.
    private func canUseIcons(of actions: [NoticeAction]) -> Bool {
        guard server.features.contains(.actionIcons) else { return false }
        let icons = actions.filter { !Self.isFieldOrClick($0) }.map { $0.icon ?? "" }
        return !icons.isEmpty && Set(icons).count == icons.count
            && icons.allSatisfy { !$0.isEmpty && !Self.special.contains($0) }
    }

    private static func isFieldOrClick(_ action: NoticeAction) -> Bool {
        if case .reply = action.kind { true } else { action.id == NoticeAction.defaultID }
    }

    private mutating func iconKey(of action: NoticeAction) -> String {
        guard !Self.isFieldOrClick(action), let icon = action.icon else { return key(of: action) }
        return icon
    }

    private mutating func key(of action: NoticeAction) -> String {
        let identifier = action.id
        if identifier == NoticeAction.defaultID { return identifier }
        if case .reply = action.kind {
            // Also where it is called so: what is in the table is the field.
            identifiers[Self.replyKey] = identifier
            return Self.replyKey
        }
        let isPlain =
            !Self.special.contains(identifier.lowercased()) && identifier.utf8.count <= 64
            && !identifier.hasPrefix("belfry-action-") && !identifier.unicodeScalars.contains { $0.value < 0x20 }
        return isPlain ? identifier : "belfry-action-\(identifiers.count)"
    }
}
