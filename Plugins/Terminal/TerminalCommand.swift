import Belfry
import BelfryConsole

/// An operating system command (OSC) of a terminal: a number, and a text that can't end it.
struct TerminalCommand: Sendable, Hashable {
    let number: Int
    /// Contains no control characters, whatever its source.
    let text: String

    /// Removes control characters (C0, DEL, C1): each of them could end the command, or begin another one.
    init(_ number: Int, _ text: String) {
        self.number = number
        self.text = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isControl }))
    }

    /// Returns the bytes to write. Characters that the multiplexer can't pass on become question marks.
    func bytes(through multiplexer: Multiplexer?) -> [UInt8] {
        let passing = text.unicodeScalars.map { multiplexer?.passes($0) ?? true ? $0 : "?" }
        let text = String(String.UnicodeScalarView(passing))
        let end = multiplexer == .screen ? [ASCII.bell] : ASCII.stringTerminator
        let command = [ASCII.escape, UInt8(ascii: "]")] + Array("\(number);\(text)".utf8) + end
        return multiplexer?.wrapped(command) ?? command
    }
}
