public import Belfry
import BelfryBusTestSupport
import BelfryTesting
import Foundation

/// The program around one backend: `NAME conform [FILE]` runs the conformance suite, prints its report and writes the
/// results, `NAME tour FILE` takes the tour of the desktop's server and writes what it saw, `NAME picture FILE` takes a
/// picture of a popup. It ends with 1 where a rule is broken. `page` and `report` make the pages of docs/servers.
///
/// The suite runs against the private desktop it finds itself on, or, with `--scripted PROFILE`, against a scripted
/// server on a bus of its own.
public enum ConformanceProgram {
    public struct Usage: Error, CustomStringConvertible {
        public let description: String
        public init(_ description: String) { self.description = description }
    }

    /// Makes the backend anew for each check; the environment (bus, file) is set before the first one.
    public typealias Maker = @Sendable () async throws -> any DeliveryBackend

    public static func main(_ arguments: [String], _ maker: (String) throws -> Maker) async -> Int32 {
        do {
            return try await run(arguments, maker)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return 2
        }
    }

    private static func run(_ arguments: [String], _ maker: (String) throws -> Maker) async throws -> Int32 {
        guard arguments.count >= 2 else {
            throw Usage(
                "usage: BACKEND conform [FILE | --scripted PROFILE] | BACKEND tour FILE | BACKEND picture FILE"
                    + " | page FILE | report FOLDER"
            )
        }
        switch (arguments[0], arguments.count) {
        case ("page", 2):
            try ServerTable.write(into: URL(fileURLWithPath: arguments[1]))
            return 0
        case ("report", 2):
            print(try DesktopReport.markdown(of: URL(fileURLWithPath: arguments[1])), terminator: "")
            return 0
        default: break
        }
        let (name, command) = (arguments[0], arguments[1])
        let rest = Array(arguments.dropFirst(2))
        let server = ProcessInfo.processInfo.environment["BELFRY_TEST_SERVER"] ?? "dunst"
        switch (command, rest.count) {
        case ("conform", 0): return try await report(await suite(name, server, try maker(name)))
        case ("conform", 1): return try await report(await suite(name, server, try maker(name)), to: rest[0])
        case ("conform", 2) where rest[0] == "--scripted": return try await scripted(rest[1], try maker(name))
        case ("tour", 1):
            let facts = try await ServerTour.run(try maker(name)(), server: server)
            try facts.write(to: URL(fileURLWithPath: rest[0]))
            print(facts.text)
            return 0
        case ("picture", 1):
            _ = try await ServerTour.run(try maker(name)(), server: server, picture: URL(fileURLWithPath: rest[0]))
            return 0
        default: throw Usage("unknown command '\(arguments.joined(separator: " "))'")
        }
    }

    private static func report(_ suite: DeliveryBackendConformance, to file: String? = nil) async throws -> Int32 {
        let report = await suite.runAll()
        print(report)
        if let file {
            // .ci/servers reads it by its lines.
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(report.results).write(to: URL(fileURLWithPath: file))
        }
        return report.failures.isEmpty ? 0 : 1
    }

    // MARK: what the suite is given

    private static func suite(
        _ name: String,
        _ server: String,
        _ make: @escaping Maker
    ) async -> DeliveryBackendConformance {
        if let file = ProcessInfo.processInfo.environment["BELFRY_JSON_LINES_FILE"] { return jsonLines(file, make) }
        guard Desktop.isThere, name != "console", name != "recorder" else {
            return DeliveryBackendConformance(timeout: .seconds(60), make)
        }
        let titles: (@Sendable (any DeliveryBackend) async throws -> [String])? = { _ in
            try await Desktop.tool("shown").split(separator: "\n").map(String.init)
        }
        let press: @Sendable (any DeliveryBackend, DeliveryReceipt, String) async throws -> Void = {
            if server == "dunst" {
                try await Desktop.tool("pick", "--id", $1.handle, $2)
            } else {
                try await hand(on: $0, $1, ["press", $2])
            }
        }
        let close: @Sendable (any DeliveryBackend, DeliveryReceipt) async throws -> Void = {
            try await hand(on: $0, $1, ["close"])
        }
        return DeliveryBackendConformance(
            // Of a server beside which others work on few processors.
            timeout: .seconds(60),
            // Most servers hang, or freeze, from what a center never delivers, and backends rely on the center.
            deliversUnprepared: server == "dunst",
            pressAction: await Desktop.canHand("press") ? press : nil,
            closeByHand: await Desktop.canHand("close") ? close : nil,
            waitForEmptyScreen: { _ in try await Screen.waitUntilEmpty() },
            shownTitles: server == "dunst" ? titles : nil,
            removeServer: { _ in _ = try await Desktop.tool("server-stop") },
            restoreServer: { _ in _ = try await Desktop.tool("server-start") },
            { ObservedBackend(try await make()) }
        )
    }

    private static func hand(on backend: any DeliveryBackend, _ receipt: DeliveryReceipt, _ deed: [String]) async throws
    {
        guard let backend = backend as? ObservedBackend else {
            throw Usage("the backend is not observed: \(backend.name)")
        }
        try await backend.hand(on: receipt, actions: "yes,no", deed)
    }

    /// The C example: a file with a line for each notice, and a pipe that takes answers.
    private static func jsonLines(_ file: String, _ make: @escaping Maker) -> DeliveryBackendConformance {
        let say: @Sendable (String) throws -> Void = { line in
            let pipe = try FileHandle(forWritingTo: URL(fileURLWithPath: file + ".answers"))
            try pipe.write(contentsOf: Data("\(line)\n".utf8))
            try pipe.close()
        }
        return DeliveryBackendConformance(
            timeout: .seconds(60),
            pressAction: { _, receipt, _ in try say("answer \(receipt.handle)") },
            closeByHand: { _, receipt in try say("dismiss \(receipt.handle)") },
            shownTitles: { _ in
                let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                return try lines.compactMap { line in
                    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    guard object?["event"] as? String == "shown" else { return nil }
                    return object?["title"] as? String ?? ""
                }
            },
            make
        )
    }

    /// Against the project's own server, on a bus of its own; signals of strangers come before each deed.
    private static func scripted(_ profileName: String, _ make: @escaping Maker) async throws -> Int32 {
        let profiles = ["gnome": ServerProfile.gnome, "kde": .kde, "minimal": .minimal, "hostile": .hostile]
        guard let profile = profiles[profileName] else {
            throw Usage("no profile '\(profileName)'; there are \(profiles.keys.sorted().joined(separator: ", "))")
        }
        let bus = try await TestBus()
        setenv("DBUS_SESSION_BUS_ADDRESS", bus.address, 1)
        let server = ScriptedServer(profile, at: bus.address)
        try await server.start()
        let suite = DeliveryBackendConformance(
            timeout: .seconds(60),
            pressAction: { _, receipt, action in
                server.flood(500)
                server.press(UInt32(receipt.handle) ?? 0, action)
            },
            closeByHand: { _, receipt in
                server.flood(500)
                server.close(UInt32(receipt.handle) ?? 0)
            },
            shownTitles: { _ in server.calls.filter { $0.id != 0 }.map(\.title) },
            removeServer: { _ in await server.stop() },
            restoreServer: { _ in try await server.start() },
            make
        )
        let status = try await report(suite)
        await server.stop()
        bus.kill()
        return status
    }
}
