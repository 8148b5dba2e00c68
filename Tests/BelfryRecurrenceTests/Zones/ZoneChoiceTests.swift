import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryRecurrence

@Suite("The zone is fixed or that of the system, as libc reads it", .takesTurns)
struct ZoneChoiceTests {
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
    func libc(variable: String?) throws {
        try expectLikeLibc(ZoneEnvironment(zone: variable))
    }

    /// A rule without dates is the only one that means something else where the zone data has another `posixrules`; and
    /// some distributions have a file of such a name (`EST5EDT`), others have not.
    @Test(
        "A rule without dates has those that libc gives it, by the zone data that there is",
        arguments: ["EST5EDT", "EST5EDT,", "PST8PDT", "CET-1CEST", "FOO5BAR4", "AAA-3BBB"],
        [[:], ["posixrules": "America/New_York"], ["posixrules": "Europe/Berlin"], ["EST5EDT": "Asia/Tokyo"]]
    )
    func withoutDates(variable: String, files: [String: String]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-zones-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, zone) in files {
            try FileManager.default.copyItem(
                at: URL(filePath: "/usr/share/zoneinfo/\(zone)").resolvingSymlinksInPath(),
                to: folder.appending(path: name)
            )
        }
        try expectLikeLibc(ZoneEnvironment(zone: variable, directory: folder.path))
    }

    private func expectLikeLibc(_ environment: ZoneEnvironment) throws {
        let rules = ZoneCache().systemZone(in: environment)
        let instants = Array(stride(from: Int64(0), to: 4_000_000_000, by: 3_234_567))
        for (instant, expected) in zip(instants, try offsets(at: instants, in: environment)) {
            let found = rules.offset(at: instant)
            #expect(found == expected, "TZ=\(environment.zone ?? "unset") at \(instant)")
            if found != expected { return }
        }
    }

    /// What libc says, in a process of its own: the variable belongs to a whole process, and other tests run in this
    /// one.
    private func offsets(at instants: [Int64], in environment: ZoneEnvironment) throws -> [Int] {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/date")
        process.arguments = ["-f", "-", "+%::z"]
        var variables: [String: String] = [:]
        variables["TZ"] = environment.zone
        variables["TZDIR"] = environment.directory
        process.environment = variables
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // Less than a pipe holds, so that writing before reading can't block.
        try input.fileHandleForWriting.write(contentsOf: Data(instants.map { "@\($0)\n" }.joined().utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n")
        try #require(lines.count == instants.count)
        return lines.map { line in
            let parts = line.dropFirst().split(separator: ":").compactMap { Int($0) }
            return (parts[0] * 3600 + parts[1] * 60 + parts[2]) * (line.first == "-" ? -1 : 1)
        }
    }

    @Test("The identifier is that of the variable, or of the link")
    func identifiers() {
        let names = [":Europe/Berlin", "", "/usr/share/zoneinfo/Europe/Rome"].map {
            ZoneCache().systemZone(in: ZoneEnvironment(zone: $0)).identifier
        }
        #expect(names == ["Europe/Berlin", "UTC", "Europe/Rome"])
    }

    @Test("A floating trigger follows the system's zone")
    func floating() throws {
        let cache = ZoneCache()
        let dates = try ["Asia/Tokyo", "America/Los_Angeles"].map { name in
            let zone = cache.systemZone(in: ZoneEnvironment(zone: name))
            return try DatePattern(matching: [DateFields(hour: 8)], zone: zone).next(after: 0)
        }
        #expect(dates == [82_800, 57_600])
        #expect(try ZoneReference.floating.rules() == ZoneRules.system())
    }

    @Test("A compiled rule moves to another zone")
    func moved() throws {
        let pattern = try DatePattern(matching: [DateFields(hour: 8)], zone: .named("Asia/Tokyo"))
        #expect(pattern.next(after: 0) == 82_800)
        #expect(try pattern.inZone(.named("America/Los_Angeles")).next(after: 0) == 57_600)
    }

    @Test("Changed zone data is read again, and unchanged data is not")
    func renewed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-zones-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Here")
        let cache = ZoneCache()
        let environment = ZoneEnvironment(zone: "Here", directory: folder.path)
        try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Asia/Tokyo")).write(to: file)
        let first = try #require(cache.zone(named: "Here", in: environment))
        #expect(first.offset(at: 0) == 32_400)
        #expect(cache.systemZone(in: environment).offset(at: 0) == 32_400)
        #expect(cache.zone(named: "Here", in: environment) == first)
        try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Asia/Kathmandu")).write(to: file)
        #expect(cache.zone(named: "Here", in: environment)?.offset(at: 1_000_000_000) == 20_700)
        #expect(cache.systemZone(in: environment).offset(at: 1_000_000_000) == 20_700)
    }

    @Test("Where the file is missing, Foundation's zone data is used")
    func fallback() throws {
        let environment = ZoneEnvironment(directory: "/nowhere")
        let berlin = try #require(ZoneCache().zone(named: "Europe/Berlin", in: environment))
        #expect(berlin.offset(at: 1_700_000_000) == 3600)
        #expect(berlin.offset(at: 1_690_000_000) == 7200)
        #expect(berlin.nextChange(after: 1_690_000_000) == 1_698_541_200)
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
