import Belfry
import BelfryBus
import BelfryServers
import FoundationEssentials

extension NotifyMessage.Writer {
    /// Returns the hints (Desktop Notifications Specification 1.3, "Hints"), each with its type. A field of the content
    /// takes precedence over one of the app's hints, and dropped hints are reported as lost.
    mutating func hints() throws(NoticeError) -> [String: BusValue] {
        var hints = fields()
        for (name, hint) in delivery.content.desktop.hints.sorted(by: { $0.key < $1.key }) {
            if hints[name] != nil {
                delivery.lost.add(.hint, "'\(name)' is not sent: a field of the content says it")
            } else {
                hints[name] = Self.value(of: try HintType.checked(hint, named: name))
            }
        }
        return hints
    }

    static let repeatedHint = "x-belfry-possibly-repeated"

    private static func value(of hint: NoticeContent.Hint) -> BusValue {
        switch hint {
        case .bool(let flag): .boolean(flag)
        case .byte(let number): .byte(number)
        case .int(let number): .int32(number)
        case .int64(let number): .int64(number)
        case .uint(let number): .uint32(number)
        case .double(let number): .double(number)
        case .string(let text): .string(text)
        }
    }

    private func fields() -> [String: BusValue] {
        let content = delivery.content
        var hints: [String: BusValue] = [
            "urgency": .byte(content.level == .passive ? 0 : content.level == .critical ? 2 : 1),
            "desktop-entry": .string(delivery.app.id),
            "sender-pid": .int64(Int64(ProcessInfo.processInfo.processIdentifier)),
        ]
        if let category = content.desktop.category { hints["category"] = .string(category) }
        if content.desktop.isTransient { hints["transient"] = .boolean(true) }
        if content.desktop.isResident { hints["resident"] = .boolean(true) }
        // Belfry's own hint: the specification has none for this, and servers ignore unknown hints.
        if delivery.isPossiblyRepeated { hints[Self.repeatedHint] = .boolean(true) }
        if usesActionIcons { hints["action-icons"] = .boolean(true) }
        if let progress = content.progress {
            // NaN becomes 0.
            let percent = progress > 0 ? min(progress, 1) * 100 : 0
            hints["value"] = .int32(Int32(percent.rounded()))
        }
        setSound(&hints)
        setImage(&hints)
        if server.listed.contains("x-kde-urls"), !content.attachments.isEmpty {
            hints["x-kde-urls"] = .strings(content.attachments.map { Self.address($0.path) })
        }
        if identifiers[Self.replyKey] != nil { setReply(&hints) }
        return hints
    }

    private func setSound(_ hints: inout [String: BusValue]) {
        switch delivery.content.sound {
        case .standard: hints["sound-name"] = .string("message-new-instant")
        case .named(let name): hints["sound-name"] = .string(name)
        case .file(let path): hints["sound-file"] = .string(path)
        case .silent: hints["suppress-sound"] = .boolean(true)
        case nil: break
        }
    }

    private func setImage(_ hints: inout [String: BusValue]) {
        switch delivery.content.image {
        case .named(let name): hints["image-path"] = .string(name)
        case .file(let path): hints["image-path"] = .string(server.known.pictures == .path ? path : Self.address(path))
        case .pixels(let pixels): hints[server.known.pixelsHint] = pixels.hint
        case nil: break
        }
    }

    /// Sets KDE's extension, which others support too: the placeholder of the field, and the label of its button.
    private func setReply(_ hints: inout [String: BusValue]) {
        for action in delivery.content.actions {
            guard case .reply(let placeholder) = action.kind else { continue }
            if !placeholder.isEmpty { hints["x-kde-reply-placeholder-text"] = .string(placeholder) }
            if !action.title.isEmpty { hints["x-kde-reply-submit-button-text"] = .string(action.title) }
            return
        }
    }
}
