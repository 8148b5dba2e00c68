import Belfry
import BelfryServers

extension NotifyMessage.Writer {
    static let replyKey = "inline-reply"
    /// Keys to which servers give a meaning; an app's own action identifier must not match one by accident.
    private static let special: Set<String> = [NoticeAction.defaultID, "settings", replyKey]

    /// Returns the keys and labels, alternating.
    mutating func actions() -> [String] {
        let given = delivery.content.actions
        usesActionIcons = canUseIcons(of: given)
        var actions: [String] = []
        for (index, action) in given.enumerated() {
            let key = usesActionIcons ? iconKey(of: action, at: index) : key(of: action, at: index)
            if key != action.id { identifiers[key] = action.id }
            actions += [key, action.title]
        }
        return actions
    }

    /// Returns whether icon names can be the keys. A server that draws icons requires one for each button, all
    /// different.
    private func canUseIcons(of actions: [NoticeAction]) -> Bool {
        guard server.features.contains(.actionIcons) else { return false }
        let icons = actions.filter { !Self.isFieldOrClick($0) }.map { $0.icon ?? "" }
        return !icons.isEmpty && Set(icons).count == icons.count
            && icons.allSatisfy { !$0.isEmpty && !Self.special.contains($0) }
    }

    private static func isFieldOrClick(_ action: NoticeAction) -> Bool {
        if case .reply = action.kind { true } else { action.isClick }
    }

    private mutating func iconKey(of action: NoticeAction, at index: Int) -> String {
        guard !Self.isFieldOrClick(action), let icon = action.icon else { return key(of: action, at: index) }
        return icon
    }

    private mutating func key(of action: NoticeAction, at index: Int) -> String {
        let identifier = action.id
        if action.isClick { return identifier }
        if case .reply = action.kind {
            // Also if its identifier equals the key: the table marks the reply field.
            identifiers[Self.replyKey] = identifier
            return Self.replyKey
        }
        let isPlain =
            !Self.special.contains(identifier.lowercased()) && identifier.utf8.count <= 64
            && !identifier.hasPrefix("belfry-action-") && !identifier.unicodeScalars.contains { $0.value < 0x20 }
        return isPlain ? identifier : "belfry-action-\(index)"
    }
}
