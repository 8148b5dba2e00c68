import Belfry
import BelfryBus
import BelfryServers
import FoundationEssentials

/// The arguments of `Notify` for one delivery on one server, and the features that are lost.
struct NotifyMessage {
    let arguments: [BusValue]
    var lost: [DeliveryReceipt.LostFeature]
    let replaces: UInt32
    /// The information that is kept about the notice once it is shown.
    let shown: ShownNotice

    /// Throws ``NoticeError/Code/invalidContent`` for a hint of the wrong type, or an image whose dimensions don't fit.
    init(_ delivery: Delivery, on server: NotificationServer, replacing id: UInt32) throws(NoticeError) {
        let adapted = try delivery.adapted(to: server, replacesByNumber: id != 0, by: .bus)
        var writer = Writer(delivery: adapted, server: server)
        let (title, body) = adapted.titleAndBody(asMarkup: server.readsMarkup)
        let actions = writer.actions()
        let hints = try writer.hints()
        arguments = [
            .string(delivery.app.name), .uint32(id), .string(writer.icon()), .string(title), .string(body),
            .strings(actions), .options(hints), .int32(delivery.content.desktop.expiry.milliseconds),
        ]
        lost = writer.delivery.lost + delivery.lostSilently(on: server, by: .bus)
        replaces = id
        shown = ShownNotice(
            adapted.content.desktop,
            identifiers: writer.identifiers,
            hasActions: !actions.isEmpty,
            on: server.known
        )
    }

    /// Writes the arguments of one delivery.
    struct Writer {
        var delivery: Delivery
        let server: NotificationServer
        /// Action identifiers by their keys on the bus, where the two differ.
        var identifiers: [String: String] = [:]
        /// Whether the keys are names of icons.
        var usesActionIcons = false
    }
}

extension NotifyMessage.Writer {
    func icon() -> String {
        switch delivery.content.icon {
        case .named(let name): name
        case .file(let path): Self.address(path)
        case nil: ""
        }
    }

    static func address(_ path: String) -> String { URL(filePath: path, directoryHint: .notDirectory).absoluteString }
}
