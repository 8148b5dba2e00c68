import Belfry
import BelfryTestSupport
import CBelfryConsole
import Foundation
import Testing

@testable import BelfryConsole

/// Keys and the shell's job control. Each test needs a process of its own, with the terminal as its own.
@Suite("Keys, from the background and to the front", .takesTurns, .sharesTerminal, .serialized, .timeLimit(.minutes(5)))
struct JobControlTests {
    @Test("A key that another reader has got is not waited for")
    func lostKey() async throws {
        let terminal = try PseudoTerminal()
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            let slave = open(path, O_RDWR | O_NOCTTY)
            guard belfry_console_keys_begin(slave) == 0 else { exit(2) }
            var byte: UInt8 = 0
            alarm(10)
            exit(belfry_console_keys_read(slave, &byte, 1) == -EAGAIN ? 0 : 3)
        }
    }

    @Test("A stop that is not obeyed leaves the keys as they are", arguments: [1, 2])
    func sparedStop(times: Int) async throws {
        let terminal = try PseudoTerminal()
        await #expect(processExitsWith: .success) { [path = terminal.path as String, times = times as Int] in
            // A group that no shell waits for is orphaned: the kernel drops its SIGTSTP (setpgid(2)).
            setsid()
            let slave = open(path, O_RDWR | O_NOCTTY)
            guard belfry_console_keys_begin(slave) == 0 else { exit(2) }
            // Threads of Swift's pool block signals.
            var stop = sigset_t()
            sigemptyset(&stop)
            sigaddset(&stop, SIGTSTP)
            pthread_sigmask(SIG_UNBLOCK, &stop, nil)
            for _ in 0..<times { raise(SIGTSTP) }
            var settings = termios()
            tcgetattr(slave, &settings)
            exit(settings.c_lflag & tcflag_t(ICANON | ECHO) == 0 ? 0 : 3)
        }
        #expect(!terminal.givesSingleKeys, "put back at the end")
    }

    @Test("Keys that come while the process is in the background are read when it is in front again")
    func backgroundAndFront() async throws {
        let terminal = try PseudoTerminal()
        async let user: Void = Self.press("1", at: terminal, after: ["behind", "in front"])
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            alarm(30)
            setsid()
            let slave = open(path, O_RDWR)
            let backend = ConsoleBackend(output: .descriptor(slave), input: slave)
            let (events, reports) = AsyncStream.makeStream(of: BackendEvent.self)
            let run = Task { try await backend.run { reports.yield($0) } }
            let question = NoticeContent(title: "Tea?", actions: [NoticeAction("yes", title: "Yes")])
            _ = try await backend.deliver(makeDelivery("tea", question))
            try await singleKeys(of: slave)
            let other = try job()
            guard goBehind(other, at: slave) else { exit(2) }
            await untilPressed(at: slave)
            goInFront(at: slave)
            kill(other, SIGKILL)
            for await case .responded(_, "yes", _, _) in events { break }
            run.cancel()
            try await run.value
        }
        try await user
    }

    @Test("A key that is pressed while the process comes to the front is read, at whatever moment it comes")
    func keyOnTheWay() async {
        await #expect(processExitsWith: .success) {
            alarm(30)
            setsid()
            let terminal = try PseudoTerminal()
            let slave = open(terminal.path, O_RDWR)
            let screen = terminal.drain()
            let backend = ConsoleBackend(output: .descriptor(slave), input: slave)
            let (events, reports) = AsyncStream.makeStream(of: BackendEvent.self)
            _ = Task { try await backend.run { reports.yield($0) } }
            try await singleKeys(of: slave)
            let other = try job()
            for round in 1...1_000 {
                let question = NoticeContent(title: "Tea?", actions: [NoticeAction("yes", title: "Yes")])
                _ = try await backend.deliver(makeDelivery("tea \(round)", question))
                guard goBehind(other, at: slave) else { exit(2) }
                terminal.press("1")
                await untilPressed(at: slave)
                goInFront(at: slave)
                kill(getpid(), SIGCONT)
                for await case .responded(_, "yes", _, _) in events { break }
            }
            kill(other, SIGKILL)
            screen.cancel()
            exit(0)
        }
    }

    @Test("That keys wait in the background is reported, once")
    func reportedPause() async throws {
        let terminal = try PseudoTerminal()
        async let user: Void = Self.press("1", at: terminal, after: ["behind", "behind"])
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            alarm(30)
            setsid()
            let slave = open(path, O_RDWR)
            let backend = ConsoleBackend(output: .descriptor(slave), input: slave)
            let (events, reports) = AsyncStream.makeStream(of: BackendEvent.self)
            _ = Task { try await backend.run { reports.yield($0) } }
            try await singleKeys(of: slave)
            let other = try job()
            var reported: [NoticeError] = []
            for round in 1...2 {
                let question = NoticeContent(title: "Tea?", actions: [NoticeAction("yes", title: "Yes")])
                _ = try await backend.deliver(makeDelivery("tea \(round)", question))
                guard goBehind(other, at: slave) else { exit(2) }
                if round == 1 {
                    for await case .error(let error) in events {
                        reported.append(error)
                        break
                    }
                } else {
                    await untilPressed(at: slave)
                }
                goInFront(at: slave)
                for await event in events {
                    if case .error(let error) = event { reported.append(error) }
                    if case .responded = event { break }
                }
            }
            kill(other, SIGKILL)
            guard reported.count == 1 else { exit(3) }
            exit(reported[0].message.contains("background") ? 0 : 4)
        }
        try await user
    }

    @Test("After a question that ended in the background, keys are read when the process is in front again")
    func questionInTheBackground() async {
        await #expect(processExitsWith: .success) {
            alarm(30)
            setsid()
            let terminal = try PseudoTerminal()
            let slave = open(terminal.path, O_RDWR)
            let screen = terminal.drain()
            let backend = ConsoleBackend(output: .descriptor(slave), input: slave)
            let (events, reports) = AsyncStream.makeStream(of: BackendEvent.self)
            _ = Task { try await backend.run { reports.yield($0) } }
            let tea = NoticeContent(title: "Tea?", actions: [NoticeAction("yes", title: "Yes")])
            _ = try await backend.deliver(makeDelivery("tea", tea))
            try await singleKeys(of: slave)
            let other = try job()
            guard await TerminalTurn.ask({ goBehind(other, at: slave) }) else { exit(2) }
            goInFront(at: slave)
            kill(getpid(), SIGCONT)
            try await singleKeys(of: slave)
            terminal.press("1")
            for await case .responded(_, "yes", _, _) in events { break }
            kill(other, SIGKILL)
            screen.cancel()
            exit(0)
        }
    }

    private static func press(_ key: String, at terminal: PseudoTerminal, after texts: [String]) async throws {
        try await Task.detached {
            for text in texts {
                _ = try terminal.read(until: text)
                terminal.press(key)
            }
        }.value
    }
}

/// Another job is in front, as after ^Z and bg.
private func goBehind(_ other: pid_t, at terminal: Int32) -> Bool {
    signal(SIGTTOU, SIG_IGN)
    guard tcsetpgrp(terminal, other) == 0 else { return false }
    return write(terminal, "behind\n", 7) == 7
}

private func untilPressed(at terminal: Int32) async {
    var waiting: Int32 = 0
    repeat { await Task.yield() } while ioctl(terminal, UInt(FIONREAD), &waiting) == 0 && waiting == 0
}

/// The shell's fg.
private func goInFront(at terminal: Int32) {
    tcsetpgrp(terminal, getpgrp())
    _ = write(terminal, "in front\n", 9)
}

/// A process in a group of its own that does nothing.
private func job() throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var process: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
    defer { for argument in arguments { free(argument) } }
    guard posix_spawn(&process, "/bin/sleep", nil, &attributes, &arguments, nil) == 0 else {
        throw CancellationError()
    }
    return process
}
