// swift-tools-version: 6.2
import PackageDescription

// `make test` sets it; an app that depends on Belfry must not fail on what a newer compiler warns of.
let strict: [SwiftSetting] = Context.environment["BELFRY_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]
let settings: [SwiftSetting] =
    strict + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]

// None is on by default: an app that depends on Belfry fetches no other package. `make api-check` turns them on here,
// because SwiftPM builds the version that it compares with by its defaults, whatever the options say (6.3).
let defaultTraits: Set<String> =
    Context.environment["BELFRY_ALL_TRAITS"] == nil ? [] : ["CommandLine", "ServiceLifecycle"]

/// Products of other packages that are there with the trait `ServiceLifecycle` alone.
func daemonProducts(_ products: [(name: String, package: String)]) -> [Target.Dependency] {
    products.map { product in
        .product(name: product.name, package: product.package, condition: .when(traits: ["ServiceLifecycle"]))
    }
}

let package = Package(
    name: "Belfry",
    products: [
        .library(name: "Belfry", targets: ["Belfry"]),
        .library(name: "BelfryAgent", targets: ["BelfryAgent"]),
        .library(name: "BelfryCalendars", targets: ["BelfryCalendars"]),
        .library(name: "BelfryConsole", targets: ["BelfryConsole"]),
        .library(name: "BelfryBus", targets: ["BelfryBus"]),
        .library(name: "BelfryDBus", targets: ["BelfryDBus"]),
        .library(name: "BelfryGeoClue", targets: ["BelfryGeoClue"]),
        .library(name: "BelfryGLib", targets: ["BelfryGLib"]),
        .library(name: "BelfryGPSD", targets: ["BelfryGPSD"]),
        .library(name: "BelfryLibnotify", targets: ["BelfryLibnotify"]),
        .library(name: "BelfryLocationReplay", targets: ["BelfryLocationReplay"]),
        .library(name: "BelfryDesktop", targets: ["BelfryDesktop"]),
        .library(name: "BelfryPluginHost", targets: ["BelfryPluginHost"]),
        .library(name: "BelfryPortal", targets: ["BelfryPortal"]),
        .library(name: "BelfryRecurrence", targets: ["BelfryRecurrence"]),
        .library(name: "BelfryRecorder", targets: ["BelfryRecorder"]),
        .library(name: "BelfrySQLite", targets: ["BelfrySQLite"]),
        .library(name: "BelfrySchedules", targets: ["BelfrySchedules"]),
        .library(name: "BelfryService", targets: ["BelfryService"]),
        .library(name: "BelfryTerminal", targets: ["BelfryTerminal"]),
        .library(name: "BelfryTesting", targets: ["BelfryTesting"]),
        .library(name: "BelfryCoreLocation", targets: ["CoreLocation"]),
        .library(name: "BelfryUserNotifications", targets: ["UserNotifications"]),
        .executable(name: "belfry", targets: ["belfry"]),
        .executable(name: "belfryd", targets: ["belfryd"]),
    ],
    traits: [
        .default(enabledTraits: defaultTraits),
        .trait(
            name: "CommandLine",
            description: "The program belfry. It needs swift-argument-parser."
        ),
        .trait(
            name: "ServiceLifecycle",
            description: "The product BelfryService: a center as a service of a daemon, with its log and its metrics."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CBelfryGLib",
            path: "CShims/CBelfryGLib",
            pkgConfig: "glib-2.0",
            providers: [.apt(["libglib2.0-dev"])]
        ),
        .systemLibrary(
            name: "CDBus",
            path: "CShims/CDBus",
            pkgConfig: "dbus-1",
            providers: [.apt(["libdbus-1-dev"])]
        ),
        .systemLibrary(
            name: "CLibnotify",
            path: "CShims/CLibnotify",
            // Not "libnotify": its flags have -pthread, about which SwiftPM warns every app that depends on Belfry.
            pkgConfig: "gobject-2.0",
            providers: [.apt(["libnotify-dev"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            path: "CShims/CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .target(name: "CBelfryPlugin", path: "CShims/CBelfryPlugin"),
        .systemLibrary(name: "CLinux", path: "CShims/CLinux"),
        .target(name: "BelfryLoop", dependencies: ["CLinux"], swiftSettings: settings),
        .target(name: "BelfryBus", dependencies: ["BelfryLoop", "CDBus"], swiftSettings: settings),
        .target(name: "BelfryRecurrence", swiftSettings: settings),
        .target(name: "BelfryCalendars", dependencies: ["BelfryRecurrence"], swiftSettings: settings),
        .target(
            name: "Belfry",
            dependencies: ["BelfryLoop", "BelfryRecurrence", "CLinux"],
            swiftSettings: settings
        ),
        .target(name: "CBelfryConsole", path: "Plugins/Console/C"),
        .target(
            name: "BelfryConsole",
            dependencies: ["Belfry", "BelfryLoop", "BelfryRecurrence", "CBelfryConsole"],
            path: "Plugins/Console/Swift",
            swiftSettings: settings
        ),
        .target(
            name: "BelfryTerminal",
            dependencies: ["Belfry", "BelfryConsole", "CBelfryConsole"],
            path: "Plugins/Terminal",
            swiftSettings: settings
        ),
        .target(
            name: "BelfryRecorder",
            dependencies: ["Belfry"],
            path: "Plugins/Recorder",
            swiftSettings: settings
        ),
        .target(
            name: "BelfrySQLite",
            dependencies: ["Belfry", "CSQLite"],
            swiftSettings: settings
        ),
        .target(name: "BelfryServers", dependencies: ["Belfry"], swiftSettings: settings),
        .target(name: "BelfryBusBackend", dependencies: ["Belfry", "BelfryBus"], swiftSettings: settings),
        .target(
            name: "BelfryDBus",
            dependencies: ["Belfry", "BelfryBus", "BelfryBusBackend", "BelfryServers"],
            path: "Plugins/DBus",
            swiftSettings: settings
        ),
        .target(
            name: "BelfryGeoClue",
            dependencies: ["Belfry", "BelfryBus"],
            path: "Plugins/GeoClue",
            swiftSettings: settings
        ),
        .target(
            name: "BelfryGPSD",
            dependencies: ["Belfry", "BelfryRecurrence"],
            path: "Plugins/GPSD",
            swiftSettings: settings
        ),
        .target(
            name: "BelfryLocationReplay",
            dependencies: ["Belfry", "BelfryRecurrence"],
            path: "Plugins/LocationReplay",
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryLocationTests",
            dependencies: [
                "BelfryTestSupport",
                "SeededRandom",
                "Belfry", "BelfryBus", "BelfryBusTestSupport", "BelfryDBus", "BelfryGeoClue", "BelfryGPSD",
                "BelfryLocationReplay", "BelfryRecorder", "BelfryRecurrence", "BelfryTesting",
            ],
            swiftSettings: settings
        ),
        .target(name: "BelfryGLib", dependencies: ["CBelfryGLib"], swiftSettings: settings),
        .executableTarget(
            name: "GLibTestApp",
            dependencies: ["Belfry", "BelfryGLib", "BelfryRecorder", "CBelfryGLib"],
            path: "Tests/Support/GLibTestApp",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "GLibAsyncTestApp",
            dependencies: ["BelfryGLib", "CBelfryGLib"],
            path: "Tests/Support/GLibAsyncTestApp",
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryGLibTests",
            dependencies: ["BelfryTestSupport", "GLibAsyncTestApp", "GLibTestApp"],
            swiftSettings: settings
        ),
        .target(
            name: "BelfryPortal",
            dependencies: ["Belfry", "BelfryBus", "BelfryBusBackend", "BelfryServers", "CLinux"],
            path: "Plugins/Portal",
            swiftSettings: settings
        ),
        .target(
            name: "BelfryDesktop",
            dependencies: [
                "Belfry", "BelfryConsole", "BelfryDBus", "BelfryGPSD", "BelfryGeoClue", "BelfryPortal",
                "BelfryTerminal",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BelfrySchedules",
            dependencies: ["Belfry", "BelfryRecurrence"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfrySchedulesTests",
            dependencies: [
                "BelfryTestSupport", "SeededRandom",
                "Belfry", "BelfryRecorder", "BelfryRecurrence", "BelfrySQLite", "BelfrySchedules", "BelfryTesting",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BelfryService",
            dependencies: ["Belfry"]
                + daemonProducts([
                    ("Logging", "swift-log"), ("Metrics", "swift-metrics"),
                    ("ServiceLifecycle", "swift-service-lifecycle"),
                ]),
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryServiceTests",
            dependencies: [
                "BelfryTestSupport",
                "Belfry", "BelfryRecorder", "BelfrySQLite", "BelfryService", "BelfryTesting",
            ]
                + daemonProducts([
                    ("InMemoryLogging", "swift-log"), ("Logging", "swift-log"),
                    ("Metrics", "swift-metrics"), ("MetricsTestKit", "swift-metrics"),
                    ("ServiceLifecycle", "swift-service-lifecycle"),
                ]),
            swiftSettings: settings
        ),
        .target(
            name: "UserNotifications",
            dependencies: ["Belfry", "BelfryRecurrence", "CoreLocation"],
            swiftSettings: settings
        ),
        .target(name: "CoreLocation", swiftSettings: settings),
        .target(
            name: "PortedApp",
            dependencies: ["CoreLocation", "UserNotifications"],
            path: "Tests/Support/PortedApp",
            // What is ported was mostly written for Swift 5, and without the features of `settings`.
            swiftSettings: strict + [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "UserNotificationsTests",
            dependencies: [
                "BelfryTestSupport",
                "Belfry", "BelfryAgent", "BelfryAgentService", "BelfryBus", "BelfryBusTestSupport", "BelfryRecorder",
                "BelfryRecurrence", "BelfrySQLite", "BelfryTesting", "CoreLocation", "PortedApp", "UserNotifications",
            ],
            swiftSettings: settings
        ),
        .target(name: "SeededRandom", path: "Tests/Support/SeededRandom", swiftSettings: settings),
        .target(
            name: "BelfryTestSupport",
            dependencies: ["Belfry"],
            path: "Tests/Support/BelfryTestSupport",
            swiftSettings: settings
        ),
        .target(name: "BelfryTesting", dependencies: ["Belfry", "BelfryRecurrence"], swiftSettings: settings),
        .target(
            name: "BelfryPluginHost",
            dependencies: ["Belfry", "BelfryServers", "CBelfryPlugin", "CLinux"],
            swiftSettings: settings
        ),
        .target(
            name: "CBelfryLibnotify",
            dependencies: ["CBelfryPlugin", "CLibnotify"],
            path: "Plugins/Libnotify/C",
            // For libnotify's header: see CShims/CLibnotify/gdk-pixbuf.
            cSettings: [.headerSearchPath("../../../CShims/CLibnotify")],
            linkerSettings: [.linkedLibrary("notify"), .linkedLibrary("gio-2.0")]
        ),
        .target(
            name: "BelfryLibnotify",
            dependencies: ["Belfry", "BelfryPluginHost", "CBelfryLibnotify"],
            path: "Plugins/Libnotify/Swift",
            swiftSettings: settings
        ),
        .target(
            name: "BelfryCommand",
            dependencies: [
                "Belfry",
                "BelfryAgent",
                "BelfryBus",
                "BelfryCalendars",
                "BelfryConsole",
                "BelfryDBus",
                "BelfryDesktop",
                "BelfryGeoClue",
                "BelfryGPSD",
                "BelfryLocationReplay",
                "BelfryLoop",
                "BelfryPluginHost",
                "BelfryPortal",
                "BelfryRecurrence",
                "BelfrySQLite",
                "BelfrySchedules",
                "BelfryTerminal",
                "BelfryTesting",
                "CLinux",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["CommandLine"])
                ),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BelfryAgent",
            dependencies: ["Belfry", "BelfryBus", "BelfryLoop", "BelfryRecurrence"],
            swiftSettings: settings
        ),
        .target(
            name: "BelfryAgentService",
            dependencies: [
                "Belfry", "BelfryAgent", "BelfryBus", "BelfryCalendars", "BelfryDBus", "BelfryDesktop", "BelfryLoop",
                "BelfryPortal", "BelfrySQLite",
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "belfryd", dependencies: ["Belfry", "BelfryAgentService"], swiftSettings: settings),
        .executableTarget(
            name: "AgentTestApp",
            dependencies: [
                "Belfry", "BelfryAgent", "BelfryAgentService", "BelfryBus", "BelfryPortal", "BelfrySQLite",
            ],
            path: "Tests/Support/AgentTestApp",
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryAgentTests",
            dependencies: [
                "BelfryTestSupport",
                "AgentTestApp", "Belfry", "BelfryAgent", "BelfryAgentService", "BelfryBus", "BelfryBusTestSupport",
                "BelfryDBus", "BelfryRecorder", "BelfryRecurrence", "BelfrySQLite", "BelfryTesting", "SeededRandom",
                "belfry", "belfryd",
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "belfry", dependencies: ["BelfryCommand"], swiftSettings: settings),
        .testTarget(
            name: "BelfryBusTests",
            dependencies: [
                "BelfryTestSupport", "SeededRandom",
                "BelfryBus", "BelfryBusTestSupport", "BelfryLoop", "CDBus",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BelfryBusTestSupport",
            dependencies: ["Belfry", "BelfryBus"],
            path: "Tests/Support/BelfryBusTestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryDBusTests",
            dependencies: [
                "BelfryTestSupport", "SeededRandom",
                "Belfry", "BelfryBus", "BelfryBusBackend", "BelfryBusTestSupport", "BelfryDBus", "BelfryRecurrence",
                "BelfryServers", "BelfryTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryPortalTests",
            dependencies: [
                "AgentTestApp", "Belfry", "BelfryBus", "BelfryBusTestSupport", "BelfryPortal", "BelfrySQLite",
                "BelfryTestSupport", "BelfryTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryCommandTests",
            dependencies: [
                "BelfryTestSupport",
                "SeededRandom",
                "Belfry",
                "BelfryAgent",
                "BelfryBus",
                "BelfryBusTestSupport",
                "BelfryCommand",
                "BelfryConsole",
                "BelfryRecurrence",
                "BelfryRecorder",
                "BelfrySchedules",
                "BelfryTerminal",
                "BelfryTesting",
                "belfry",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["CommandLine"])
                ),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "StoreWorkload",
            dependencies: ["SeededRandom", "Belfry"],
            path: "Tests/Support/StoreWorkload",
            swiftSettings: settings
        ),
        .target(
            name: "StoreConformance",
            dependencies: ["Belfry", "BelfryTesting", "StoreWorkload"],
            path: "Tests/Support/StoreConformance",
            swiftSettings: settings
        ),
        .target(name: "CFaultySystem", path: "Tests/Support/CFaultySystem"),
        .target(name: "CSystemCallTracer", path: "Tests/Support/CSystemCallTracer"),
        .executableTarget(
            name: "StoreWriter",
            dependencies: [
                "SeededRandom", "Belfry", "BelfrySQLite", "BelfryTesting", "CFaultySystem", "StoreWorkload",
            ],
            path: "Tests/Support/StoreWriter",
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfrySQLiteTests",
            dependencies: [
                "BelfryTestSupport",
                "SeededRandom",
                "Belfry", "BelfryRecorder", "BelfryRecurrence", "BelfrySQLite", "BelfryTesting", "CSystemCallTracer",
                "StoreConformance", "StoreWorkload", "StoreWriter",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryTestingTests",
            dependencies: [
                "BelfryTestSupport", "SeededRandom",
                "Belfry", "BelfryRecurrence", "BelfryRecorder", "BelfryTesting", "StoreConformance",
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "BelfryClockTests", dependencies: ["BelfryTestSupport", "Belfry"], swiftSettings: settings),
        .testTarget(
            name: "BelfryConsoleTests",
            dependencies: [
                "BelfryTestSupport", "SeededRandom",
                "Belfry", "BelfryConsole", "BelfryRecurrence", "BelfryTesting", "CBelfryConsole",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryTerminalTests",
            dependencies: [
                "BelfryTestSupport", "SeededRandom", "BelfryBus", "BelfryBusTestSupport",
                "Belfry", "BelfryConsole", "BelfryTerminal", "BelfryTesting", "CBelfryConsole", "belfry",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryRecorderTests",
            dependencies: ["BelfryTestSupport", "Belfry", "BelfryRecorder"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryRecurrenceTests",
            dependencies: [
                "BelfryTestSupport", "SeededRandom", "BelfryCalendars", "BelfryRecurrence", "BelfryTesting",
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings
        ),
        .target(
            name: "ConformanceStage",
            dependencies: ["Belfry", "BelfryBusTestSupport", "BelfryTesting"],
            path: "Tests/Support/ConformanceStage",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ConformanceRunner",
            dependencies: ["BelfryConsole", "BelfryDBus", "BelfryLibnotify", "BelfryRecorder", "ConformanceStage"],
            path: "Tests/Support/ConformanceRunner",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "PluginRunner",
            dependencies: ["BelfryPluginHost", "ConformanceStage"],
            path: "Tests/Support/PluginRunner",
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryDesktopTests",
            dependencies: [
                "BelfryTestSupport",
                "Belfry", "BelfryDesktop", "BelfryLibnotify", "BelfryPluginHost", "BelfryRecorder", "BelfryTesting",
                "ConformanceRunner", "ConformanceStage", "PluginRunner",
            ],
            swiftSettings: settings
        ),
        .target(name: "CMisbehavingPlugin", dependencies: ["CBelfryPlugin"], path: "Tests/Support/CMisbehavingPlugin"),
        .testTarget(
            name: "BelfryPluginHostTests",
            dependencies: [
                "BelfryTestSupport",
                "Belfry", "BelfryPluginHost", "CBelfryPlugin", "CMisbehavingPlugin",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BelfryTests",
            dependencies: [
                "BelfryTestSupport", "SeededRandom",
                "Belfry", "BelfryCalendars", "BelfryRecurrence", "BelfryRecorder", "BelfrySchedules", "BelfryTesting",
            ],
            exclude: ["Location/Fixtures"],
            swiftSettings: settings
        ),
    ]
)

// A part of the tests, and only what they need: BELFRY_TESTS="BelfryBusTests BelfryTests" swift test
if let names = Context.environment["BELFRY_TESTS"] {
    var open = names.split(separator: " ").map(String.init)
    var needed: Set<String> = []
    while let name = open.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): open.append(name)
            default: break
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { product in
        let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return !needed.isSuperset(of: targets)
    }
}
