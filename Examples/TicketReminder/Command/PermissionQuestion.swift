import Belfry
import Foundation

/// Asks for permission where the program was started from: in the terminal. Over the agent a popup asks instead.
struct PermissionQuestion: AuthorizationPrompt {
    func ask(for app: AppIdentity) async -> AuthorizationAnswer {
        guard isatty(STDIN_FILENO) == 1 else { return .cannotAsk }
        print("May \(app.name) show a notice ten minutes before? [y/n] ", terminator: "")
        fflush(nil)
        switch readLine()?.lowercased() {
        case "y", "yes": return .allowed
        case "n", "no": return .denied
        default: return .unanswered
        }
    }
}
