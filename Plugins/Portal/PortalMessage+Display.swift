import Belfry
import BelfryBus

/// How and where a notification is shown.
extension PortalMessage {
    /// The values of `display-hint`. The portal refuses the whole notice for any other value.
    private enum DisplayHint: String {
        case transient, tray, persistent
        case isHiddenOnLockScreen = "hide-on-lock-screen"
        case hidesContentOnLockScreen = "hide-content-on-lock-screen"
        case isShownAsNew = "show-as-new"
    }

    mutating func addDisplayHints() {
        let hints = hints()
        guard profile.version > 1 else {
            for (hint, feature) in hints {
                guard let feature else { continue }
                lost.add(feature, "this version of the portal has no hint '\(hint.rawValue)'")
            }
            return
        }
        guard !hints.isEmpty else { return }
        add("display-hint", .strings(hints.map(\.hint.rawValue)), losing: hints.compactMap(\.lost))
    }

    /// The hints, each with the feature that is lost without it; nil if other entries express nearly the same.
    private func hints() -> [(hint: DisplayHint, lost: Feature?)] {
        let desktop = content.desktop
        var hints: [(DisplayHint, Feature?)] = []
        if desktop.isTransient {
            hints.append((.transient, .transient))
        } else if content.level == .passive {
            // "It's a programmer error to specify `transient` at the same time."
            hints.append((.tray, nil))
        }
        if desktop.isPersistent { hints.append((.persistent, .persistent)) }
        switch desktop.privacy {
        case .hidden: hints.append((.isHiddenOnLockScreen, .privacy))
        case .contentHidden: hints.append((.hidesContentOnLockScreen, .privacy))
        case .visible, nil: break
        }
        // A repeated notice should alert the user again; a progress update should not.
        if delivery.replaces != nil, content.progress == nil { hints.append((.isShownAsNew, nil)) }
        return hints
    }

    /// Adds the category, which buttons may require. The portal refuses the whole notice for an unknown one.
    mutating func addCategory() {
        let ofButtons = content.actions.compactMap { purpose(of: $0)?.category }.first
        guard let wanted = content.desktop.category ?? ofButtons else { return }
        if profile.categories.contains(wanted) {
            add("category", .string(wanted), losing: [.category])
        } else if content.desktop.category != nil {
            lost.add(.category, "the portal does not know '\(wanted)'")
        }
    }
}
