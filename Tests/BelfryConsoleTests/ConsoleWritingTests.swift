import Belfry
import BelfryConsole
import BelfryTestSupport
import Foundation
import Testing

@Suite("The console survives its readers", .takesTurns, .timeLimit(.minutes(5)))
struct ConsoleWritingTests {
    private func pipeEnds() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    private func error(_ backend: ConsoleBackend, _ delivery: Delivery = makeDelivery()) async -> NoticeError? {
        do throws(NoticeError) {
            _ = try await backend.deliver(delivery)
            return nil
        } catch { return error }
    }

    /// All that is in the pipe by now.
    private func drain(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&state, 1, 0) == 1 {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    @Test("A pipe without a reader is a permanent error, and no signal ends the process")
    func survivesAClosedPipe() async throws {
        let ends = try pipeEnds()
        close(ends.read)
        defer { close(ends.write) }
        let backend = ConsoleBackend(output: .descriptor(ends.write), input: nil)
        for _ in 0..<3 {
            let error = await error(backend)
            #expect(error?.code == .systemFailure)
            #expect(error?.isTransient == false)
        }
    }

    @Test("A reader who does not read is a transient error within the limit; no line is ever half there")
    func survivesAFullPipe() async throws {
        let ends = try pipeEnds()
        defer {
            close(ends.read)
            close(ends.write)
        }
        let backend = ConsoleBackend(
            format: .json,
            output: .descriptor(ends.write),
            input: nil,
            writeLimit: .milliseconds(500)
        )
        let long = NoticeContent(title: "Long", body: String(repeating: "x", count: 50_000))
        var errors: [NoticeError] = []
        for number in 0..<4 {
            if let error = await error(backend, makeDelivery("n\(number)", long)) { errors.append(error) }
        }
        #expect(errors.count == 3)
        #expect(errors.allSatisfy { $0.code == .serverBusy && $0.isTransient })
        let last = makeDelivery("last")
        var bytes: [UInt8] = []
        // The second one is still being finished, and on a busy machine for longer than the limit.
        repeat { bytes += drain(ends.read) } while await error(backend, last) != nil && !Task.isCancelled
        bytes += drain(ends.read)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let ids = try lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["id"] as? String
        }
        // The second had been begun and is finished; the third and fourth never were.
        #expect(ids == ["n0", "n1", "last"])
    }

    @Test("A terminal that nobody reads is a transient error within the limit; no line is ever half there")
    func survivesAFullTerminal() async throws {
        let terminal = try PseudoTerminal()
        // A guard, for a write that hangs.
        let guardian = DispatchWorkItem { terminal.hangUp() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(60), execute: guardian)
        defer { guardian.cancel() }
        let backend = ConsoleBackend(output: .descriptor(terminal.slave), input: nil, writeLimit: .milliseconds(500))
        let count = 100
        let body = Array(repeating: "short", count: count).joined(separator: "\n")
        var shown = 0
        var failure: NoticeError?
        while failure == nil, shown < 1_000 {
            let start = ContinuousClock.now
            failure = await error(backend, makeDelivery("n\(shown)", NoticeContent(title: "Title", body: body)))
            #expect(ContinuousClock.now - start < .seconds(10))
            if failure == nil { shown += 1 }
        }
        try #require(failure?.code == .serverBusy)
        #expect(failure?.isTransient == true)

        let last = makeDelivery("last", NoticeContent(title: "The end"))
        var bytes: [UInt8] = []
        // The kernel moves what was written to the reader in the background.
        repeat { bytes += drain(terminal.master) } while await error(backend, last) != nil && !Task.isCancelled
        let text = try String(decoding: bytes, as: UTF8.self) + terminal.read(until: "The end")
        let before = try #require(text.components(separatedBy: "The end").first)
        let lines = before.components(separatedBy: "\r\n").dropLast()
        // The last one had been begun and is finished.
        #expect(lines.count == (shown + 1) * (count + 1))
        #expect(lines.count(where: { $0.hasSuffix(" short") }) == (shown + 1) * count)
    }

    @Test("A text whose time is over is not begun, because it is repeated; one that was begun is finished")
    func nothingLate() async throws {
        let ends = try pipeEnds()
        defer {
            close(ends.read)
            close(ends.write)
        }
        let writer = DescriptorWriter(ends.write)
        #expect(writer.write(Array("late\n".utf8), until: .now - .seconds(16)) == ETIMEDOUT)
        #expect(drain(ends.read).isEmpty)
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        #expect(writer.write(long, until: .now + .milliseconds(500)) == ETIMEDOUT)
        var bytes = drain(ends.read)
        #expect(!bytes.isEmpty && bytes.count < long.count)
        #expect(writer.write(Array("late\n".utf8), until: .now - .seconds(16)) == ETIMEDOUT)
        #expect(writer.write(Array("last\n".utf8), until: .now + .seconds(60)) == 0)
        bytes += drain(ends.read)
        #expect(bytes == long + Array("last\n".utf8))
    }

    @Test("A full disk is said to be one")
    func survivesAFullDisk() async throws {
        let full = open("/dev/full", O_WRONLY)
        guard full >= 0 else {
            print("skipped: no /dev/full here")
            return
        }
        defer { close(full) }
        let error = await error(ConsoleBackend(output: .descriptor(full), input: nil))
        #expect(error?.code == .failedForNow)
        #expect(error?.cause?.isEmpty == false)
    }

    @Test("A descriptor that is none is an error")
    func survivesNonsense() async throws {
        let error = await error(ConsoleBackend(output: .descriptor(-1), input: -1))
        #expect(error?.code == .systemFailure)
    }

    @Test("What a writer throws is passed on")
    func passesErrorsOn() async throws {
        struct Mine: Error {}
        let wrapped = await error(ConsoleBackend(output: .writer { _ in throw Mine() }, input: nil))
        #expect(wrapped?.code == .systemFailure)
        #expect(wrapped?.cause == "Mine()")
        let typed = NoticeError(.serverBusy, "later")
        #expect(await error(ConsoleBackend(output: .writer { _ in throw typed }, input: nil)) == typed)
    }
}
