import BelfryTestSupport
import Glibc
import Testing

@testable import Belfry

@Suite("Small programs that are asked", .takesTurns, .timeLimit(.minutes(5)))
struct ChildOutputTests {
    /// The descriptors that the program itself has, with the one by which it looks.
    private static func descriptors() async -> String? {
        await ChildOutput.firstLine(of: "/bin/ls", ["-m", "/proc/self/fd"], within: .seconds(60))
    }

    @Test("programs that are started at the same time get nothing of each other's")
    func apart() async throws {
        let alone = try #require(await Self.descriptors())
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<500 { group.addTask { await Self.descriptors() } }
            for await descriptors in group { #expect(descriptors == alone) }
        }
    }

    @Test("where the process ignores the ends of its children, a status is unknown and no success")
    func unknown() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            let end = try await ChildProgram(["/bin/false"]).end()
            #expect(end != .exited(status: 0))
        }
    }

    @Test("where the process ignores the ends of its children, a line counts without the status")
    func lineWithoutStatus() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            let line = await ChildOutput.firstLine(of: "/bin/echo", ["there"], within: .seconds(60))
            #expect(line == "there")
        }
    }

    @Test("a program may be given a lower limit of descriptors, shortly after it has begun")
    func descriptorLimit() async throws {
        let script = "until [ \"$(ulimit -S -n)\" = 64 ]; do :; done"
        let child = try ChildProgram(["/bin/sh", "-c", script], descriptorLimit: 64)
        #expect(await child.end(within: .seconds(30)) == .exited(status: 0))
    }

    @Test("where descriptors have run out there is no answer; when there are some again there is")
    func exhausted() async {
        await #expect(processExitsWith: .success) {
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit()
            getrlimit(resource, &limit)
            let usual = limit.rlim_cur
            #expect(await Self.descriptors() != nil)
            let lowest = open("/dev/null", O_RDONLY | O_CLOEXEC)
            // Room for none, and for one end of the two that are wanted.
            for room in 0...1 {
                limit.rlim_cur = rlim_t(lowest) + 1 + rlim_t(room)
                setrlimit(resource, &limit)
                let answer = await Self.descriptors()
                #expect(answer == nil)
            }
            limit.rlim_cur = usual
            setrlimit(resource, &limit)
            #expect(await Self.descriptors() != nil)
        }
    }
}
