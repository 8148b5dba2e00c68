import BelfryRecurrence
import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Serialized, since the variable `TZ` belongs to the whole process. No other suite reads the system's zone.
@Suite("Rule 13: the zone is fixed or that of the system, as libc reads it", .serialized)
struct Rule13Tests {
    private func withVariable<Result>(_ name: String, _ value: String?, _ body: () throws -> Result) rethrows -> Result
    {
        let before = getenv(name).map { String(cString: $0) }
        defer { set(name, before) }
        set(name, value)
        return try body()
    }

    private func set(_ name: String, _ value: String?) {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
        tzset()
    }

    /// What libc says.
    private func offset(at instant: Int64) -> Int {
        var seconds = time_t(instant)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts.tm_gmtoff
    }

    @Test(
        "Offsets are those of libc for every form of TZ",
        arguments: [
            nil, "", ":", "Europe/Berlin", ":Europe/Berlin", "America/St_Johns", "/usr/share/zoneinfo/Asia/Kathmandu",
            ":/usr/share/zoneinfo/Australia/Lord_Howe", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT",
            "EST5EDT,M3.2.0,M11.1.0",
            "<+0330>-3:30", "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "IST-1GMT0,M10.5.0,M3.5.0/1",
            "NZST-12NZDT,M9.5.0,M4.1.0/3",
            "XXX-5:45:30", "AAA3BBB,J60/0,J300/24", "AAA-3BBB,59/0,299/24", "Nowhere/At_All", "Garbage!", "UTC0",
            "UTC+3",
        ]
    )
    func libc(variable: String?) {
        withVariable("TZ", variable) {
            let rules = ZoneRules.system()
            // From 1970 on: glibc applies a POSIX rule to earlier years as well, but not to all of them alike.
            for instant in stride(from: Int64(0), to: 4_000_000_000, by: 1_234_567) {
                let (ours, theirs) = (rules.offset(at: instant), offset(at: instant))
                #expect(ours == theirs, "TZ=\(variable ?? "unset") at \(instant)")
                if ours != theirs { return }
            }
        }
    }

    @Test("The identifier is that of the variable, or of the link")
    func identifiers() {
        withVariable("TZ", ":Europe/Berlin") { #expect(ZoneRules.system().identifier == "Europe/Berlin") }
        withVariable("TZ", "") { #expect(ZoneRules.system().identifier == "UTC") }
        withVariable("TZ", "/usr/share/zoneinfo/Europe/Rome") {
            #expect(ZoneRules.system().identifier == "Europe/Rome")
        }
    }

    @Test("A floating trigger follows the system's zone, a fixed one doesn't")
    func floating() throws {
        let hours = try [ZoneReference.floating, .named("Europe/Berlin")].map { zone in
            try ["Asia/Tokyo", "America/Los_Angeles"].map { system in
                try withVariable("TZ", system) {
                    try DatePattern(matching: [DateFields(hour: 8)], zone: zone.rules()).next(after: 0)
                }
            }
        }
        #expect(hours == [[82_800, 57_600], [25_200, 25_200]])
    }

    @Test("Changed zone data is read again, by name and as the system's")
    func renewed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-zones-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Here")
        try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Asia/Tokyo")).write(to: file)
        try withVariable("TZDIR", folder.path) {
            try withVariable("TZ", "Here") {
                #expect(try ZoneRules.named("Here").offset(at: 0) == 32_400)
                #expect(ZoneRules.system().offset(at: 0) == 32_400)
                let same = try ZoneRules.named("Here")
                #expect(try ZoneRules.named("Here") == same)
                try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Asia/Kathmandu")).write(to: file)
                #expect(try ZoneRules.named("Here").offset(at: 1_000_000_000) == 20_700)
                #expect(ZoneRules.system().offset(at: 1_000_000_000) == 20_700)
            }
        }
    }

    @Test("Where the file is missing, Foundation's zone data is used")
    func fallback() throws {
        try withVariable("TZDIR", "/nowhere") {
            let berlin = try ZoneRules.named("Europe/Berlin")
            #expect(berlin.offset(at: 1_700_000_000) == 3600)
            #expect(berlin.offset(at: 1_690_000_000) == 7200)
            #expect(berlin.nextChange(after: 1_690_000_000) == 1_698_541_200)
        }
    }

    @Test(
        "A zone that no one knows is an error that names it",
        arguments: ["Mars/Olympus", "", "../etc/passwd", "/etc/passwd", "Europe", "tzdata.zi", "a\u{0}b", "UTC+3,x"]
    )
    func unknown(name: String) {
        let error = #expect(throws: RecurrenceError.self) { try ZoneRules.named(name) }
        #expect(error?.code == .unknownZone)
        #expect(error?.message.contains("'\(name)'") == true)
    }
}
