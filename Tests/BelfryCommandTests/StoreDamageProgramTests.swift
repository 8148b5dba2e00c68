import BelfryTestSupport
import Foundation
import Testing

@Suite("A damaged store is told by the command line", .takesTurns, .timeLimit(.minutes(5)))
struct StoreDamageProgramTests {
    @Test("Once on standard error by the next command, and by doctor until it is acknowledged")
    func told() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        let added = try await BuiltProgram.run(["add", "T", "--id", "t", "--in", "1h", "--no-wait", "--store", store])
        #expect(added.status == 0, "\(added.errors)")
        try Data(repeating: 0x5A, count: 8_192).write(to: URL(fileURLWithPath: store + "/store.sqlite"))
        let first = try await BuiltProgram.run(["list", "--store", store, "--quiet"])
        #expect(first.errors.contains("The store was damaged"), "\(first.errors)")
        #expect(try await !BuiltProgram.run(["list", "--store", store]).errors.contains("damaged"))
        let doctor = try await BuiltProgram.run(["doctor", "--json", "--store", store])
        let damage = doctor.lines.compactMap(JSONLine.init).first { $0["check"] == "damage" }
        #expect(doctor.status == 1 && damage?["state"] == "damaged" && damage?["folder"] == store)
        #expect(damage?["advice"]?.contains("'belfry doctor --acknowledge --store \(store)'") == true)
        let seen = try await BuiltProgram.run(["doctor", "--json", "--acknowledge", "--store", store])
        #expect(!seen.lines.compactMap(JSONLine.init).contains { $0["check"] == "damage" })
    }

    @Test("A lost request is listed as lost until it is acknowledged, or added anew")
    func lost() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        func add(_ id: String) async throws -> JSONLine? {
            let options = ["--id", id, "--in", "1h", "--no-wait", "--json", "--store", store]
            let added = try await BuiltProgram.run(["add", "Title \(id)"] + options)
            #expect(added.status == 0, "\(added.errors)")
            return added.lines.compactMap(JSONLine.init).first
        }
        for id in ["a", "b"] { _ = try await add(id) }
        let file = URL(fileURLWithPath: store + "/store.sqlite")
        var bytes = try Data(contentsOf: file)
        while let title = bytes.range(of: Data("Title b".utf8)) { bytes[title.lowerBound] ^= 1 }
        try bytes.write(to: file)

        let text = try await BuiltProgram.run(["list", "--store", store])
        let words = "b: lost (the store was damaged; 'belfry doctor --acknowledge --store \(store)' forgets it)"
        #expect(text.lines.count == 2 && text.lines.last == words, "\(text.output)")
        let listed = try await BuiltProgram.run(["list", "--json", "--store", store]).lines.compactMap(JSONLine.init)
        #expect(listed.map { $0["id"] } == ["a", "b"])
        let lost = try #require(listed.last).object
        #expect(lost["unreadable"] as? Bool == true && Set(lost.keys) == ["id", "unreadable"])
        #expect(listed.first?.object["unreadable"] == nil)
        #expect(try await add("b")?["change"] == "added")
    }

    @Test("A store whose file is gone is damaged, and not an empty one")
    func gone() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        let added = try await BuiltProgram.run(["add", "T", "--id", "t", "--in", "1h", "--no-wait", "--store", store])
        #expect(added.status == 0, "\(added.errors)")
        try FileManager.default.removeItem(atPath: store + "/store.sqlite")
        let listed = try await BuiltProgram.run(["list", "--store", store])
        #expect(listed.errors.contains("transactions that were acknowledged are missing"), "\(listed.errors)")
    }
}
