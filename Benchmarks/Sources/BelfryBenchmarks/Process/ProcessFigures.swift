import Foundation

/// What the kernel counts of another process.
enum ProcessFigures {
    /// Of all its threads, since they began.
    static func voluntarySwitches(of process: pid_t) throws -> Int {
        let folder = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, thread in
            let status = try String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }

    struct Memory {
        /// In bytes: all pages; each page divided by its users; pages of its own that it has written.
        var resident, proportional, privateDirty: Double
    }

    static func memory(of process: pid_t) throws -> Memory {
        let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
        func bytes(_ name: String) throws -> Double {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            guard let number = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
                throw BenchmarkFault(description: "smaps_rollup has no \(name)")
            }
            return number * 1_024
        }
        return Memory(
            resident: try bytes("Rss"),
            proportional: try bytes("Pss"),
            privateDirty: try bytes("Private_Dirty")
        )
    }
}
