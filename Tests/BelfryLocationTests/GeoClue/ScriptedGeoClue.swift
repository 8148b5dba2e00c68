import BelfryBus
import BelfryBusTestSupport
import Foundation
import Synchronization

/// A GeoClue of the tests' own: what the real one does, and what it does only on bad days.
final class ScriptedGeoClue: Sendable {
    struct Profile: Sendable {
        /// `GetClient` is answered.
        var hasAgent = true
        /// `Start` is answered with this.
        var startError: BusError?
        var getClientError: BusError?
        /// A position is known at this level and above.
        var leastLevel: UInt32 = 0
        /// In place of the truth: a client's path, a client's location.
        var client: BusValue?
        var location: BusValue?
        /// The properties of locations, in place of the true ones.
        var fields: [String: BusValue]?
        /// The newest location is gone as soon as it is told of, so many times.
        var vanishing = 0
        /// Takes the name while `Start` is answered.
        var successor: ScriptedGeoClue?
    }

    private struct State {
        var profile: Profile
        var clients: [String: Client] = [:]
        var exports: [BusSubscription] = []
        var locations: [String: BusSubscription] = [:]
        var next = 1
        var place: Place?
    }

    struct Client: Sendable {
        var owner: String
        var settings: [String: BusValue] = [
            "DesktopId": .string(""), "DistanceThreshold": .uint32(0), "TimeThreshold": .uint32(0),
            "RequestedAccuracyLevel": .uint32(0),
        ]
        var isActive = false
        var location = "/"
        var updates = 0
    }

    struct Place: Sendable {
        var latitude: Double
        var longitude: Double
        var accuracy = 25.0
        var seconds: UInt64 = 1_795_262_400
        var microseconds: UInt64 = 250_000
    }

    /// What was called, such as "GetClient", "Set RequestedAccuracyLevel 8", "Start".
    let calls = Record<String>()
    private let address: String
    private let state: Mutex<State>
    private let connection = Mutex<BusConnection?>(nil)

    static let name = "org.freedesktop.GeoClue2"
    private static let manager: BusObjectPath = "/org/freedesktop/GeoClue2/Manager"
    private static let client = "org.freedesktop.GeoClue2.Client"
    private static let location = "org.freedesktop.GeoClue2.Location"

    init(at address: String, _ profile: Profile = Profile()) {
        self.address = address
        state = Mutex(State(profile: profile))
    }

    func change(_ change: (inout Profile) -> Void) { state.withLock { change(&$0.profile) } }

    /// The clients of the moment, by path.
    var clients: [String: Client] { state.withLock { $0.clients } }
    var bus: BusConnection? { connection.withLock { $0 } }

    /// On a new connection; after ``stop()`` this is another run, which has forgotten its clients.
    func start() async throws {
        let bus = BusConnection(to: .address(address), configuration: .quick)
        try await bus.connect()
        connection.withLock { $0 = bus }
        let export = try await bus.export([managerInterface], at: Self.manager)
        state.withLock { state in
            state.clients = [:]
            state.exports = [export]
            state.locations = [:]
        }
        try await bus.requestName(Self.name)
    }

    func stop() async {
        let bus = connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
        await bus?.close()
    }

    // MARK: its world

    /// The machine moves; whoever has started hears of it through a new location object, or only in the one that it
    /// has.
    func move(_ latitude: Double, _ longitude: Double = 13.4, accuracy: Double = 25, silently: Bool = false)
        async throws
    {
        let place = Place(latitude: latitude, longitude: longitude, accuracy: accuracy)
        state.withLock { $0.place = place }
        for (path, client) in clients where client.isActive { try await tell(path, silently) }
    }

    private func tell(_ path: String, _ silently: Bool = false) async throws {
        guard let bus, let place = state.withLock({ $0.place }) else { return }
        let (client, profile) = state.withLock { ($0.clients[path], $0.profile) }
        guard let client, client.settings["RequestedAccuracyLevel"]?.integer(UInt32.self) ?? 0 >= profile.leastLevel
        else {
            return
        }
        let fields = profile.fields ?? Self.fields(place)
        if silently, client.location != "/" {
            try await export(fields, at: client.location)
            try bus.emitPropertiesChanged(at: BusObjectPath(client.location), Self.location, fields)
            return
        }
        let new = "\(path)/Location/\(client.updates)"
        // Whoever is told of it can read it.
        if profile.vanishing == 0 { try await export(fields, at: new) }
        state.withLock { state in
            state.clients[path]?.location = new
            state.clients[path]?.updates += 1
        }
        if profile.vanishing > 0 {
            state.withLock { $0.profile.vanishing -= 1 }
            // It is superseded before it can be read.
            try await emit(path, client.location, new, to: client.owner)
            try await tell(path)
            return
        }
        // The one before is gone at once: the real one leaves it for 5 s.
        if client.location != "/" { state.withLock { $0.locations.removeValue(forKey: client.location) }?.cancel() }
        try await emit(path, client.location, new, to: client.owner)
    }

    private func export(_ fields: [String: BusValue], at path: String) async throws {
        guard let bus else { return }
        state.withLock { $0.locations.removeValue(forKey: path) }?.cancel()
        let properties = try fields.map { name, value in
            BusProperty(name, try BusSignature(value.type().text), read: { value })
        }
        let export = try await bus.export(
            [BusInterface(Self.location, properties: properties)],
            at: BusObjectPath(path)
        )
        state.withLock { $0.locations[path] = export }
    }

    static func fields(_ place: Place) -> [String: BusValue] {
        [
            "Latitude": .double(place.latitude), "Longitude": .double(place.longitude),
            "Accuracy": .double(place.accuracy), "Altitude": .double(-1.7976931348623157e308), "Speed": .double(-1),
            "Heading": .double(-1), "Description": .string(""),
            "Timestamp": .structure([.uint64(place.seconds), .uint64(place.microseconds)]),
        ]
    }

    /// `LocationUpdated` as it is sent to a client's owner, whatever it says.
    func emit(_ path: String, _ old: String, _ new: String, to owner: String) async throws {
        try emit(path, [.objectPath(BusObjectPath(old)), .objectPath(BusObjectPath(new))], to: owner)
    }

    func emit(_ path: String, _ arguments: [BusValue], to owner: String) throws {
        try bus?.emit(BusSignal(BusObjectPath(path), Self.client, "LocationUpdated", arguments, to: owner))
    }

    /// Another program's location.
    func addForeign(_ place: Place, at path: String) async throws { try await export(Self.fields(place), at: path) }

    /// As an agent does whose person switches location services off.
    func switchOff() throws {
        for path in clients.keys {
            state.withLock { $0.clients[path]?.isActive = false }
            try bus?.emitPropertiesChanged(at: BusObjectPath(path), Self.client, ["Active": .boolean(false)])
        }
    }

    // MARK: its objects

    private var managerInterface: BusInterface {
        BusInterface(
            "org.freedesktop.GeoClue2.Manager",
            methods: [
                BusMethod(
                    "GetClient",
                    returns: [BusArgument("client", clientSignature)],
                    later: { [weak self] call in try await self?.getClient(call) ?? [] }
                ),
                BusMethod(
                    "DeleteClient",
                    takes: [BusArgument("client", "o")],
                    atOnce: { [weak self] call in
                        let path = call.arguments[0].objectPath?.text ?? ""
                        self?.calls.add("DeleteClient")
                        self?.state.withLock { _ = $0.clients.removeValue(forKey: path) }
                        return []
                    }
                ),
            ],
            properties: [
                BusProperty("AvailableAccuracyLevel", "u", read: { .uint32(6) }),
                BusProperty("InUse", "b", read: { .boolean(false) }),
            ]
        )
    }

    private var clientSignature: BusSignature {
        guard let lie = state.withLock({ $0.profile.client }), let type = try? lie.type(),
            let signature = try? BusSignature(type.text)
        else { return "o" }
        return signature
    }

    private func getClient(_ call: BusIncomingCall) async throws -> [BusValue] {
        calls.add("GetClient")
        let (profile, number) = state.withLock { state in
            defer { state.next += 1 }
            return (state.profile, state.next)
        }
        if let error = profile.getClientError { throw error }
        if !profile.hasAgent { for await _ in AsyncStream<Never>.makeStream().stream {} }
        if let lie = profile.client { return [lie] }
        let path = "/org/freedesktop/GeoClue2/Client/\(number)"
        state.withLock { $0.clients[path] = Client(owner: call.sender) }
        if let export = try await bus?.export([clientInterface(path)], at: BusObjectPath(path)) {
            state.withLock { $0.exports.append(export) }
        }
        return [.objectPath(try BusObjectPath(path))]
    }

    private func clientInterface(_ path: String) -> BusInterface {
        let types: [(String, BusSignature)] = [
            ("DesktopId", "s"), ("DistanceThreshold", "u"), ("TimeThreshold", "u"), ("RequestedAccuracyLevel", "u"),
        ]
        let settings = types.map { name, type in
            BusProperty(
                name,
                type,
                read: { [weak self] in self?.clients[path]?.settings[name] ?? .uint32(0) },
                write: { [weak self] value in
                    self?.calls.add("Set \(name) \(value.string ?? value.integer(UInt32.self).map { "\($0)" } ?? "?")")
                    self?.state.withLock { $0.clients[path]?.settings[name] = value }
                }
            )
        }
        let lie = state.withLock { $0.profile.location }
        let type = (try? lie?.type()).flatMap { try? BusSignature($0.text) } ?? "o"
        let location = BusProperty(
            "Location",
            type,
            read: { [weak self] in
                if let lie { return lie }
                return .objectPath(try BusObjectPath(self?.clients[path]?.location ?? "/"))
            }
        )
        let active = BusProperty(
            "Active",
            "b",
            changes: .announced,
            read: { [weak self] in .boolean(self?.clients[path]?.isActive ?? false) }
        )
        return BusInterface(
            Self.client,
            methods: [
                BusMethod("Start", later: { [weak self] _ in try await self?.startClient(path) ?? [] }),
                BusMethod(
                    "Stop",
                    atOnce: { [weak self] _ in
                        self?.calls.add("Stop")
                        try self?.setActive(path, false)
                        return []
                    }
                ),
            ],
            properties: settings + [location, active]
        )
    }

    private func setActive(_ path: String, _ isActive: Bool) throws {
        state.withLock { $0.clients[path]?.isActive = isActive }
        try bus?.emitPropertiesChanged(at: BusObjectPath(path), Self.client, ["Active": .boolean(isActive)])
    }

    private func startClient(_ path: String) async throws -> [BusValue] {
        // Told of when all of it is done: what a test does after that comes after.
        defer { calls.add("Start") }
        if let error = state.withLock({ $0.profile.startError }) { throw error }
        guard clients[path]?.settings["DesktopId"]?.string?.isEmpty == false else {
            throw BusError.reply("org.freedesktop.DBus.Error.AccessDenied", "'DesktopId' property must be set")
        }
        try setActive(path, true)
        try await tell(path)
        if let successor = state.withLock({ $0.profile.successor }) {
            try await bus?.releaseName(Self.name)
            try await successor.start()
        }
        return []
    }
}
