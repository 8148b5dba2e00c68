import Belfry
import BelfryBus
import Foundation
import Synchronization

/// A desktop portal of the test's own, as strict about what it takes as the real one (its notification.c).
final class ScriptedPortal: Sendable {
    struct Profile: Sendable {
        var version: BusValue = .uint32(2)
        /// What the desktop's part knows: before 1.22 the portal claims 2 also with one of version 1, and takes out of
        /// a notice what that one doesn't know.
        var partVersion = 2
        var categories = ["im.received", "alarm.ringing", "call.incoming", "call.ongoing"]
        var purposes = [
            "im.reply-with-text", "call.accept", "call.decline", "call.hang-up", "call.enable-speakerphone",
        ]
        var hasRegistry = true
        /// `version` is answered with an error, so many times.
        var versionErrors = 0
        /// `Register` is answered with this.
        var registryError: BusError?
        var hasNotifications = true
        /// A notice that has one of these keys is refused.
        var refusedKeys: Set<String> = []
        /// Every notice is answered with this.
        var error: BusError?
        /// `AddNotification` is never answered.
        var isSilent = false

        static let old = Profile(version: .uint32(1), hasRegistry: false)
    }

    struct Added: Sendable {
        var sender: String
        var id: String
        var notice: BusValue

        /// With its type.
        func value(_ key: String) -> BusValue? { notice[key] }
        var buttons: [BusValue] { notice["buttons"]?.elements ?? [] }
    }

    private struct State {
        var added: [Added] = []
        var removed: [String] = []
        /// The methods in the order in which they were called, with the caller.
        var calls: [String] = []
        var registered: [String] = []
        var registrants: Set<String> = []
        /// How many notices it was sent, taken or not.
        var arrivals = 0
        var versionReads = 0
        var export: BusSubscription?
    }

    let bus: BusConnection
    private let profile: Profile
    private let state = Mutex(State())
    private let isStalled = AwaitedState(false)
    static let name = "org.freedesktop.portal.Desktop"
    static let path: BusObjectPath = "/org/freedesktop/portal/desktop"
    static let interface = "org.freedesktop.portal.Notification"

    init(at address: String, _ profile: Profile = Profile()) {
        self.profile = profile
        bus = BusConnection(to: .address(address))
    }

    var added: [Added] { state.withLock { $0.added } }
    var removed: [String] { state.withLock { $0.removed } }
    var calls: [String] { state.withLock { $0.calls } }
    var arrivals: Int { state.withLock { $0.arrivals } }
    var registered: [String] { state.withLock { $0.registered } }

    func start() async throws {
        try await bus.connect()
        var interfaces: [BusInterface] = []
        if profile.hasNotifications { interfaces.append(notifications) }
        if profile.hasRegistry { interfaces.append(registry) }
        let export = try await bus.export(interfaces, at: Self.path)
        state.withLock { $0.export = export }
        try await bus.requestName(Self.name)
    }

    func stop() async { await bus.close() }

    /// Takes no notices, until ``resume()``.
    func stall() { isStalled.withLock { $0 = true } }

    /// Takes the notices that it was sent meanwhile.
    func resume() { isStalled.withLock { $0 = false } }

    /// `(s id, s action, av parameter)` with each element of the parameter in its variant; to all, as the real one
    /// does.
    func invoke(_ id: String, _ action: String, _ parameter: [BusValue], to destination: String? = nil) throws {
        let values = parameter.map(BusValue.variant)
        try signal([.string(id), .string(action), .array(of: .variant, values)], to: destination)
    }

    func signal(_ arguments: [BusValue], to destination: String? = nil) throws {
        try bus.emit(BusSignal(Self.path, Self.interface, "ActionInvoked", arguments, to: destination))
    }

    private var registry: BusInterface {
        BusInterface(
            "org.freedesktop.host.portal.Registry",
            methods: [
                BusMethod(
                    "Register",
                    takes: [BusArgument("app_id", "s"), BusArgument("options", "a{sv}")],
                    atOnce: { [weak self] call in
                        guard let self else { return [] }
                        if let error = profile.registryError { throw error }
                        let isNew = state.withLock {
                            $0.calls.append("Register")
                            $0.registered.append(call.arguments[0].string ?? "")
                            return $0.registrants.insert(call.sender).inserted
                        }
                        guard isNew else {
                            throw BusError.reply(
                                "org.freedesktop.DBus.Error.Failed",
                                "Connection already associated with an application ID"
                            )
                        }
                        return []
                    }
                )
            ]
        )
    }

    private var notifications: BusInterface {
        let version = profile.version
        let options: BusValue =
            profile.partVersion < 2
            ? .options([:])
            : .options(["category": .strings(profile.categories), "button-purpose": .strings(profile.purposes)])
        let add = BusMethod(
            "AddNotification",
            takes: [BusArgument("id", "s"), BusArgument("notification", "a{sv}")],
            later: { [weak self] call in
                guard let self else { return [] }
                state.withLock { $0.arrivals += 1 }
                await isStalled.wait { !$0 }
                if profile.isSilent { for await _ in AsyncStream<Never>.makeStream().stream {} }
                try take(call)
                return []
            }
        )
        let remove = BusMethod(
            "RemoveNotification",
            takes: [BusArgument("id", "s")],
            atOnce: { [weak self] call in
                self?.state.withLock {
                    $0.calls.append("RemoveNotification")
                    $0.removed.append(call.arguments[0].string ?? "")
                }
                return []
            }
        )
        let type = BusSignature(stringLiteral: version == .string("two") ? "s" : "u")
        let readVersion: @Sendable () throws -> BusValue = { [weak self] in
            guard let self else { return version }
            let reads = state.withLock { state in
                state.versionReads += 1
                return state.versionReads
            }
            guard reads > profile.versionErrors else { throw Self.invalid("the part is not there yet") }
            return version
        }
        var properties = [BusProperty("version", type, read: readVersion)]
        if version.integer(Int.self) ?? 1 > 1 {
            properties.append(BusProperty("SupportedOptions", "a{sv}", read: { options }))
        }
        return BusInterface(Self.interface, methods: [add, remove], properties: properties)
    }

    private func take(_ call: BusIncomingCall) throws {
        if let error = profile.error { throw error }
        let notice = profile.partVersion < 2 ? Self.known(to: 1, call.arguments[1]) : call.arguments[1]
        for key in profile.refusedKeys where notice[key] != nil { throw Self.invalid("invalid notification: \(key)") }
        try check(notice)
        state.withLock { state in
            state.calls.append("AddNotification")
            state.added.append(Added(sender: call.sender, id: call.arguments[0].string ?? "", notice: notice))
        }
    }

    private static func known(to version: Int, _ notice: BusValue) -> BusValue {
        guard case .dictionary(let key, let value, let entries) = notice else { return notice }
        let new: Set = ["markup-body", "sound", "display-hint", "category"]
        return .dictionary(key: key, value: value, entries.filter { !new.contains($0.key.string ?? "") })
    }

    /// What the real one refuses: a type that isn't the key's, an unknown priority, category or purpose, a button
    /// without label and action. What is newer than the version is ignored there; here it is a mistake.
    private func check(_ notice: BusValue) throws {
        guard case .dictionary(_, _, let entries) = notice else { throw Self.invalid("no dictionary") }
        let isOld = profile.version == .uint32(1)
        for entry in entries {
            let key = entry.key.string ?? ""
            let value = entry.value.unwrapped
            let isRight: Bool =
                switch key {
                case "title", "body", "default-action": value.string != nil
                case "markup-body": !isOld && value.string != nil
                case "priority": ["low", "normal", "high", "urgent"].contains(value.string ?? "")
                case "default-action-target": true
                case "icon": isIcon(value, isOld)
                case "sound": !isOld && (["default", "silent"].contains(value.string ?? "") || isFile(value))
                case "display-hint": !isOld && isDisplayHint(value.strings ?? [""])
                case "category": !isOld && profile.categories.contains(value.string ?? "")
                case "buttons": value.elements?.allSatisfy { isButton($0, isOld) } == true
                default: false
                }
            guard isRight else { throw Self.invalid("invalid notification: \(key): \(value)") }
        }
    }

    private func isDisplayHint(_ hints: [String]) -> Bool {
        let known: Set = [
            "transient", "tray", "persistent", "hide-on-lock-screen", "hide-content-on-lock-screen", "show-as-new",
        ]
        return known.isSuperset(of: hints) && !Set(hints).isSuperset(of: ["transient", "tray"])
    }

    private func isIcon(_ value: BusValue, _ isOld: Bool) -> Bool {
        guard let fields = value.elements, fields.count == 2 else { return false }
        switch fields[0].string {
        case "themed": return fields[1].unwrapped.strings?.isEmpty == false
        case "bytes": return isOld && fields[1].bytes != nil
        default: return !isOld && isFile(value)
        }
    }

    /// One that can be sealed, as the real one does.
    private func isFile(_ value: BusValue) -> Bool {
        guard let fields = value.elements, fields.count == 2, fields[0].string == "file-descriptor",
            let file = fields[1].fileDescriptor
        else { return false }
        let addSeals: Int32 = 1033
        let allSeals: Int32 = 0x1 | 0x2 | 0x4 | 0x8
        return fcntl(file.number, addSeals, allSeals) == 0
    }

    private func isButton(_ value: BusValue, _ isOld: Bool) -> Bool {
        guard value["label"]?.string != nil, value["action"]?.string != nil else { return false }
        guard let purpose = value["purpose"]?.string else { return true }
        return !isOld && profile.purposes.contains(purpose)
    }

    private static func invalid(_ text: String) -> BusError {
        .reply("org.freedesktop.portal.Error.InvalidArgument", text)
    }
}
