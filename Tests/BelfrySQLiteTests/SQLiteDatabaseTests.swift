import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("The layer over SQLite's C interface", .takesTurns)
struct SQLiteDatabaseTests {
    private let scratch: TemporaryFolder
    private let database: SQLiteDatabase

    init() throws {
        scratch = try TemporaryFolder()
        database = try SQLiteDatabase(scratch.path("file.sqlite"))
        try database.execute("CREATE TABLE sample (serial INTEGER PRIMARY KEY, value ANY) STRICT")
    }

    @Test(
        "A value comes back as it was bound",
        arguments: [
            .null, .integer(.min), .real(1.5), .text(""), .text("a\0é"), .blob(Data()), .blob(Data([0, 255])),
        ] as [SQLiteValue]
    )
    func values(value: SQLiteValue) throws {
        try database.run("INSERT INTO sample VALUES (1, ?)", [value])
        #expect(try database.first("SELECT value FROM sample") { $0.value(0) } == value)
    }

    @Test("A column of another type is nil, and so is one that isn't there")
    func otherTypes() throws {
        try database.forEach("SELECT 1, 1.5, 'text', X'00', NULL") { row in
            #expect((0..<7).map { row.integer($0) } == [1, nil, nil, nil, nil, nil, nil])
            #expect((0..<7).map { row.real($0) } == [1, 1.5, nil, nil, nil, nil, nil])
            #expect((0..<7).map { row.blob($0) } == [nil, nil, nil, Data([0]), nil, nil, nil])
            #expect((0..<7).map { row.text($0) } == [nil, nil, "text", "\0", nil, nil, nil])
            #expect(row.value(-1) == .null && row.isNull(99))
        }
    }

    @Test("What is wrong is an error with SQLite's code and words")
    func errors() throws {
        let wrong = #expect(throws: SQLiteError.self) { try database.run("SELECT * FROM nowhere") }
        #expect(wrong?.description == "SQLite 1: no such table: nowhere")
        let tooMany = #expect(throws: SQLiteError.self) { try database.run("SELECT ?", [.null, .null]) }
        #expect(tooMany?.extendedCode == 25)
        try database.run("INSERT INTO sample VALUES (1, 1)")
        let taken = #expect(throws: SQLiteError.self) { try database.run("INSERT INTO sample VALUES (1, 1)") }
        #expect(taken?.extendedCode == 1_555 && taken?.code == 19)
        let folder = #expect(throws: SQLiteError.self) { try SQLiteDatabase(scratch.path) }
        #expect(folder?.code == 14)
    }

    @Test("A transaction whose body throws leaves nothing behind")
    func transactions() throws {
        #expect(throws: CancellationError.self) {
            try database.transaction {
                try database.run("INSERT INTO sample VALUES (1, 1)")
                #expect(database.changeCount == 1)
                throw CancellationError()
            }
        }
        try database.transaction { try database.run("INSERT INTO sample VALUES (2, 2)") }
        #expect(try database.all("SELECT serial FROM sample") { $0.integer(0) } == [2])
    }

    @Test("A statement is run again while its rows are walked through")
    func nested() throws {
        for value in 1...3 as ClosedRange<Int64> {
            try database.run("INSERT INTO sample VALUES (?, 0)", [.integer(value)])
        }
        let sql = "SELECT serial FROM sample"
        let pairs = try database.all(sql) { row in try database.all(sql) { $0.integer(0) }.count }
        #expect(pairs == [3, 3, 3])
    }

    @Test("Tables and columns are listed, and those that aren't there are none")
    func schema() throws {
        #expect(try database.hasTable("sample") && !database.hasTable("other"))
        #expect(try database.columns(of: "sample").map(\.name) == ["serial", "value"])
        #expect(try database.columns(of: "sample").map(\.isOptional) == [false, true])
        #expect(try database.columns(of: "other").isEmpty)
    }

    @Test("After closing every call throws")
    func closed() throws {
        try database.run("INSERT INTO sample VALUES (1, 1)")
        database.close()
        database.close()
        #expect(throws: SQLiteError.self) { try database.run("INSERT INTO sample VALUES (1, 1)") }
        #expect(throws: SQLiteError.self) { try database.execute("SELECT 1") }
        #expect(throws: SQLiteError.self) { try database.transaction {} }
        #expect(throws: SQLiteError.self) { try database.keepLogWhenClosed(true) }
        #expect(database.changeCount == 0)
    }
}
