public import Belfry
package import BelfryBus
import FoundationEssentials

/// The coding of values for the bus: JSON in strings, the same as in the store and in files.
package struct AgentCoding: Sendable {
    private let triggers: TriggerRegistry

    /// The most bytes of a request's JSON without its longest string. It only bounds the time that the value takes,
    /// also on the centers' thread: the center checks ``RequestValidation/lengthLimit``, which counts neither keys nor
    /// escapes.
    package static let requestLimit = 2 * RequestValidation.lengthLimit

    package init(triggers: TriggerRegistry = .standard) { self.triggers = triggers }

    package func text(_ value: some Encodable) throws(NoticeError) -> String {
        do { return String(decoding: try JSONEncoder().encode(value), as: UTF8.self) } catch {
            throw NoticeError(.invalidContent, "A value can't be written as JSON: mend it.", cause: "\(error)")
        }
    }

    package func texts(_ values: [some Encodable]) throws(NoticeError) -> [String] {
        try values.map { value throws(NoticeError) in try text(value) }
    }

    /// Decodes a value. Callable from any thread. The time it takes is bounded by the length of the text.
    ///
    /// - Parameter limit: The most bytes of the text without its longest string, which may be a picture.
    package func value<Value: Decodable>(
        _ type: Value.Type,
        _ text: String,
        atMost limit: Int? = nil
    ) throws(NoticeError) -> Value {
        try check(text, limit)
        let decoder = JSONDecoder()
        decoder.userInfo[.triggerRegistry] = triggers
        do { return try decoder.decode(type, from: Data(text.utf8)) } catch let error as NoticeError {
            throw error
        } catch {
            throw NoticeError(
                .invalidContent,
                "'\(text.prefix(80))' is not the JSON of a \(type): use the same version on both sides of the agent.",
                cause: "\(error)"
            )
        }
    }

    private func check(_ text: String, _ limit: Int?) throws(NoticeError) {
        guard let limit else { return }
        let length = text.utf8.count - Self.longestString(in: text)
        guard length > limit else { return }
        throw NoticeError(.invalidContent, "'\(text.prefix(80))' has \(length) bytes: \(limit) are the most.")
    }

    /// Returns the length of the longest string of a JSON text in bytes, in one pass. The text may be malformed.
    private static func longestString(in text: String) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            var longest = 0
            var index = 0
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "\"") {
                    let begin = index + 1
                    index = endOfString(from: begin, in: bytes)
                    longest = max(longest, index - begin)
                }
                index += 1
            }
            return longest
        }
    }

    private static func endOfString(from begin: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var index = begin
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.count)
    }

    package func values<Value: Decodable>(
        _ type: Value.Type,
        _ texts: [String]
    ) throws(NoticeError) -> [Value] {
        try texts.map { text throws(NoticeError) in try value(type, text) }
    }
}

extension BusError {
    /// An error to send over the bus: the code is in the name, and the cause follows the message.
    package static func reply(_ error: NoticeError) -> BusError {
        .reply(AgentNames.errorPrefix + error.code.rawValue, error.description)
    }
}

extension NoticeError {
    /// Creates the error of a call to the agent: the agent's own error, or the reason why the call failed.
    package init(agent error: BusError) {
        if let name = error.name, name.hasPrefix(AgentNames.errorPrefix) {
            // The bus error's message names the call; its cause is the agent's own message.
            let code = Code(rawValue: String(name.dropFirst(AgentNames.errorPrefix.count)))
            self.init(code, error.cause ?? error.message)
            return
        }
        switch error.code {
        case .noBus, .disconnected, .invalidAddress, .authenticationFailed:
            self.init(.noBus, error.message, cause: error.cause)
        case .noOwner:
            self.init(.agentUnavailable, "The agent does not run and can't be started: \(error.message)")
        case .timedOut, .peerOverdue, .noReply, .limitsExceeded, .outgoingFull, .outOfMemory:
            self.init(.agentUnavailable, "The agent did not reply: \(error.message) Try again.", cause: error.name)
        case .invalidValue, .tooLarge:
            self.init(.invalidContent, error.message, cause: error.cause)
        case .closed, .cancelled: self.init(.centerStopped, error.message)
        default:
            self.init(
                .agentUnavailable,
                "This version does not know the reply of the agent: \(error.message) Install the same version of both.",
                cause: error.name
            )
        }
    }
}

extension NoticeError.Code {
    /// The agent is not running, or does not reply. Transient. If it is not installed, run `belfry agent install`.
    public static let agentUnavailable = Self(rawValue: "agentUnavailable")
    /// The request needs the app's own code when due: use a center in the app's process. Permanent with the agent.
    public static let needsEmbeddedEngine = Self(rawValue: "needsEmbeddedEngine")
}
