/// The type that a hint must have. A wrong type is serious: GNOME Shell never replies to such a call.
package enum HintType: String, Sendable {
    case boolean, byte, int32, int64, string
    /// A type that ``NoticeContent.Hint`` can't express: a field of the content sets it.
    case field

    /// From the Desktop Notifications Specification 1.3, "Hints", followed by the extensions of servers.
    package static let known: [String: HintType] = [
        "action-icons": .boolean, "category": .string, "desktop-entry": .string, "image-data": .field,
        "image_data": .field, "icon_data": .field, "image-path": .string, "image_path": .string, "resident": .boolean,
        "sound-file": .string, "sound-name": .string, "suppress-sound": .boolean, "transient": .boolean, "x": .int32,
        "y": .int32, "urgency": .byte, "sender-pid": .int64, "value": .int32,
        "synchronous": .string, "private-synchronous": .string, "x-canonical-private-synchronous": .string,
        "x-dunst-stack-tag": .string, "x-canonical-append": .string, "x-gnome-privacy-scope": .string,
        "x-kde-appname": .string, "x-kde-display-appname": .string, "x-kde-origin-name": .string,
        "x-kde-eventId": .string, "x-kde-user-action-feedback": .boolean, "x-kde-urls": .field,
        "x-kde-reply-placeholder-text": .string, "x-kde-reply-submit-button-text": .string,
        "x-kde-reply-submit-button-icon-name": .string,
    ]

    /// Returns the hint with the required type: a number is converted to the required width if it fits, and 0 and 1 to
    /// a Boolean. Throws ``NoticeError/Code/invalidContent`` if the value can't be converted.
    package static func checked(_ hint: NoticeContent.Hint, named name: String) throws(NoticeError)
        -> NoticeContent.Hint
    {
        guard let type = known[name] else { return hint }
        if let value = type.value(of: hint) { return value }
        let wanted =
            type == .field ? "is set by a field of the content, not by a hint" : "must be of the type \(type.rawValue)"
        throw NoticeError(.invalidContent, "The hint '\(name)' is \(hint), and \(wanted).")
    }

    private func value(of hint: NoticeContent.Hint) -> NoticeContent.Hint? {
        switch (self, hint) {
        case (.string, .string), (.boolean, .bool): hint
        case (.boolean, _): Self.integer(hint).flatMap { [0, 1].contains($0) ? .bool($0 == 1) : nil }
        case (.byte, _): Self.integer(hint).flatMap(UInt8.init(exactly:)).map(NoticeContent.Hint.byte)
        case (.int32, _): Self.integer(hint).flatMap(Int32.init(exactly:)).map(NoticeContent.Hint.int)
        case (.int64, _): Self.integer(hint).map(NoticeContent.Hint.int64)
        case (.string, _), (.field, _): nil
        }
    }

    private static func integer(_ hint: NoticeContent.Hint) -> Int64? {
        switch hint {
        case .byte(let number): Int64(number)
        case .int(let number): Int64(number)
        case .int64(let number): number
        case .uint(let number): Int64(number)
        case .double(let number): Int64(exactly: number)
        case .bool, .string: nil
        }
    }
}
