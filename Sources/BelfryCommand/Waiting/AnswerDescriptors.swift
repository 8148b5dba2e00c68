/// Where else a notice's number and its answer are written, a line each.
struct AnswerDescriptors: Sendable, Hashable {
    var id: Int32?
    var action: Int32?
    var token: Int32?

    func write(id text: String) throws { try Self.write(text, to: id) }

    func write(action name: String, token text: String?) throws {
        try Self.write(name, to: action)
        try Self.write(text ?? "", to: token)
    }

    private static func write(_ text: String, to number: Int32?) throws {
        guard let number, number >= 0 else { return }
        do { try FileOutput(descriptor: number).write(text.printable + "\n") } catch is OutputClosed {
            // Whoever wanted to know has gone; the notice is shown all the same.
        }
    }
}
