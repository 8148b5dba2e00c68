import Belfry
import BelfryServers

extension NotifyMessage {
    static let replyKey = "inline-reply"
    /// Keys that servers give a meaning to; an app's own identifier must not get it by chance.
    private static let special: Set<String> = [NoticeAction.defaultIdentifier, "settings", replyKey]

    /// Key, label, key, label…
    mutating func actions() -> [String] {
        guard server.features.contains(.actions) else { return [] }
        let given = delivery.content.actions
        usesActionIcons = canUseIcons(of: given)
        var actions: [String] = []
        for (index, action) in given.enumerated() {
            let key = usesActionIcons ? iconKey(of: action, at: index) : key(of: action, at: index)
            if key != action.identifier { identifiers[key] = action.identifier }
            // An action without a label makes some servers drop all of them; some draw the default one as a button.
            let name = action.identifier == NoticeAction.defaultIdentifier ? delivery.app.name : action.identifier
            actions += [key, action.title.isEmpty ? String(name.prefix(64)) : action.title]
        }
        let hasDefault = given.contains { $0.identifier == NoticeAction.defaultIdentifier }
        // A click on the notice is an answer, asked for or not. Where it is drawn it would be a button that nobody
        // asked for: there it is sent where the app names it.
        if !hasDefault, server.known.defaultAction == .hidden {
            actions = [NoticeAction.defaultIdentifier, delivery.app.name] + actions
        }
        if server.known.buttons == .inMenu, given.count > (hasDefault ? 1 : 0) {
            lose(.buttons, "\(server.name) draws no buttons: the actions are in its menu")
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
        if case .reply = action.kind { true } else { action.identifier == NoticeAction.defaultIdentifier }
    }

    private mutating func iconKey(of action: NoticeAction, at index: Int) -> String {
        guard !Self.isFieldOrClick(action), let icon = action.icon else { return key(of: action, at: index) }
        return icon
    }

    private mutating func key(of action: NoticeAction, at index: Int) -> String {
        let identifier = action.identifier
        if identifier == NoticeAction.defaultIdentifier { return identifier }
        if case .reply = action.kind, server.features.contains(.reply) {
            if identifiers[Self.replyKey] == nil {
                // Also where it is called so: what is in the table is the field.
                identifiers[Self.replyKey] = identifier
                return Self.replyKey
            }
            lose(.reply, "'\(identifier)' is a button: there is one reply field")
        }
        let isPlain =
            !Self.special.contains(identifier.lowercased()) && identifier.utf8.count <= 64
            && !identifier.hasPrefix("belfry-action-") && !identifier.unicodeScalars.contains { $0.value < 0x20 }
        return isPlain ? identifier : "belfry-action-\(index)"
    }
}
