import Glibc

/// Reads the output of a small program.
package enum ChildOutput {
    /// Returns the first line if the program exits with status 0 within the limit. Otherwise it returns nil; a late
    /// program is killed. If the status is unknown because the app ignores SIGCHLD, the line counts.
    package static func firstLine(
        of program: String,
        _ arguments: [String],
        within limit: Duration
    ) async -> String? {
        var ends: [Int32] = [-1, -1]
        // Unlike the ends of a pipe, these are close-on-exec from the start, even for a child that another thread
        // starts.
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        let (output, input) = (ends[0], ends[1])
        defer { close(output) }
        let child = try? ChildProgram([program] + arguments, output: input)
        close(input)
        switch await child?.end(within: limit) {
        case .exited(status: 0), .unknown: return firstLine(in: output)
        case .exited, .crashed, .late, nil: return nil
        }
    }

    /// Reads only what is available: a grandchild may hold the other end open, so there may be no end of file.
    private static func firstLine(in output: Int32) -> String? {
        guard fcntl(output, F_SETFL, O_NONBLOCK) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
