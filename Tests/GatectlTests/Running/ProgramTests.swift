import Glibc
import Testing

@testable import gatectl

@Suite("Programs that gatectl starts")
struct ProgramTests {
    @Test("what runs as another user has a session of its own, without gatectl's terminal, input and output")
    func withoutTerminal() {
        // The sixth field of /proc/PID/stat is the session.
        let script = """
            read -r _ _ _ _ _ session _ < /proc/self/stat
            [ "$session" != "$1" ] || exit 1
            for number in 0 1 2; do [ /dev/null -ef "/proc/self/fd/$number" ] || exit 2; done
            for file in /proc/$$/fd/*; do case "$file" in */[0-2]) ;; *) [ ! -t "${file##*/}" ] || exit 3;; esac; done
            """
        let words = ["/bin/sh", "-c", script, "sh", "\(getsid(0))"]
        #expect(Program.exitStatusWithoutTerminal(of: words) == 0)
        #expect(Program.exitStatus(of: words) == 1, "other programs stay in the session")
        #expect(Program.exitStatusWithoutTerminal(of: ["/nowhere/grep"]) == nil)
    }

    @Test("what runs as another user, who stops it or lets it hang, is killed with its group once its time is over")
    func stopped() throws {
        let start = ContinuousClock.now
        for script in ["kill -STOP $$", "kill -STOP $$ & wait; sleep 60", "trap '' TERM; sleep 60"] {
            let status = Program.exitStatusWithoutTerminal(of: ["/bin/sh", "-c", script], within: .milliseconds(300))
            #expect(status == nil)
        }
        #expect(start.duration(to: .now) < .seconds(30))
        #expect(Program.exitStatusWithoutTerminal(of: ["/bin/sh", "-c", "exit 3"], within: .seconds(20)) == 3)
    }
}
