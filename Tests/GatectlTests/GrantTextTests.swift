import GateClient
import GateModel
import GateProtocol
import Testing

@testable import gatectl

private let now = BootTime(nanoseconds: 1_000_000_000_000)

@Suite("Gated actions as text")
struct GrantTextTests {
    @Test("a grant is printed as the digits that redeem reads")
    func handOver() throws {
        let proof = Grant.Proof(bytes: (0..<24).map(UInt8.init))
        let digits = Hex.encoded(proof.bytes)
        #expect(digits == "000102030405060708090a0b0c0d0e0f1011121314151617")
        #expect(try RedeemVerb.proof(from: " \(digits) ") == proof)
    }

    @Test("a text that is no proof is refused and not repeated", arguments: ["", "00", "zz", "0001 0203"])
    func noProof(line: String) {
        #expect {
            try RedeemVerb.proof(from: line + "5ec4e7")
        } throws: { error in
            let error = error as? GateError
            return error?.exitStatus == 65 && error?.message.contains("5ec4e7") == false
        }
    }

    @Test("the exit status of check is 0 if granted, 2 if a person is needed and 1 if denied")
    func outlook() {
        #expect(AuthorizationOutlook.Outcome.allCases.map(\.exitStatus) == [0, 2, 1])
        #expect(AuthorizationOutlook.Outcome.allCases.map(\.text) == ["granted", "a person is needed", "denied"])
    }

    @Test("columns are as wide as their contents, and rows may differ in length")
    func table() {
        let table = TextTable(rows: [["link.open", "Open", "x"], ["a", "写真", "y"], ["b", "c"]])
        #expect(table.lines == ["link.open  Open  x", "a          写真  y", "b          c"])
        #expect(TextTable().lines.isEmpty)
    }

    @Test("a long list is printed in pages, and an empty one is one page")
    func pages() {
        #expect([Int]().pages == [[]])
        #expect(Array(0..<1001).pages.map(\.count) == [500, 500, 1])
    }
}

@Suite("Presentations as they come and go (F-55)")
struct PresentationLinesTests {
    private func summary(_ id: UInt64, _ stage: Presentation.Stage, details: String = "") -> PresentationSummary {
        PresentationSummary(
            id: id, purpose: .authorize, kind: .challenge(.arithmeticChoice), deadline: now.advanced(by: .seconds(60)),
            style: .sheet, isDismissible: true, stage: stage,
            asked: PresentationContext(
                uid: 1000, pid: 42, program: "firefox", gatedAction: "link.open", title: "Open a web page",
                details: details))
    }

    private func message(_ number: UInt64, _ open: [PresentationSummary]?) -> StateUpdate {
        StateUpdate(firstNumber: number, revision: Revision(epoch: 3, number: number), presentations: open)
    }

    @Test("a presentation is printed when it opens, changes or closes, and not otherwise")
    func lines() throws {
        var lines = WatchLines(isJSON: false, colours: .none, topics: [.presentations])
        let first = summary(1, .offered, details: "https://example.org/\u{1b}[2J")
        let claimed = summary(1, .claimed)
        let second = summary(2, .waiting)
        let text =
            try lines.lines(for: .snapshot(message(1, [first])), now: now)
            + lines.lines(for: .change(message(2, [claimed, second])), now: now)
            + lines.lines(for: .change(message(3, nil)), now: now)
            + lines.lines(for: .change(message(4, [second])), now: now)
            + lines.lines(for: .lost(GateError(.unavailable, .stopping, "Bye")), now: now)
            + lines.lines(for: .resumed(message(5, [second])), now: now)
        let rest = "uid 1000 pid 42 \"firefox\"  1:00 left"
        #expect(
            text == [
                "rev 1  challenge 1  offered  arithmetic-choice  link.open: https://example.org/<U+001B>[2J  " + rest,
                "rev 2  challenge 1  claimed  arithmetic-choice  link.open  " + rest,
                "rev 2  challenge 2  waiting  arithmetic-choice  link.open  " + rest,
                "rev 4  challenge 1  closed",
                "lost the daemon: Bye",
                "connected again",
                "rev 5  challenge 2  waiting  arithmetic-choice  link.open  " + rest,
            ])
    }

    @Test("a watch of the mode prints no presentations, and one of presentations prints no mode")
    func topics() throws {
        var modeLines = WatchLines(isJSON: false, colours: .none)
        let both = StateUpdate(
            firstNumber: 1, revision: Revision(epoch: 3, number: 1), mode: .closed,
            presentations: [summary(1, .offered)])
        #expect(try modeLines.lines(for: .snapshot(both), now: now) == ["rev 1  child"])
        var all = WatchLines(isJSON: false, colours: .none, topics: [.mode, .presentations])
        #expect(try all.lines(for: .snapshot(both), now: now).count == 2)
    }
}
