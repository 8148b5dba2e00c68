import BelfryTestSupport
import Foundation
import Testing

@testable import Belfry

@Suite("Files that somebody has named", .takesTurns, .timeLimit(.minutes(5)))
struct RegularFileTests {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    @Test("A regular file is read, as far as is wanted") func reads() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/text"
        try Data("0123456789".utf8).write(to: URL(fileURLWithPath: path))
        #expect(RegularFile.isReadable(path))
        #expect(try RegularFile.bytes(of: path, limit: 100) == Array("0123456789".utf8))
        #expect(try RegularFile.bytes(of: path, limit: 4) == Array("0123".utf8))
    }

    @Test("A FIFO, a device, a folder and nothing at all are refused at once") func refuses() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pipe = folder + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/zero", folder] {
            #expect(throws: RegularFile.Failure.notRegular, "\(path)") { try RegularFile.bytes(of: path, limit: 1) }
            #expect(!RegularFile.isReadable(path), "\(path)")
        }
        for path in [folder + "/nothing", "/etc/hostname\u{0}", "/etc/hostname/x"] {
            let failure = #expect(throws: RegularFile.Failure.self) { try RegularFile.bytes(of: path, limit: 1) }
            #expect(failure?.isAbsent == true, "\(path)")
            #expect(!RegularFile.isReadable(path), "\(path)")
        }
    }
}
