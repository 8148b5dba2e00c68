import Foundation

/// Written at once, also where the output goes into a file or a pipe: a program that waits must say for what.
public func writeLine(_ text: String) {
    print(text)
    fflush(nil)
}

/// Errors go to standard error, so that results can be read by programs.
public func writeError(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
