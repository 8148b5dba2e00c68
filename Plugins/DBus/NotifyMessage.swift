import Belfry
import BelfryBus
import Foundation

/// The arguments of `Notify` for one delivery on one server, and what they cost.
struct NotifyMessage {
    var arguments: [BusValue]
    var lost: [LostFeature]
    /// The action that is a field to type into, whose key on the bus is fixed.
    var replyIdentifier: String?

    static let replyKey = "inline-reply"

    init(_ delivery: Delivery, on server: NotificationServer, replacing id: UInt32) {
        let content = delivery.content
        lost = delivery.lost
        let (title, body) = Self.texts(content, delivery.app, server)
        var actions: [String] = []
        for action in content.actions {
            var key = action.identifier
            if case .reply = action.kind, server.features.contains(.reply) {
                if replyIdentifier == nil {
                    replyIdentifier = action.identifier
                    key = Self.replyKey
                } else {
                    lost.append(LostFeature(.reply, "'\(action.identifier)' is a button: there is one reply field"))
                }
            }
            // An action without a label makes some servers drop all of them; some draw the default one as a button.
            let name = action.identifier == NoticeAction.defaultIdentifier ? delivery.app.name : action.identifier
            actions += [key, action.title.isEmpty ? name : action.title]
        }
        if server.hidesButtons, content.actions.contains(where: { $0.identifier != NoticeAction.defaultIdentifier }) {
            lost.append(LostFeature(.actions, "\(server.name) draws no buttons: the actions are in its menu"))
        }
        if case .pixels(let pixels) = content.image, !Self.isDrawable(pixels) {
            lost.append(LostFeature(.image, "\(pixels.width) × \(pixels.height) pixels don't fit their bytes"))
        }
        if content.expiry != .serverDefault, !server.features.contains(.expiry) {
            lost.append(LostFeature(.expiry, "\(server.name) decides itself how long it shows a notice"))
        }
        arguments = [
            .string(delivery.app.name), .uint32(id), .string(Self.icon(content.icon)), .string(title), .string(body),
            .strings(actions), .options(Self.hints(delivery, server)), .int32(Self.expiry(content.expiry)),
        ]
    }

    /// The subtitle, which the specification doesn't know, is the body's first line. A title is never empty.
    private static func texts(
        _ content: NoticeContent,
        _ app: AppIdentity,
        _ server: NotificationServer
    ) -> (title: String, body: String) {
        var title = content.title
        var subtitle = content.subtitle
        if title.isEmpty {
            title = subtitle.isEmpty ? app.name : subtitle
            subtitle = ""
        }
        let rendersMarkup = server.features.contains(.markup)
        let escape = { (text: String) in rendersMarkup ? escaped(text) : text }
        let body = content.bodyFormat == .markup ? content.body : escape(content.body)
        return (title, [escape(subtitle), body].filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    /// Plain text for a server that renders markup.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func icon(_ icon: NoticeIcon?) -> String {
        switch icon {
        case .named(let name): name
        case .file(let path): address(path)
        case nil: ""
        }
    }

    private static func address(_ path: String) -> String { URL(fileURLWithPath: path).absoluteString }

    /// Milliseconds; −1 for the server's own choice, 0 for never. Less than a millisecond must not become "never".
    private static func expiry(_ expiry: NoticeContent.Expiry) -> Int32 {
        switch expiry {
        case .serverDefault: return -1
        case .never: return 0
        case .after(let duration):
            let (seconds, attoseconds) = duration.components
            let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
            return Int32(max(1, min(milliseconds.rounded(), Double(Int32.max))))
        }
    }

    /// The specification, table "Standard Hints", each with its type. An app's own hints come first: a field of the
    /// content wins.
    private static func hints(_ delivery: Delivery, _ server: NotificationServer) -> [String: BusValue] {
        let content = delivery.content
        var hints = content.hints.mapValues(value)
        hints["urgency"] = .byte(content.level == .passive ? 0 : content.level == .critical ? 2 : 1)
        hints["desktop-entry"] = .string(delivery.app.id)
        hints["sender-pid"] = .int64(Int64(ProcessInfo.processInfo.processIdentifier))
        if let category = content.desktopCategory { hints["category"] = .string(category) }
        if content.isTransient { hints["transient"] = .boolean(true) }
        if content.isResident { hints["resident"] = .boolean(true) }
        if server.features.contains(.actionIcons), content.actions.contains(where: { $0.icon != nil }) {
            hints["action-icons"] = .boolean(true)
        }
        if let progress = content.progress, progress.isFinite, server.features.contains(.progress) {
            hints["value"] = .int32(Int32((min(max(progress, 0), 1) * 100).rounded()))
        }
        switch content.sound {
        case .standard: hints["sound-name"] = .string("message-new-instant")
        case .named(let name): hints["sound-name"] = .string(name)
        case .file(let path): hints["sound-file"] = .string(path)
        case .silent: hints["suppress-sound"] = .boolean(true)
        case nil: break
        }
        switch content.image {
        case .named(let name): hints["image-path"] = .string(name)
        case .file(let path): hints["image-path"] = .string(address(path))
        case .pixels(let pixels) where isDrawable(pixels): hints["image-data"] = image(pixels)
        case .pixels: break
        case nil: break
        }
        if server.features.contains(.reply) {
            for case .reply(let placeholder) in content.actions.map(\.kind) where !placeholder.isEmpty {
                hints["x-kde-reply-placeholder-text"] = .string(placeholder)
                break
            }
        }
        return hints
    }

    private static func value(_ hint: NoticeHint) -> BusValue {
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

    /// Some servers end where the numbers and the bytes don't fit (lxqt-notificationd).
    private static func isDrawable(_ pixels: ImagePixels) -> Bool {
        guard (1...4096).contains(pixels.width), (1...4096).contains(pixels.height),
            (pixels.width * pixels.channels...1 << 20).contains(pixels.rowStride)
        else { return false }
        return pixels.bytes.count >= pixels.rowStride * (pixels.height - 1) + pixels.width * pixels.channels
    }

    /// `(iiibiiay)`: width, height, row stride, alpha, bits a sample, channels, bytes.
    private static func image(_ pixels: ImagePixels) -> BusValue {
        .structure([
            .int32(Int32(clamping: pixels.width)), .int32(Int32(clamping: pixels.height)),
            .int32(Int32(clamping: pixels.rowStride)), .boolean(pixels.hasAlpha), .int32(8),
            .int32(Int32(pixels.channels)), .bytes(pixels.bytes),
        ])
    }
}
