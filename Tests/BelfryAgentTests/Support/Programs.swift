import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

/// The built programs on a bus, and in a home folder, of their own: `belfry`, `belfryd`, and an app of the tests.
final class Programs: Sendable {
    let bus: TestBus
    let server: ScriptedServer
    let home: Home
    let folder = BuildFolder.path
    private let environment: [String: String]

    /// A login: another one with the same `home` is a later one.
    init(home: Home? = nil) async throws {
        let home = try home ?? Home()
        self.home = home
        let environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        bus = try await TestBus(services: home.path + "/.local/share/dbus-1/services", environment: environment)
        self.environment = environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
        server = ScriptedServer(.kde, at: bus.address)
        try await server.start()
    }

    @discardableResult
    func belfry(_ arguments: [String], status: Int32 = 0) async throws -> String {
        try await run(["\(folder)/belfry"] + arguments, status: status)
    }

    /// The app of the tests, which speaks for `org.example.Tea` where `environment` says nothing else.
    @discardableResult
    func app(_ arguments: String..., by tool: [String] = []) async throws -> String {
        try await run(tool + ["\(folder)/AgentTestApp"] + arguments)
    }

    /// What it said; throws with that where the status is another than the expected one.
    @discardableResult
    func run(_ command: [String], status: Int32 = 0) async throws -> String {
        let process = Foundation.Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.environment = environment
        let (output, complaints) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaints
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                let words = String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                guard process.terminationStatus == status else {
                    let said = "\(command.joined(separator: " ")) ended with \(process.terminationStatus): \(words)"
                    return continuation.resume(throwing: NoticeError(.systemFailure, said))
                }
                continuation.resume(returning: text + words)
            }
        }
    }

    /// A shell with this script on a terminal of its own; `belfry` is in its PATH.
    func terminal(_ script: String) throws -> TerminalSession {
        try TerminalSession(script, environment: environment.merging(["PATH": "\(folder):/usr/bin:/bin"]) { $1 })
    }

    /// Who has the agent's name; nil where nobody has.
    func agentProcess() async throws -> pid_t? {
        let watcher = try await bus.connection()
        guard try await watcher.owner(of: "org.belfry.Agent1") != nil else { return nil }
        return try await watcher.credentials(of: "org.belfry.Agent1").processID.map(pid_t.init)
    }

    /// The agent's process, asked to end; returns when it is gone from the bus.
    func endAgent() async throws { try await signalAgent(SIGTERM) }

    /// The agent's process, ended without a farewell; returns when the bus has seen it go.
    func killAgent() async throws { try await signalAgent(SIGKILL) }

    private func signalAgent(_ signal: Int32) async throws {
        let process = try #require(try await agentProcess())
        let watcher = try await bus.connection()
        let name = try #require(try await watcher.owner(of: "org.belfry.Agent1"))
        // Of its connection, which it closes last.
        let owners = try await watcher.owners(of: name)
        kill(process, signal)
        for await owner in owners where owner == nil { break }
    }
}

/// A home folder that is gone with its last user.
final class Home: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "belfry-home-\(UUID().uuidString.prefix(8))"
        for folder in [".config", ".local/share"] {
            try FileManager.default.createDirectory(
                atPath: "\(path)/\(folder)",
                withIntermediateDirectories: true
            )
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Files and folders, but for the state of programs.
    func tree() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter { !$0.hasPrefix(".local/state") }.sorted()
    }

    func write(_ name: String, _ text: String) throws {
        let file = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    func read(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }
}
