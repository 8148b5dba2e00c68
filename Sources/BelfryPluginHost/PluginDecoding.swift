import Belfry
import BelfryServers
import CBelfryPlugin

/// Copies a plug-in's data into values of the core. It keeps no pointer into the plug-in's memory and checks every
/// number. An unknown value is interpreted as the header specifies.
enum PluginDecoding {
    /// The longest text accepted, in bytes. A greater length is a mistake and would overrun the plug-in's buffer.
    private static let longestText = 16 << 20
    /// The longest list accepted, for the same reason.
    private static let longestList = 10_000

    static func string(_ string: belfry_string) -> String {
        guard let bytes = string.bytes, string.length > 0, string.length <= longestText else { return "" }
        return bytes.withMemoryRebound(to: UInt8.self, capacity: string.length) {
            String(decoding: UnsafeBufferPointer(start: $0, count: string.length), as: UTF8.self)
        }
    }

    /// The size that the plug-in filled in, its `struct_size`.
    static func size<Value: BitwiseCopyable>(of pointer: UnsafePointer<Value>) -> Int {
        Int(UnsafeRawPointer(pointer).load(as: UInt32.self))
    }

    /// Copies a struct of the ABI in this host's layout. Fields that the plug-in's shorter struct lacks are zero.
    static func whole<Value: BitwiseCopyable>(_ pointer: UnsafePointer<Value>) -> Value {
        let known = UnsafeRawBufferPointer(start: pointer, count: min(size(of: pointer), MemoryLayout<Value>.size))
        return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { value in
            let bytes = UnsafeMutableRawBufferPointer(value)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            bytes.copyMemory(from: known)
            return value[0]
        }
    }

    static func list<Value: BitwiseCopyable>(
        _ pointers: UnsafePointer<UnsafePointer<Value>?>?,
        count: Int
    ) -> [Value] {
        guard let pointers else { return [] }
        return (0..<min(max(0, count), longestList)).compactMap { pointers[$0].map(whole) }
    }

    static func error(_ status: belfry_status, _ message: String, plugin: String) -> NoticeError {
        let text =
            message.isEmpty ? "The plug-in '\(plugin)' failed with status \(status) and did not say why." : message
        switch status {
        case BELFRY_STATUS_NO_BUS: return NoticeError(.noBus, text)
        case BELFRY_STATUS_NO_SERVER: return NoticeError(.noServer, text)
        case BELFRY_STATUS_TIMED_OUT: return NoticeError(.serverTimedOut, text)
        case BELFRY_STATUS_BUSY: return NoticeError(.serverBusy, text)
        case BELFRY_STATUS_STOPPED: return NoticeError(.backendStopped, text)
        case BELFRY_STATUS_UNSUPPORTED: return NoticeError(.unsupported, text)
        case BELFRY_STATUS_INVALID: return NoticeError(.invalidContent, text)
        case BELFRY_STATUS_INTERNAL: return NoticeError(.systemFailure, text)
        case 1...99: return NoticeError(.failedForNow, text, cause: "status \(status) of '\(plugin)'")
        default: return NoticeError(.rejected, text, cause: "status \(status) of '\(plugin)'")
        }
    }

    static func reference(_ pointer: UnsafePointer<belfry_receipt>) -> DeliveryReceipt.Reference {
        let receipt = whole(pointer)
        return DeliveryReceipt.Reference(handle: String(receipt.server_id), server: string(receipt.server_instance))
    }

    static func lost(_ loss: belfry_loss) -> DeliveryReceipt.LostFeature {
        let detail = string(loss.detail)
        let feature: DeliveryReceipt.LostFeature.Feature =
            switch loss.kind {
            case BELFRY_LOST_TITLE_CUT: .title
            case BELFRY_LOST_BODY_CUT, BELFRY_LOST_BODY: .body
            case BELFRY_LOST_TEXT_REPAIRED: .controlCharacters
            case BELFRY_LOST_MARKUP: .markup
            case BELFRY_LOST_LINKS: .links
            case BELFRY_LOST_ICON: .icon
            case BELFRY_LOST_IMAGE: .image
            case BELFRY_LOST_SOUND: .sound
            case BELFRY_LOST_ACTIONS, BELFRY_LOST_ACTIONS_CUT, BELFRY_LOST_ACTION, BELFRY_LOST_ACTION_ICON: .actions
            case BELFRY_LOST_REPLY: .reply
            case BELFRY_LOST_PROGRESS: .progress
            case BELFRY_LOST_REPLACEMENT: .replacing
            case BELFRY_LOST_EXPIRY: .expiry
            case BELFRY_LOST_LEVEL: .level
            default: .hint
            }
        return DeliveryReceipt.LostFeature(feature, detail.isEmpty ? "kind \(loss.kind)" : detail)
    }

    static func capabilities(_ server: belfry_server) -> DeliveryCapabilities {
        let table: [(UInt64, DeliveryCapabilities.Feature)] = [
            (BELFRY_FEATURE_BODY, .body), (BELFRY_FEATURE_MARKUP, .markup), (BELFRY_FEATURE_LINKS, .links),
            (BELFRY_FEATURE_BODY_IMAGES, .bodyImages), (BELFRY_FEATURE_ICON, .icon), (BELFRY_FEATURE_IMAGE, .image),
            (BELFRY_FEATURE_ACTIONS, .actions), (BELFRY_FEATURE_ACTION_ICONS, .actionIcons),
            (BELFRY_FEATURE_REPLY, .reply), (BELFRY_FEATURE_SOUND, .sound),
            (BELFRY_FEATURE_PERSISTENCE, .persistence), (BELFRY_FEATURE_PROGRESS, .progress),
            (BELFRY_FEATURE_REPLACEMENT, .replacing), (BELFRY_FEATURE_EXPIRY, .expiry),
        ]
        let name = [string(server.name), string(server.version)].filter { !$0.isEmpty }.joined(separator: " ")
        let declared = DeliveryCapabilities(
            server: name.isEmpty ? "an unnamed server" : name,
            features: Set(table.filter { server.features & $0.0 != 0 }.map(\.1)).union([.urgency]),
            titleLimit: server.title_limit == 0 ? nil : Int(server.title_limit),
            bodyLimit: server.body_limit == 0 ? nil : Int(server.body_limit),
            actionLimit: server.action_limit == 0 ? nil : Int(server.action_limit),
            reportsClosing: server.features & BELFRY_FEATURE_CLOSE_EVENTS != 0
        )
        return notificationServer(server).map { declared.within($0.capabilities) } ?? declared
    }

    /// The desktop notification server behind the plug-in; nil if it names no version of the specification.
    static func notificationServer(_ server: belfry_server) -> NotificationServer? {
        guard !string(server.spec_version).isEmpty else { return nil }
        let count = server.raw_capabilities == nil ? 0 : min(max(0, server.raw_capability_count), longestList)
        return NotificationServer(
            name: string(server.name),
            vendor: string(server.vendor),
            version: string(server.version),
            capabilities: (0..<count).map { string(server.raw_capabilities[$0]) }
        )
    }

    static func closeReason(_ event: belfry_event) -> NoticeResponse.CloseReason {
        let kind: NoticeResponse.CloseReason.Kind =
            switch event.close_reason {
            case BELFRY_CLOSED_EXPIRED: .expired
            case BELFRY_CLOSED_DISMISSED: .dismissed
            case BELFRY_CLOSED_WITHDRAWN: .withdrawn
            default: .unknown
            }
        return NoticeResponse.CloseReason(kind, rawValue: event.raw_close_reason)
    }
}

extension DeliveryCapabilities {
    /// The capabilities that both have.
    fileprivate func within(_ other: DeliveryCapabilities) -> DeliveryCapabilities {
        func smaller(_ first: Int?, _ second: Int?) -> Int? { [first, second].compactMap(\.self).min() }
        var both = self
        both.features.formIntersection(other.features)
        both.titleLimit = smaller(titleLimit, other.titleLimit)
        both.bodyLimit = smaller(bodyLimit, other.bodyLimit)
        both.actionLimit = smaller(actionLimit, other.actionLimit)
        return both
    }
}
