import Belfry
import BelfryBus

extension PortalMessage {
    /// The purpose of a button, with the category for which the portal's interface lists it.
    ///
    /// `system.custom-alert` is omitted: it is invoked without the user, and would count as a response.
    enum ButtonPurpose: String {
        case reply = "im.reply-with-text"
        case acceptCall = "call.accept"
        case declineCall = "call.decline"
        case hangUp = "call.hang-up"
        case enableSpeakerphone = "call.enable-speakerphone"
        case disableSpeakerphone = "call.disable-speakerphone"

        var category: String {
            switch self {
            case .reply: "im.received"
            case .acceptCall, .declineCall: "call.incoming"
            case .hangUp, .enableSpeakerphone, .disableSpeakerphone: "call.ongoing"
            }
        }

        init?(_ action: NoticeAction) {
            if case .reply = action.kind {
                self = .reply
                return
            }
            switch action.purpose {
            case .acceptCall: self = .acceptCall
            case .declineCall: self = .declineCall
            case .hangUp: self = .hangUp
            case .enableSpeakerphone: self = .enableSpeakerphone
            case .disableSpeakerphone: self = .disableSpeakerphone
            case nil: return nil
            }
        }
    }

    /// Returns nil if the desktop doesn't support the purpose: the portal may refuse a notice for that.
    func purpose(of action: NoticeAction) -> ButtonPurpose? {
        ButtonPurpose(action).flatMap { profile.purposes.contains($0.rawValue) ? $0 : nil }
    }

    mutating func addButtons() {
        let actions = content.actions.filter { $0.id != NoticeAction.defaultID }
        guard !actions.isEmpty else { return }
        let plain = actions.map(button)
        base["buttons"] = Self.list(plain)
        let field = actions.firstIndex { purpose(of: $0) == .reply }
        var buttons = plain
        for (index, action) in actions.enumerated() {
            guard let purpose = purpose(of: action) else { continue }
            guard purpose != .reply || index == field else {
                lost.add(.reply, "'\(action.id)' is a button: there is one reply field")
                continue
            }
            buttons[index]["purpose"] = .string(purpose.rawValue)
        }
        guard buttons != plain else { return }
        if field == nil {
            add("buttons", Self.list(buttons), losing: [.buttons], ": they are plain ones")
        } else {
            add("buttons", Self.list(buttons), losing: [.reply], ": it is a button")
        }
    }

    private static func list(_ buttons: [[String: BusValue]]) -> BusValue {
        .array(of: .dictionary(key: .string, value: .variant), buttons.map(BusValue.options))
    }

    /// Returns a button, always with a label, because the desktop may draw it like any other.
    private func button(_ action: NoticeAction) -> [String: BusValue] {
        [
            "label": .string(action.title.isEmpty ? action.id : action.title), "action": .string(buttonAction),
            "target": target(action.id),
        ]
    }

    func target(_ action: String) -> BusValue {
        .string(PortalTarget(delivery.id, action, under: calledHandle).text)
    }
}
