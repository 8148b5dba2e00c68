import Belfry
import Foundation
import Terminal

/// Asks for permission where the program was started from: in the terminal.
struct PermissionQuestion: AuthorizationPrompt {
    func ask(for app: AppIdentity) async -> AuthorizationAnswer {
        guard isatty(STDIN_FILENO) == 1 else { return .cannotAsk }
        print("May \(app.name) show a notice at 8:00 on each birthday? [y/n] ", terminator: "")
        // The question has no line ending that would send it out.
        fflush(nil)
        switch await terminalLines().first(where: { _ in true })?.lowercased() {
        case "y", "yes": return .allowed
        case "n", "no": return .denied
        default: return .unanswered
        }
    }
}
