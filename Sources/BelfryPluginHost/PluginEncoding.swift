import Belfry
import BelfryServers
import CBelfryPlugin

/// Conversions of values of the core into structs of the plug-in ABI. Their pointers are valid as long as the arena.
extension PluginArena {
    /// Returns nil for a handle that is not a plug-in's.
    func receipt(_ receipt: DeliveryReceipt.Reference) -> belfry_receipt? {
        guard let id = receipt.serverID else { return nil }
        return belfry_receipt(
            struct_size: structSize(of: belfry_receipt.self),
            flags: 0,
            server_id: id,
            server_instance: string(receipt.server ?? "")
        )
    }

    func settings(_ settings: [String: String]) -> [belfry_setting] {
        settings.sorted { $0.key < $1.key }.map { key, value in
            belfry_setting(
                struct_size: structSize(of: belfry_setting.self),
                reserved: 0,
                key: string(key),
                value: string(value)
            )
        }
    }

    func notice(_ delivery: Delivery) -> belfry_notice {
        let content = delivery.content
        var notice = belfry_notice()
        notice.struct_size = structSize(of: belfry_notice.self)
        notice.flags = flags(delivery)
        notice.request_identifier = string(delivery.requestID)
        notice.app_name = string(delivery.app.name)
        notice.desktop_entry = string(delivery.app.id)
        notice.title = string(content.title)
        notice.subtitle = string(content.subtitle)
        notice.body = string(content.body)
        switch content.icon {
        case .named(let text), .file(let text): notice.icon = string(text)
        case nil: break
        }
        switch content.image {
        case .named(let text), .file(let text): notice.image_path = string(text)
        case .pixels(let pixels): notice.image_pixels = place(self.pixels(pixels))
        case nil: break
        }
        (notice.sound_kind, notice.sound) = sound(content.sound)
        notice.level = level(content.level)
        notice.category = string(content.desktop.category ?? "")
        notice.thread_identifier = string(content.thread ?? "")
        notice.actions = list(content.actions.map(action))
        notice.action_count = content.actions.count
        notice.progress = content.progress ?? 0
        // BELFRY_EXPIRE_DEFAULT and BELFRY_EXPIRE_NEVER are those of the notification protocol.
        notice.expire_after_ms = content.desktop.expiry.milliseconds
        if let old = delivery.replaces.flatMap({ receipt(DeliveryReceipt.Reference($0)) }) {
            notice.replaces = place(old)
        }
        let hints = content.desktop.hints.sorted { $0.key < $1.key }.map { hint($0.key, $0.value) }
        notice.hints = list(hints)
        notice.hint_count = hints.count
        return notice
    }

    private func flags(_ delivery: Delivery) -> UInt32 {
        var flags: UInt32 = 0
        if delivery.content.bodyFormat == .markup { flags |= BELFRY_NOTICE_BODY_IS_MARKUP }
        if delivery.content.desktop.isTransient { flags |= BELFRY_NOTICE_TRANSIENT }
        if delivery.content.desktop.isResident { flags |= BELFRY_NOTICE_RESIDENT }
        if delivery.isPossiblyRepeated { flags |= BELFRY_NOTICE_POSSIBLY_REPEATED }
        if delivery.content.progress != nil { flags |= BELFRY_NOTICE_HAS_PROGRESS }
        return flags
    }

    private func pixels(_ pixels: NoticeImage.Pixels) -> belfry_pixels {
        belfry_pixels(
            struct_size: structSize(of: belfry_pixels.self),
            flags: pixels.hasAlpha ? BELFRY_PIXELS_HAVE_ALPHA : 0,
            width: UInt32(clamping: pixels.width),
            height: UInt32(clamping: pixels.height),
            row_stride: UInt32(clamping: pixels.rowStride),
            reserved: 0,
            bytes: pixels.bytes.withUnsafeBytes { bytes($0) }.assumingMemoryBound(to: UInt8.self),
            length: pixels.bytes.count
        )
    }

    private func sound(_ sound: NoticeSound?) -> (belfry_sound_kind, belfry_string) {
        switch sound {
        case nil: (BELFRY_SOUND_DEFAULT, string(""))
        case .standard: (BELFRY_SOUND_NAME, string("message-new-instant"))
        case .named(let name): (BELFRY_SOUND_NAME, string(name))
        case .file(let path): (BELFRY_SOUND_FILE, string(path))
        case .silent: (BELFRY_SOUND_SUPPRESSED, string(""))
        }
    }

    private func level(_ level: InterruptionLevel) -> belfry_level {
        switch level {
        case .passive: BELFRY_LEVEL_PASSIVE
        case .active: BELFRY_LEVEL_ACTIVE
        case .timeSensitive: BELFRY_LEVEL_TIME_SENSITIVE
        case .critical: BELFRY_LEVEL_CRITICAL
        }
    }

    private func action(_ action: NoticeAction) -> belfry_action {
        var kind = BELFRY_ACTION_BUTTON
        var placeholder = ""
        if action.isClick {
            kind = BELFRY_ACTION_DEFAULT
        } else if case .reply(let text) = action.kind {
            kind = BELFRY_ACTION_REPLY
            placeholder = text
        }
        return belfry_action(
            struct_size: structSize(of: belfry_action.self),
            kind: kind,
            identifier: string(action.id),
            title: string(action.title),
            icon_name: string(action.icon ?? ""),
            placeholder: string(placeholder)
        )
    }

    private func hint(_ key: String, _ value: NoticeContent.Hint) -> belfry_hint {
        var hint = belfry_hint()
        hint.struct_size = structSize(of: belfry_hint.self)
        hint.key = string(key)
        switch value {
        case .bool(let value): (hint.type, hint.integer) = (BELFRY_HINT_BOOLEAN, value ? 1 : 0)
        case .byte(let value): (hint.type, hint.integer) = (BELFRY_HINT_BYTE, Int64(value))
        case .int(let value): (hint.type, hint.integer) = (BELFRY_HINT_INT32, Int64(value))
        case .uint(let value): (hint.type, hint.integer) = (BELFRY_HINT_UINT32, Int64(value))
        case .int64(let value): (hint.type, hint.integer) = (BELFRY_HINT_INT64, value)
        case .double(let value): (hint.type, hint.real) = (BELFRY_HINT_DOUBLE, value)
        case .string(let value): (hint.type, hint.string) = (BELFRY_HINT_STRING, string(value))
        }
        return hint
    }
}

extension DeliveryReceipt.Reference {
    /// The plug-in's number of the notice; nil for a handle that is not a plug-in's.
    var serverID: UInt64? { UInt64(handle).flatMap { $0 == 0 ? nil : $0 } }
}
