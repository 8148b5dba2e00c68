import Belfry
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySchedules

/// The files under `Examples/schedules`, whose coming dates are checked across both clock changes.
@Suite("The example schedules", .takesTurns)
struct ExampleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = root.appendingPathComponent("Examples/schedules")

    /// - Expectations are written anew with `BELFRY_WRITE_EXPECTATIONS=1`, and then read by a user.
    @Test(
        "Each entry's coming dates, around the clock changes of 2026 in Berlin, are those in 'expected'",
        arguments: ["native.json", "form-a.json", "form-b.json", "form-c.json", "alarms.ics"]
    )
    func dates(name: String) throws {
        let path = Self.folder.appendingPathComponent(name).path
        let schedule = try NoticeSchedule(contentsOf: path, options: ScheduleOptions(zone: Reading.berlin))
        var lines: [String] = []
        for anchor in ["2026-03-27 12:00", "2026-10-23 12:00"] {
            lines.append("# read at \(anchor), Europe/Berlin")
            for entry in schedule.entries { lines += try Self.lines(of: entry, Reading.date(anchor)) }
            lines.append("")
        }
        let text = lines.joined(separator: "\n")
        let expected = Self.folder.appendingPathComponent("expected/\(name).txt")
        if ProcessInfo.processInfo.environment["BELFRY_WRITE_EXPECTATIONS"] != nil {
            try Data(text.utf8).write(to: expected)
        }
        #expect(try String(contentsOf: expected, encoding: .utf8) == text)
    }

    private static func lines(of entry: ScheduledNotice, _ anchor: Date) throws -> [String] {
        let name = entry.id ?? entry.content.title
        let requests: [NoticeRequest]
        do throws(ScheduleDiagnostic) { requests = try entry.requests(beginningAt: anchor, in: Reading.berlin) } catch {
            return ["\(name): \(error.message)"]
        }
        let dates = requests.flatMap { $0.trigger?.previewOccurrences(6, after: anchor, in: Reading.berlin) ?? [] }
            .sorted().prefix(6)
        return ["\(name):\(dates.isEmpty ? " over" : "")"] + dates.map { "  " + offsetText($0) }
    }

    private static func offsetText(_ date: Date) -> String {
        let seconds = Int64(date.timeIntervalSince1970.rounded(.down))
        return "\(Reading.text(date)) +0\(Reading.berlin.offset(at: seconds) / 3600):00"
    }

    @Test("The examples of Belfry's own form follow the JSON Schema, and so does no file with a wrong key")
    func schema() throws {
        guard Self.python("import jsonschema", []) == 0 else {
            return print("Not checked: python3-jsonschema is not here (.ci/setup lint installs it).")
        }
        let program = """
            import json, sys, jsonschema
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft202012Validator.check_schema(schema)
            jsonschema.Draft202012Validator(schema).validate(json.load(open(sys.argv[2])))
            """
        let schema = Self.root.appendingPathComponent("docs/schedule.schema.json").path
        for name in ["native.json", "places.json"] {
            let path = Self.folder.appendingPathComponent(name).path
            _ = try NoticeSchedule(contentsOf: path)
            #expect(Self.python(program, [schema, path]) == 0, "\(name) is not valid")
        }
        let wrong = NSTemporaryDirectory() + "belfry-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: wrong) }
        for text in [
            #"{"version":2,"notices":[]}"#, #"{"version":1,"notices":[{"id":"a","title":"A"}]}"#,
            #"{"version":1,"notices":[{"id":"a","title":"A","trigger":{"in":1,"at":"x"}}]}"#,
            #"{"version":1,"notices":[{"id":"a","tittle":"A","trigger":{"in":1}}]}"#,
            #"{"version":1,"notices":[{"id":"a","title":"A","trigger":{"in":1,"times":2}}]}"#,
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: wrong))
            #expect(Self.python(program, [schema, wrong]) == 1, "\(text) is valid")
            #expect(throws: ScheduleError.self) { try NoticeSchedule(parsing: text) }
        }
    }

    private static func python(_ program: String, _ arguments: [String]) -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program] + arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return -1 }
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test("Every key that the reader knows is in the JSON Schema, and the other way round")
    func keys() throws {
        let data = try Data(contentsOf: Self.root.appendingPathComponent("docs/schedule.schema.json"))
        let schema = try JSONDecoder().decode(JSONValue.self, from: data)
        let definitions = try #require(schema.objectValue?["$defs"]?.objectValue)
        var described: [String: Set<String>] = [:]
        for (name, definition) in definitions {
            guard let properties = definition.objectValue?["properties"]?.objectValue else { continue }
            #expect(definition.objectValue?["additionalProperties"] == false, "\(name)")
            described[name] = Set(properties.keys)
        }
        let known = [
            "file": NativeKeys.file,
            "notice": NativeKeys.notice,
            "action": NativeKeys.action,
            "attachment": NativeKeys.attachment,
            "series": NativeKeys.series,
            "misfire": NativeKeys.misfire,
            "deliverLate": NativeKeys.deliverLate,
            "hint": NativeKeys.hint,
            "near": NativeKeys.near,
            "components": NativeKeys.components,
            "trigger": NativeKeys.trigger,
        ].mapValues { Set($0) }
        #expect(described == known)
        let branches = try #require(definitions["trigger"]?.objectValue?["oneOf"]?.arrayValue)
        var companions: [String: Set<String>] = [:]
        for branch in branches {
            let kind = try #require(branch.objectValue?["required"]?.arrayValue?.first?.stringValue)
            let names = branch.objectValue?["propertyNames"]?.objectValue?["enum"]?.arrayValue ?? []
            companions[kind] = Set(names.compactMap(\.stringValue)).subtracting([kind])
        }
        #expect(
            companions
                == Dictionary(uniqueKeysWithValues: TriggerKey.allCases.map { ($0.rawValue, Set($0.companions)) })
        )
    }
}
