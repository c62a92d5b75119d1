import GateModel
import Testing

@testable import gate_revenuecat

@Suite("Reporting RevenueCat's health to the daemon")
struct HealthReportTests {
    private typealias Health = HealthReport.Health
    private let start = BootTime(nanoseconds: 1_000_000_000_000)
    private let good = Health(isReachable: true, detail: "")
    private let bad = Health(isReachable: false, detail: "No.")

    private func after(_ seconds: Int) -> BootTime { start.advanced(by: .seconds(seconds)) }

    private func pending(_ detail: String? = nil) -> HealthReport {
        var report = HealthReport()
        _ = report.questionEnded(about: "anna", detail: detail, at: start)
        return report
    }
    private func telling(_ detail: String? = nil) -> HealthReport {
        var report = pending(detail)
        _ = report.timePassed(at: start)
        return report
    }
    private func told(_ detail: String? = nil) -> HealthReport {
        var report = telling(detail)
        report.told(at: start)
        return report
    }

    @Test("nothing is reported before the first answer")
    func nothing() {
        var report = HealthReport()
        #expect(report.current == nil)
        #expect(report.timePassed(at: start) == nil)
        report.daemonReturned(at: start)
        #expect(report.deadline == nil)
    }

    @Test("the first answer or failure is reported")
    func first() {
        var reachable = pending()
        #expect(reachable.timePassed(at: start) == good)
        var unreachable = pending("No.")
        #expect(unreachable.timePassed(at: start) == bad)
    }

    @Test("only changes are reported")
    func changes() {
        var report = told()
        #expect(report.questionEnded(about: "anna", detail: nil, at: after(1)) == nil)
        #expect(report.deadline == nil)
        #expect(report.questionEnded(about: "anna", detail: "No.", at: after(2)) == bad)
        #expect(report.timePassed(at: after(2)) == bad)
        report.told(at: after(2))
        #expect(report.questionEnded(about: "anna", detail: "No.", at: after(3)) == nil)
        #expect(report.deadline == nil)
        #expect(report.questionEnded(about: "anna", detail: nil, at: after(4)) == good)
        #expect(report.timePassed(at: after(4)) == good)
    }

    @Test("RevenueCat counts as reachable when each user's last question was answered")
    func severalUsers() {
        var report = told("No.")
        #expect(report.questionEnded(about: "bob", detail: nil, at: after(1)) == nil)
        #expect(report.current == bad)
        #expect(report.questionEnded(about: "anna", detail: nil, at: after(2)) == good)
        _ = report.questionEnded(about: "bob", detail: "B.", at: after(3))
        #expect(report.questionEnded(about: "anna", detail: "A.", at: after(3))?.detail == "A.")
    }

    @Test("a change during a report is reported next")
    func changeWhileTelling() {
        var report = telling()
        _ = report.questionEnded(about: "anna", detail: "No.", at: after(1))
        #expect(report.timePassed(at: after(1)) == nil)
        report.told(at: after(1))
        #expect(report.timePassed(at: after(1)) == bad)
    }

    @Test("a change that is undone during a report is not reported")
    func changeBackWhileTelling() {
        var report = telling()
        _ = report.questionEnded(about: "anna", detail: "No.", at: after(1))
        _ = report.questionEnded(about: "anna", detail: nil, at: after(1))
        report.told(at: after(1))
        #expect(report == told())
    }

    @Test("a daemon that can't be told is told again, later each time")
    func failures() {
        var report = telling()
        for seconds in [2, 4, 8] {
            report.failed(at: start, jitter: 1)
            #expect(report.deadline == after(seconds))
            #expect(report.timePassed(at: after(seconds)) == good)
        }
    }

    @Test("a daemon that is back is told again")
    func daemonReturned() {
        var waiting = telling()
        waiting.failed(at: start, jitter: 1)
        for var report in [told(), waiting] {
            report.daemonReturned(at: after(1))
            #expect(report.timePassed(at: after(1)) == good)
        }
        var busy = telling()
        busy.daemonReturned(at: after(1))
        #expect(busy == telling())
    }

    @Test(
        "after a search for a payment a known health is reported once more, and an unknown one is not (K-11)"
    )
    func lookedAgain() {
        for (report, expected) in [(told(), good), (told("No."), bad), (pending(), good)] {
            var report = report
            report.lookedAgain(at: after(1))
            #expect(report.timePassed(at: after(1)) == expected)
            report.told(at: after(1))
            #expect(report.deadline == nil)
        }
        var busy = telling()
        busy.lookedAgain(at: after(1))
        #expect(busy.timePassed(at: after(1)) == nil)
        busy.told(at: after(1))
        #expect(busy.timePassed(at: after(1)) == good)
        busy.told(at: after(1))
        #expect(busy.deadline == nil)
        var nothing = HealthReport()
        nothing.lookedAgain(at: start)
        #expect(nothing.deadline == nil)
    }

    @Test("a detail longer than the daemon accepts is cut between two characters")
    func longDetail() {
        let detail = Health(isReachable: false, detail: String(repeating: "é", count: 99) + "a€").detail
        #expect(detail == String(repeating: "é", count: 99) + "a")
        #expect(Health(isReachable: false, detail: String(repeating: "x", count: 201)).detail.utf8.count == 200)
    }

    @Test("the end of a report that is not under way is ignored")
    func lateEnds() {
        for report in [HealthReport(), pending(), told()] {
            var changed = report
            changed.told(at: after(1))
            changed.failed(at: after(1), jitter: 1)
            #expect(changed == report)
        }
    }
}
