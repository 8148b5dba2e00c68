import Belfry

/// The error of a failed expectation. The message states the actual values, and what to check. Permanent: a later call
/// succeeds only after another delivery or response.
///
/// ```swift
/// let recorder = RecorderBackend()
/// do { try recorder.expectDelivery(of: "tea") } catch let error as RecorderError {
///     print(error)   // "tea" was not delivered; delivered so far: nothing. …
/// }
/// ```
public struct RecorderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expected and the actual values.
    public let message: String
    public var description: String { message }

    static func notDelivered(_ id: String, in state: RecorderState) -> RecorderError {
        var message = "\"\(id)\" was not delivered; delivered so far: \(list(state.deliveries.map(\.requestID)))."
        let failed = state.attempts.filter { $0.requestID == id }.count
        if failed > 0 {
            message += " It was tried \(failed) times, and failed or is stalled."
        } else {
            message += " Is it due yet, and was the clock advanced?"
        }
        return RecorderError(message: message)
    }

    static func notShown(_ id: String, in state: RecorderState) -> RecorderError {
        var message = "\"\(id)\" is not on the screen; there: \(list(state.shown.map(\.id)))."
        if !state.isServerThere {
            message += " The server was removed."
        } else if state.withdrawn.contains(where: { $0.id == id }) {
            message += " It was withdrawn."
        } else if state.deliveries.contains(where: { $0.requestID == id }) {
            message += " It was shown and is closed."
        } else {
            message += " It was not delivered."
        }
        return RecorderError(message: message)
    }

    static func noActions(_ id: String) -> RecorderError {
        RecorderError(message: "\"\(id)\" can't be pressed: the offered capabilities lack actions.")
    }

    static func noReply(_ id: String) -> RecorderError {
        RecorderError(message: "\"\(id)\" has no field to type into: the offered capabilities lack reply.")
    }

    static func noAction(_ action: String?, on id: String, there: [String]) -> RecorderError {
        let what = action.map { "no action \"\($0)\"" } ?? "no action that takes a reply"
        return RecorderError(message: "\"\(id)\" has \(what); there: \(list(there)).")
    }

    static func otherDeliveries(expected: [String], delivered: [String]) -> RecorderError {
        let same = zip(expected, delivered).prefix { $0 == $1 }.count
        return RecorderError(
            message: "Deliveries differ at number \(same + 1): expected \(list(Array(expected.dropFirst(same)))), "
                + "delivered \(list(Array(delivered.dropFirst(same))))."
        )
    }

    private static func list(_ names: [String]) -> String {
        guard !names.isEmpty else { return "nothing" }
        let listed = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
        return names.count > 20 ? "\(listed) and \(names.count - 20) more" : listed
    }
}
