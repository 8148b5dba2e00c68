import Belfry

/// The terminal that tmux is currently attached to, as tmux reports it; not the one that it was started in.
struct TmuxClient: Sendable, Hashable {
    /// The terminal's name and version; tmux queries it (XTVERSION) from version 3.2 on.
    let name: String
    /// Its TERM.
    let kind: String

    private static let question = ["#{allow-passthrough}", "#{client_termtype}", "#{client_termname}"]
    private static let state = ["#{window_active}", "#{session_attached}"]

    /// Queries the tmux server that the variables name. Throws the permanent reason why tmux passes nothing on.
    static func current(
        in environment: [String: String],
        within limit: Duration
    ) async throws(NoticeError) -> TmuxClient {
        let socket = environment["TMUX"]?.split(separator: ",").first.map(String.init) ?? ""
        let pane = environment["TMUX_PANE"].map { ["-t", $0] } ?? []
        let format = (question + state).joined(separator: "\t")
        let arguments = ["-S", socket, "display-message", "-p"] + pane + [format]
        guard let line = await ChildOutput.firstLine(of: "tmux", arguments, within: limit) else {
            throw NoticeError(.unsupported, "tmux does not say which terminal it is shown on.")
        }
        return try TmuxClient(line)
    }

    /// Parses tmux's output.
    init(_ line: String) throws(NoticeError) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 5 else {
            throw NoticeError(.unsupported, "tmux does not say which terminal it is shown on.", cause: line)
        }
        guard (Int(fields[4]) ?? 1) > 0 else {
            throw NoticeError(.unsupported, "tmux is shown on no terminal: its session is detached.")
        }
        switch fields[0] {
        case "0", "off":
            throw NoticeError(
                .unsupported,
                "tmux passes no notices on: write 'set -g allow-passthrough all' into ~/.tmux.conf."
            )
        // tmux before 3.3 had no such option and passed everything on.
        case "2", "all", "": break
        // tmux passes nothing on from a window that isn't visible.
        default:
            guard fields[3] != "0" else {
                throw NoticeError(
                    .unsupported,
                    "tmux passes nothing on from a window that is not shown: write 'set -g allow-passthrough all' into "
                        + "~/.tmux.conf (tmux 3.4)."
                )
            }
        }
        (name, kind) = (fields[1], fields[2])
    }
}
