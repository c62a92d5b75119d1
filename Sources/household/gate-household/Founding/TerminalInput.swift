import Dispatch
import GateModel
import Glibc

/// Lines that a person types.
enum TerminalInput {
    private static let interrupt = UInt8(3)
    private static let maximumByteCount = 4096

    /// The next line, which the terminal does not show; `nil`: there is none. Control-C ends the program, and leaves the terminal as it was.
    static func hiddenLine() -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return readLine(strippingNewline: true) }
        var during = before
        during.c_lflag &= ~tcflag_t(ECHO | ECHONL | ISIG)
        // So Control-C ends a line.
        withUnsafeMutableBytes(of: &during.c_cc) { $0[Int(VEOL)] = interrupt }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &during)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: maximumByteCount)
        while bytes.last != UInt8(ascii: "\n"), bytes.last != interrupt, bytes.count < maximumByteCount {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        if bytes.last == interrupt { exit(130) }
        return bytes.isEmpty ? nil : String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// The next line of the terminal; `nil`: none comes in time. What was typed before does not count.
    static func line(within duration: Duration) async -> String? {
        await withCheckedContinuation { continuation in
            // A thread that may wait: those of tasks are few.
            DispatchQueue.global().async {
                tcflush(STDIN_FILENO, TCIFLUSH)
                let milliseconds = CInt(clamping: max(0, duration.clampedNanoseconds / 1_000_000))
                var terminal = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                guard poll(&terminal, 1, milliseconds) == 1 else { return continuation.resume(returning: nil) }
                continuation.resume(returning: readLine(strippingNewline: true))
            }
        }
    }

    /// The name of this system, for people; it is its own word.
    static var hostName: String {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.isNameLine(atMost: HouseholdSettings.maximumNameByteCount) ? text : "localhost"
    }
}
