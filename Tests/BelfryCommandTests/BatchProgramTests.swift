import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@Suite("belfry next --batch, as a program", .takesTurns)
struct BatchProgramTests {
    private func answers(_ questions: String, limit: Int = 120) async throws -> [String] {
        let outcome = try await BuiltProgram.run(["next", "--batch"], input: questions, limit: limit)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        return outcome.lines
    }

    @Test("A question is answered with its dates, as whole seconds, under its id")
    func dates() async throws {
        let lines = try await answers(
            """
            {"id":"a","kind":"match","expression":{"month":2,"day":29,"hour":8},"zone":"America/New_York","after":1767225600,"count":3,"missingDate":"skip"}
            {"id":7,"kind":"match","expression":[{"hour":8},{"hour":20.0}],"zone":"UTC","after":0.5,"count":3,"colour":"red"}
            """
        )
        #expect(
            lines == [
                #"{"id":"a","dates":[1835442000,1961672400,2087902800]}"#, #"{"id":7,"dates":[28800,72000,115200]}"#,
            ]
        )
    }

    @Test("Every notation is read, and a systemd expression is normalised")
    func notations() async throws {
        let lines = try await answers(
            """
            {"id":1,"kind":"cron","expression":"0 8 * * *","zone":"UTC","after":0,"count":2}
            {"id":2,"kind":"rrule","expression":"FREQ=DAILY;COUNT=2","start":28800,"zone":"UTC","after":0,"count":5}
            {"id":3,"kind":"rrule","expression":"DTSTART;TZID=Europe/Berlin:19700102T090000\\nRRULE:FREQ=YEARLY","after":0,"count":1}
            {"id":4,"kind":"on","expression":"*:*:0.25","zone":"UTC","after":0,"count":2}
            {"id":5,"kind":"on","expression":"Mon-Fri 9:25","normalize":true}
            {"id":6,"kind":"on","expression":"*-02-30","zone":"UTC","after":0,"count":1}
            {"id":"b","kind":"cron","expression":"61 * * * *","zone":"UTC","after":0,"count":1}
            """
        )
        #expect(
            lines == [
                #"{"id":1,"dates":[28800,115200]}"#, #"{"id":2,"dates":[28800,115200]}"#, #"{"id":3,"dates":[115200]}"#,
                #"{"id":4,"dates":[0.25,60.25]}"#, #"{"id":5,"normalized":"Mon..Fri *-*-* 09:25:00"}"#,
                #"{"id":6,"dates":[]}"#,
                #"{"id":"b","error":{"code":"invalidNotation","message":"cron: minute 61 is not in 0–59 (column 1)"}}"#,
            ]
        )
    }

    @Test("What can never fire answers an empty list")
    func never() async throws {
        let lines = try await answers(
            """
            {"id":1,"kind":"match","expression":{"month":13},"zone":"UTC","after":0,"count":3}
            {"id":2,"kind":"match","expression":{"month":2,"day":30},"zone":"UTC","after":0,"count":3,"missingDate":"skip"}
            {"id":3,"kind":"match","expression":{"hour":1e300},"zone":"UTC","after":0,"count":3}
            {"id":4,"kind":"match","expression":{"year":1999},"zone":"UTC","after":1767225600,"count":3}
            {"id":5,"kind":"match","expression":{"hour":8},"zone":"UTC","after":0,"count":0}
            {"id":6,"kind":"match","expression":{"hour":8},"zone":"UTC","after":1e300,"count":1}
            """
        )
        #expect(lines == (1...6).map { "{\"id\":\($0),\"dates\":[]}" })
    }

    @Test("A bad line gets its error, and the rest go on in order")
    func badLines() async throws {
        let bad = [
            "{", "[]", "nonsense", "{\"id\":\"x\"}", #"{"id":"x","kind":"moon","expression":{}}"#,
            #"{"id":"x","kind":"match"}"#, #"{"id":"x","kind":"match","expression":"hour=8"}"#,
            #"{"id":"x","kind":"match","expression":{"hour":"8"}}"#,
            #"{"id":"x","kind":"match","expression":{"hour":1.5}}"#,
            #"{"id":"x","kind":"match","expression":{"hours":8}}"#, #"{"id":"x","kind":"match","expression":[]}"#,
            #"{"id":"x","kind":"match","expression":{"hour":8},"zone":"Mars/Olympus"}"#,
            #"{"id":"x","kind":"match","expression":{"hour":8},"zone":5}"#,
            #"{"id":"x","kind":"match","expression":{"hour":8},"after":"now"}"#,
            #"{"id":"x","kind":"match","expression":{"hour":8},"count":-1}"#,
            #"{"id":"x","kind":"match","expression":{"hour":8},"count":1e18}"#,
            #"{"id":"x","kind":"match","expression":{"hour":8},"missingDate":"maybe"}"#,
            #"{"id":"x","kind":"match","expression":{"hour":8},"firstWeekday":9}"#,
            #"{"id":"x","kind":"match","expression":{"hour":8},"normalize":true}"#,
            #"{"id":"x","kind":"cron","expression":5}"#,
            #"{"id":"x","kind":"on","expression":"nonsense","normalize":true}"#,
            #"{"id":"x","kind":"rrule","expression":"FREQ=DAILY"}"#,
        ]
        let good = #"{"id":"good","kind":"match","expression":{"hour":8},"zone":"UTC","after":0,"count":1}"#
        let lines = try await answers(bad.flatMap { [$0, good] }.joined(separator: "\n"))
        try #require(lines.count == bad.count * 2)
        for (index, question) in bad.enumerated() {
            let answer = try #require(JSONLine(lines[index * 2]))
            #expect(answer["error", "code"]?.isEmpty == false, "\(question)")
            #expect(answer["error", "message"]?.isEmpty == false, "\(question)")
            #expect(lines[index * 2 + 1] == #"{"id":"good","dates":[28800]}"#)
        }
    }

    @Test("Blank lines, Windows line ends and a last line without an end are taken as they are meant")
    func lineEnds() async throws {
        let good = #"{"id":1,"kind":"match","expression":{"hour":8},"zone":"UTC","after":0,"count":1}"#
        let lines = try await answers("\n\(good)\r\n  \n\r\n\(good)")
        #expect(lines == Array(repeating: #"{"id":1,"dates":[28800]}"#, count: 2))
    }

    @Test("A line of a megabyte is read, one of more than 16 is refused, and both leave the next one alone")
    func longLines() async throws {
        let good = #"{"id":1,"kind":"match","expression":{"hour":8},"zone":"UTC","after":0,"count":1,"pad":""#
        let lines = try await answers(
            good + String(repeating: "x", count: 1 << 20) + "\"}\n"
                + good + String(repeating: "x", count: 17 << 20) + "\"}\n" + good + "\"}\n",
            // Unoptimized code looks at each of these bytes.
            limit: 300
        )
        try #require(lines.count == 3)
        #expect(lines[0] == #"{"id":1,"dates":[28800]}"#)
        #expect(lines[1].contains("16 MiB"))
        #expect(lines[2] == lines[0])
    }

    @Test("Noise is answered line by line")
    func noise() async throws {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        for _ in 0..<300 {
            // No line feed inside, and something that is no blank.
            bytes.append(UInt8(ascii: "x"))
            bytes += (0..<20).map { _ in UInt8.random(in: 0x0B...255, using: &random) }
            bytes.append(0x0A)
        }
        let outcome = try await BuiltProgram.run(["next", "--batch"], input: bytes)
        #expect(outcome.status == 0, "seed \(seed)")
        #expect(outcome.lines.count == 300, "seed \(seed)")
    }

    @Test("An answer comes before the next question is asked")
    func conversation() async throws {
        let program = try RunningProgram(["next", "--batch"])
        for hour in 1...3 {
            try program.write(
                #"{"id":\#(hour),"kind":"match","expression":{"hour":\#(hour)},"zone":"UTC","after":0}"# + "\n"
            )
            #expect(await program.line() == "{\"id\":\(hour),\"dates\":[\(hour * 3600)]}")
        }
        try program.closeInput()
        #expect(await program.end() == (0, ""))
    }

    @Test("A reader that goes away ends the run quietly")
    func closedOutput() async throws {
        let program = try RunningProgram(["next", "--batch"])
        try program.closeOutput()
        try program.write(#"{"id":1,"kind":"match","expression":{"hour":1},"zone":"UTC","after":0}"# + "\n")
        #expect(await program.end() == (0, ""))
    }

    @Test("An interrupted run ends with status 130")
    func interrupted() async throws {
        let program = try RunningProgram(["next", "--batch"])
        // The answer shows that the program has come to its signals.
        try program.write("{}\n")
        #expect(await program.line()?.contains("error") == true)
        program.signal(SIGINT)
        #expect(await program.end() == (130, ""))
    }
}
