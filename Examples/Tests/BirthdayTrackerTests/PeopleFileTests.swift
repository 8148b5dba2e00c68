import BirthdayTrackerKit
import Foundation
import Testing

@Suite("People and their file")
struct PeopleFileTests {
    @Test(
        "Birthdays are read with and without a year",
        arguments: ["1990-05-10", "05-10", "2000-02-29", "02-29", "0001-01-31"]
    )
    func reading(text: String) throws {
        #expect(try Birthday(reading: text).description == text)
    }

    @Test(
        "What is no day is refused by name",
        arguments: [
            ("1999-02-29", BirthdayError.noSuchDay("1999-02-29")), ("04-31", .noSuchDay("04-31")),
            ("1900-02-29", .noSuchDay("1900-02-29")), ("13-01", .noSuchDay("13-01")), ("00-10", .noSuchDay("00-10")),
            ("0000-01-01", .noSuchDay("0000-01-01")), ("10 May", .notADate("10 May")), ("", .notADate("")),
            ("1990-05", .noSuchDay("1990-05")), ("1990--10", .notADate("1990--10")), ("+5-10", .notADate("+5-10")),
            ("99999999999999999999-01-01", .notADate("99999999999999999999-01-01")),
        ]
    )
    func refused(text: String, error: BirthdayError) {
        #expect(throws: error) { try Birthday(reading: text) }
    }

    @Test("A name is trimmed, and must not be empty or too long for an identifier") func names() throws {
        let day = try Birthday(month: 5, day: 10)
        #expect(try Person(name: " Ada Lovelace\n", birthday: day).name == "Ada Lovelace")
        #expect(throws: BirthdayError.noName) { try Person(name: " \t", birthday: day) }
        #expect(throws: BirthdayError.nameTooLong(bytes: 1_001)) {
            try Person(name: String(repeating: "a", count: 1_001), birthday: day)
        }
    }

    @Test("The file stands under XDG_DATA_HOME, or under the home folder where that says nothing usable")
    func path() {
        let given = PeopleFile.standard(environment: ["XDG_DATA_HOME": "/data"])
        #expect(given.path == "/data/birthday-tracker/people.json")
        for useless in [[:], ["XDG_DATA_HOME": ""], ["XDG_DATA_HOME": "relative"]] {
            let file = PeopleFile.standard(environment: useless.merging(["HOME": "/home/ada"]) { $1 })
            #expect(file.path == "/home/ada/.local/share/birthday-tracker/people.json")
        }
    }

    @Test("What is stored is read back, sorted, one entry a name") func roundTrip() throws {
        try withFile { file in
            #expect(try file.load() == [])
            try file.add(Person(name: "Grace", birthday: Birthday(reading: "1985-12-09")))
            try file.add(Person(name: "Ada", birthday: Birthday(reading: "05-09")))
            try file.add(Person(name: "Ada", birthday: Birthday(reading: "05-10")))
            #expect(try file.load().map { "\($0.name) \($0.birthday)" } == ["Ada 05-10", "Grace 1985-12-09"])
            #expect(try file.remove(name: " Ada "))
            #expect(try file.remove(name: "Ada") == false)
            #expect(try file.load().map(\.name) == ["Grace"])
        }
    }

    @Test(
        "A file that can't be read is an error that names it, and is left as it is",
        arguments: [
            "", "{", #"{"people": 3}"#, #"{"people": [{"name": "Ada", "birthday": "1999-02-29"}]}"#,
            #"{"people": [{"name": "", "birthday": "05-10"}]}"#,
        ]
    )
    func unreadable(text: String) throws {
        try withFile { file in
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: file.path).deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
            let person = try Person(name: "Alan", birthday: Birthday(reading: "06-23"))
            let error = #expect(throws: BirthdayError.self) { try file.add(person) }
            #expect(error?.description.contains(file.path) == true)
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
        }
    }

    private func withFile(_ body: (PeopleFile) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "people-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(PeopleFile(path: folder + "/deep/people.json"))
    }
}
