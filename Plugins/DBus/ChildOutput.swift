import Foundation
import Synchronization

/// What a small program prints.
enum ChildOutput {
    private static let deadlines = DispatchQueue(label: "org.belfry.dbus.programs")

    /// The first line, where the program ended well within the limit; else it is ended, and the answer is nil.
    static func firstLine(of program: String, _ arguments: [String], within limit: Duration) async -> String? {
        let process = Foundation.Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let isInTime = await withCheckedContinuation { continuation in
            let waiter = OnceResumed(continuation)
            process.terminationHandler = { ended in
                waiter.resume(ended.terminationReason == .exit && ended.terminationStatus == 0)
            }
            do { try process.run() } catch {
                waiter.resume(false)
                return
            }
            let child = process.processIdentifier
            let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
            Self.deadlines.asyncAfter(deadline: .now() + seconds) {
                // Still waited for, so still running, and the number still its own.
                if waiter.resume(false) { kill(child, SIGKILL) }
            }
        }
        guard isInTime else { return nil }
        // A child of the child may hold the pipe open: what is there is read, and the end not waited for.
        let descriptor = output.fileHandleForReading.fileDescriptor
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
    }
}

/// A continuation that two may want to resume.
private final class OnceResumed: Sendable {
    private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = Mutex(continuation) }

    /// True for the first.
    @discardableResult
    func resume(_ value: Bool) -> Bool {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: value)
        return waiting != nil
    }
}
