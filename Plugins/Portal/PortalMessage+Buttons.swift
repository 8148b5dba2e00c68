import Belfry
import BelfryBus

extension PortalMessage {
    /// The purpose of a button, with the category for which the portal's interface lists it.
    ///
    /// `system.custom-alert` is omitted: it is invoked without the user, and would count as a response.
    struct ButtonPurpose: Equatable {
        let name: String
        let category: String

        static let reply = ButtonPurpose(name: "im.reply-with-text", category: "im.received")

        static func of(_ action: NoticeAction) -> ButtonPurpose? {
            if case .reply = action.kind { return reply }
            return switch action.purpose {
            case .acceptCall: ButtonPurpose(name: "call.accept", category: "call.incoming")
            case .declineCall: ButtonPurpose(name: "call.decline", category: "call.incoming")
            case .hangUp: ButtonPurpose(name: "call.hang-up", category: "call.ongoing")
            case .enableSpeakerphone: ButtonPurpose(name: "call.enable-speakerphone", category: "call.ongoing")
            case .disableSpeakerphone: ButtonPurpose(name: "call.disable-speakerphone", category: "call.ongoing")
            case nil: nil
            }
        }
    }

    /// Returns nil if the desktop doesn't support the purpose: the portal may refuse a notice for that.
    func purpose(of action: NoticeAction) -> ButtonPurpose? {
        ButtonPurpose.of(action).flatMap { profile.purposes.contains($0.name) ? $0 : nil }
    }

    mutating func addButtons() {
        let actions = content.buttons
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
            buttons[index]["purpose"] = .string(purpose.name)
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
        .string(PortalTarget(deliveryID: delivery.id, action: action, handle: calledHandle).text)
    }
}
