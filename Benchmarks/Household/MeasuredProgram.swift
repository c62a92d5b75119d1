import Foundation

/// A process whose memory and processor time are looked at.
struct MeasuredProgram {
    struct Cost {
        var residentBytes: Int
        var processorSeconds: Double
    }

    let name: String
    let pid: Int32

    /// Reads `NAME=PID,…`.
    static func all(_ text: String) -> [MeasuredProgram] {
        text.split(separator: ",").compactMap { pair in
            let parts = pair.split(separator: "=")
            guard parts.count == 2, let pid = Int32(parts[1]) else { return nil }
            return MeasuredProgram(name: String(parts[0]), pid: pid)
        }
    }

    /// As `/proc` has it now.
    var cost: Cost {
        func fields(_ file: String) -> [String] {
            let text = (try? String(contentsOfFile: "/proc/\(pid)/\(file)", encoding: .utf8)) ?? ""
            // The name of a program may have blanks in it.
            let rest = text.split(separator: ")").last.map(String.init) ?? text
            return rest.split(separator: " ").map(String.init)
        }
        let (memory, times) = (fields("statm"), fields("stat"))
        guard memory.count > 1, times.count > 12, let pages = Int(memory[1]), let user = Double(times[11]),
            let system = Double(times[12])
        else { return Cost(residentBytes: 0, processorSeconds: 0) }
        return Cost(
            residentBytes: pages * Int(sysconf(CInt(_SC_PAGESIZE))),
            processorSeconds: (user + system) / Double(sysconf(CInt(_SC_CLK_TCK))))
    }
}
