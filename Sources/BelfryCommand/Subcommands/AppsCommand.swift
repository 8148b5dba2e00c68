#if CommandLine
import ArgumentParser
import Belfry
import BelfryAgent
import BelfryConsole
import BelfrySchedules

/// The command for the apps that may show notices through the agent.
struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List, allow, deny or release the apps that show notices.",
        discussion: "belfry apps deny org.example.Tea",
        subcommands: [List.self, Allow.self, Deny.self, Release.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the apps that the agent knows, and their permission."
        )

        @OptionGroup
        var output: OutputOptions

        func run() async throws {
            let output = output.writer
            let directory = AgentDirectory()
            let apps = try await directory.apps()
            var unreadable: [String] = []
            for app in apps {
                let center = directory.center(of: app)
                let status: AuthorizationStatus
                do throws(NoticeError) { status = try await center.authorizationStatus() } catch {
                    // A call that the interruption canceled is no error of the app.
                    try Task.checkCancellation()
                    guard error.code == .appQuarantined else {
                        unreadable.append(app)
                        try output.result(["id": app, "error": error.json], "\(app): \(error)", .bad)
                        continue
                    }
                    try output.result(
                        ["id": app, "quarantined": true],
                        "\(app): quarantined, since it crashed the agent twice in a row; "
                            + "'belfry apps release \(app)' tries again"
                    )
                    continue
                }
                let desktop = await center.desktopPermission()
                try output.result(
                    ["id": app, "authorization": status.rawValue, "desktop": desktop.rawValue],
                    "\(app): \(desktop.words ?? status.words)"
                )
            }
            if apps.isEmpty { output.note("no app has used the agent yet") }
            guard unreadable.isEmpty else {
                throw NoticeError(
                    .incomplete,
                    "Not every permission can be read: \(unreadable.joined(separator: ", ")). Each line above says why."
                )
            }
        }
    }

    /// The app argument of a command.
    struct Target: ParsableArguments {
        @Argument(help: .init("The app's identifier, such as org.example.Tea.", valueName: "id"), completion: .appIDs)
        var id: String

        @OptionGroup
        var output: OutputOptions

        fileprivate func set(_ status: AuthorizationStatus) async throws {
            try await AgentDirectory().center(of: id).setAuthorization(status)
            try output.writer.result(["id": id, "authorization": status.rawValue], "\(id): \(status.words)")
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Allow an app to show notices."
        )

        @OptionGroup
        var app: Target

        func run() async throws { try await app.set(.authorized) }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "deny",
            abstract: "Deny an app to show notices."
        )

        @OptionGroup
        var app: Target

        func run() async throws { try await app.set(.denied) }
    }

    struct Release: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "release",
            abstract: "Release an app from quarantine, where it was put for crashing the agent."
        )

        @OptionGroup
        var app: Target

        func run() async throws {
            let directory = AgentDirectory()
            guard try await isQuarantined(at: directory) else {
                throw NoticeError(
                    .notFound,
                    "'\(app.id.clipped)' is not in quarantine: 'belfry apps' shows which apps are."
                )
            }
            try await directory.release(app.id)
            try app.output.writer.result(["id": app.id, "quarantined": false], "\(app.id): started again")
        }

        /// Calls no center, since that would start an app that is not quarantined. The agent's status has only the
        /// quarantined apps that it was to start.
        private func isQuarantined(at directory: AgentDirectory) async throws -> Bool {
            guard case .running = try await directory.presence() else {
                return try AgentStorage().isQuarantined(app.id)
            }
            return try AgentStorage(path: try await directory.status().folder).isQuarantined(app.id)
        }
    }
}

extension AuthorizationStatus {
    fileprivate var words: String {
        switch self {
        case .authorized: "may show notices"
        case .denied: "may not show notices"
        case .provisional: "shows notices quietly: it could not ask"
        case .notDetermined: "has not asked yet"
        }
    }
}

extension DesktopPermission {
    /// The setting in words; nil if only the user's permission in Belfry matters.
    fileprivate var words: String? {
        switch self {
        case .off: "switched off in the desktop's own settings"
        case .quiet: "shows no popups, by the desktop's own settings"
        case .on, .unknown: nil
        }
    }
}
#endif
