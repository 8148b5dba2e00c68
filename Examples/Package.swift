// swift-tools-version: 6.2
import PackageDescription

// The example programs, in a package of their own: who depends on Belfry does not build them. An app of yours names
// Belfry's repository where this one names the folder above.

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
if Context.environment["BELFRY_STRICT"] != nil { settings.append(.treatAllWarnings(as: .error)) }

let agent = Target.Dependency.product(name: "BelfryAgent", package: "Belfry")
let console = Target.Dependency.product(name: "BelfryConsole", package: "Belfry")
let core = Target.Dependency.product(name: "Belfry", package: "Belfry")
let dates = Target.Dependency.product(name: "BelfryRecurrence", package: "Belfry")
let desktop = Target.Dependency.product(name: "BelfryDesktop", package: "Belfry")
let popups = Target.Dependency.product(name: "BelfryLibnotify", package: "Belfry")
let places: [Target.Dependency] = [
    .product(name: "BelfryGeoClue", package: "Belfry"),
    .product(name: "BelfryGPSD", package: "Belfry"),
    .product(name: "BelfryLocationReplay", package: "Belfry"),
]
let testing: [Target.Dependency] = [
    .product(name: "BelfryRecorder", package: "Belfry"),
    .product(name: "BelfryTesting", package: "Belfry"),
]

let package = Package(
    name: "BelfryExamples",
    products: [
        .executable(name: "hello-notice", targets: ["HelloNotice"]),
        .executable(name: "birthday-tracker", targets: ["BirthdayTracker"]),
        .executable(name: "local-news", targets: ["LocalNews"]),
        .executable(name: "message-alerts", targets: ["MessageAlerts"]),
        .executable(name: "reminders", targets: ["Reminders"]),
        .executable(name: "ticket-reminder", targets: ["TicketReminder"]),
    ],
    dependencies: [
        // All of its traits, as `make test` builds it: with others it would compile Belfry again.
        .package(name: "Belfry", path: "..", traits: ["CommandLine", "ServiceLifecycle"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "HelloNotice",
            dependencies: [core, desktop],
            path: "HelloNotice",
            swiftSettings: settings
        ),
        .target(
            name: "BirthdayTrackerKit",
            dependencies: [core, dates],
            path: "BirthdayTracker/Kit",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "BirthdayTracker",
            dependencies: ["BirthdayTrackerKit", "Terminal", console, core, dates, popups],
            path: "BirthdayTracker/Command",
            swiftSettings: settings
        ),
        .testTarget(
            name: "BirthdayTrackerTests",
            dependencies: ["BirthdayTrackerKit", core, dates] + testing,
            path: "Tests/BirthdayTrackerTests",
            swiftSettings: settings
        ),
        .target(
            name: "LocalNewsKit",
            dependencies: [core],
            path: "LocalNews/Kit",
            resources: [.copy("Data")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "LocalNews",
            dependencies: [
                "LocalNewsKit", "Terminal", core, dates, desktop,
                .product(name: "BelfryConsole", package: "Belfry"),
                .product(name: "BelfrySQLite", package: "Belfry"),
                .product(name: "BelfryTesting", package: "Belfry"),
            ] + places,
            path: "LocalNews/Command",
            swiftSettings: settings
        ),
        .testTarget(
            name: "LocalNewsTests",
            dependencies: ["LocalNewsKit", core] + places + testing,
            path: "Tests/LocalNewsTests",
            exclude: ["ride.expected"],
            swiftSettings: settings
        ),
        .target(
            name: "MessageAlertsKit",
            dependencies: [core],
            path: "MessageAlerts/Kit",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "MessageAlerts",
            dependencies: ["MessageAlertsKit", "Terminal", core, popups],
            path: "MessageAlerts/Command",
            swiftSettings: settings
        ),
        .testTarget(
            name: "MessageAlertsTests",
            dependencies: ["MessageAlertsKit", core, .product(name: "BelfryDBus", package: "Belfry")] + testing,
            path: "Tests/MessageAlertsTests",
            swiftSettings: settings
        ),
        .target(
            name: "RemindersKit",
            dependencies: [core],
            path: "Reminders/Kit",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Reminders",
            dependencies: ["RemindersKit", core, desktop, .product(name: "BelfrySQLite", package: "Belfry")],
            path: "Reminders/Command",
            swiftSettings: settings
        ),
        .testTarget(
            name: "RemindersTests",
            dependencies: ["RemindersKit", core] + testing,
            path: "Tests/RemindersTests",
            swiftSettings: settings
        ),
        .target(
            name: "TicketReminderKit",
            dependencies: [core, dates],
            path: "TicketReminder/Kit",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "TicketReminder",
            dependencies: ["TicketReminderKit", "Terminal", agent, console, core, desktop],
            path: "TicketReminder/Command",
            swiftSettings: settings
        ),
        .testTarget(
            name: "TicketReminderTests",
            dependencies: ["TicketReminderKit", core, dates] + testing,
            path: "Tests/TicketReminderTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                core, dates, agent, console, desktop,
                .product(name: "BelfryDBus", package: "Belfry"),
                .product(name: "BelfryGLib", package: "Belfry"),
                .product(name: "BelfryPluginHost", package: "Belfry"),
                .product(name: "BelfryPortal", package: "Belfry"),
                .product(name: "BelfrySQLite", package: "Belfry"),
                .product(name: "BelfrySchedules", package: "Belfry"),
                .product(name: "BelfryService", package: "Belfry"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "BelfryTerminal", package: "Belfry"),
                .product(name: "BelfryUserNotifications", package: "Belfry"),
            ] + places + testing,
            path: "Tests/DocumentationTests",
            swiftSettings: settings
        ),
        .target(name: "Terminal", dependencies: [core], path: "Terminal", swiftSettings: settings),
    ]
)

// For those who have libgtk-4-dev: BELFRY_GTK=yes swift run reminders-window
if Context.environment["BELFRY_GTK"] != nil {
    package.products.append(.executable(name: "reminders-window", targets: ["RemindersWindow"]))
    package.targets += [
        .systemLibrary(
            name: "CGtk",
            path: "RemindersWindow/CGtk",
            pkgConfig: "gtk4",
            providers: [.apt(["libgtk-4-dev"])]
        ),
        .executableTarget(
            name: "RemindersWindow",
            dependencies: ["CGtk", agent, core, .product(name: "BelfryGLib", package: "Belfry")],
            path: "RemindersWindow/Window",
            swiftSettings: settings
        ),
    ]
}
