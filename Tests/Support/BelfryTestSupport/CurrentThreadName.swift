import Foundation

/// The name of the thread that runs the caller (proc(5): the name, and a line feed).
package func currentThreadName() -> String? {
    let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    return name?.trimmingCharacters(in: .newlines)
}
