import Glibc

/// What a small program prints.
package enum ChildOutput {
    /// The first line, where the program ended well within the limit; else it is ended, and the answer is nil.
    package static func firstLine(
        of program: String,
        _ arguments: [String],
        within limit: Duration
    ) async -> String? {
        var ends: [Int32] = [-1, -1]
        // Unlike a pipe's, its ends are closed on exec from the first moment on, also in a child that another thread
        // starts.
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        let (output, input) = (ends[0], ends[1])
        defer { close(output) }
        let child = try? ChildProgram([program] + arguments, output: input)
        close(input)
        guard let child, await child.end(within: limit) == .exited(status: 0) else { return nil }
        return firstLine(in: output)
    }

    /// Of what is there: a child of the child may hold the other end open, and its end is not waited for.
    private static func firstLine(in output: Int32) -> String? {
        guard fcntl(output, F_SETFL, O_NONBLOCK) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
