import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Confirming, holding and swiping")
struct GestureChallengeTests {
    typealias Difficulty = ChallengeSpecification.Difficulty

    // MARK: Confirm

    @Test("yes is right and no is a grown-up's refusal (F-17, F-25)")
    func confirmed() {
        let sealed = make(.init(.confirm))
        #expect(sealed.challenge == .confirm)
        for yes in ["yes", "YES", " Yes\t"] {
            #expect(sealed.verdict(typed: yes) == .right, "\(yes)")
        }
        for no in ["no", "No", " NO "] {
            #expect(sealed.verdict(typed: no) == .refused, "\(no)")
        }
    }

    @Test("only yes and no are answers to a confirmation")
    func neitherYesNorNo() {
        let sealed = make(.init(.confirm))
        for nonsense in ["", "y", "n", "yesno", "yes please", "y es", "ja", "1", "true", "ｙｅｓ", "yes\n", "yes\0"] {
            #expect(
                sealed.verdict(typed: nonsense) == .notAnAnswer("Please answer yes or no."),
                "\(nonsense)")
        }
        #expect(sealed.verdict(on: .released) == .notAnAnswer("Please answer yes or no."))
        #expect(sealed.verdict(on: .secret(GateSecret("yes".utf8))) == .notAnAnswer("Please answer yes or no."))
    }

    // MARK: Hold

    @Test("holding for the whole time is right, letting go earlier is wrong, and the daemon's clock decides (F-25)")
    func held() {
        let sealed = make(.init(.hold, holdDuration: .seconds(3)))
        #expect(sealed.challenge == .hold(.seconds(3)))
        #expect(hold(sealed, from: 10_000, to: 13_000) == .right)
        #expect(hold(sealed, from: 10_000, to: 60_000) == .right)
        #expect(hold(sealed, from: 10_000, to: 12_999) == .wrong)
        #expect(hold(sealed, from: 10_000, to: 10_000) == .wrong)
        // If the clock went back, nothing was held.
        #expect(hold(sealed, from: 10_000, to: 1_000) == .wrong)
        #expect(hold(sealed, from: .min / 1_000_000, to: .max / 1_000_000) == .right)
    }

    @Test("letting go before pressing is not an answer to a hold, and neither is a word")
    func notHeld() {
        let sealed = make(.init(.hold))
        #expect(
            sealed.verdict(on: .released)
                == .notAnAnswer("Nothing was pressed yet. Press first, then let go. Try again."))
        let others: [ChallengeAnswer] = [
            .text("3"), .text(""), .secret(GateSecret([])), .swiped(SwipeGesture(.up, fingers: 1)),
        ]
        for other in others {
            let pressedAt = BootTime(nanoseconds: 0)
            let now = BootTime(nanoseconds: 10_000_000_000)
            let verdict = sealed.verdict(
                on: other, at: now, wallTime: WallTime(unixMilliseconds: 0), pressedAt: pressedAt)
            #expect(verdict.staysOpen, "\(other)")
        }
    }

    // MARK: Swipe

    @Test("the requested swipe is right, as a gesture or in words (F-25)")
    func swiped() {
        let sealed = SealedChallenge(
            .swipe(SwipeGesture(.left, fingers: 3)), solution: .swipe(SwipeGesture(.left, fingers: 3)))
        #expect(sealed.verdict(on: .swiped(SwipeGesture(.left, fingers: 3))) == .right)
        #expect(sealed.verdict(on: .swiped(SwipeGesture(.left, fingers: 2))) == .wrong)
        #expect(sealed.verdict(on: .swiped(SwipeGesture(.right, fingers: 3))) == .wrong)
        for right in ["left 3", " left 3 ", "LEFT  3", "left 03"] {
            #expect(sealed.verdict(typed: right) == .right, "\(right)")
        }
        for wrong in ["left 2", "right 3", "up 3", "left 33"] {
            #expect(sealed.verdict(typed: wrong) == .wrong, "\(wrong)")
        }
    }

    @Test("a text that describes no swipe is not an answer")
    func notSwiped() {
        let sealed = SealedChallenge(
            .swipe(SwipeGesture(.left, fingers: 3)), solution: .swipe(SwipeGesture(.left, fingers: 3)))
        for nonsense in [
            "", "left", "3", "3 left", "left three", "left 3 4", "left3", "left +3", "left 0", "leftwards 3",
        ] {
            #expect(sealed.verdict(typed: nonsense).staysOpen, "\(nonsense)")
        }
        let others: [ChallengeAnswer] = [
            .swiped(SwipeGesture(.left, fingers: 0)), .swiped(SwipeGesture(.left, fingers: .min)), .released,
            .secret(GateSecret("left 3".utf8)),
        ]
        for other in others {
            #expect(sealed.verdict(on: other).staysOpen, "\(other)")
        }
    }

    @Test(
        "directions and fingers are evenly spread, and it takes more fingers where it is harder",
        arguments: zip(Difficulty.allCases, [2...2, 2...3, 3...4]))
    func evenlySpread(difficulty: Difficulty, fingers: ClosedRange<Int>) throws {
        var random = SeededGenerator(seed: 8)
        var gestures: [SwipeGesture: Int] = [:]
        for _ in 0..<8_000 {
            let sealed = SealedChallenge.make(
                ChallengeSpecification(.swipe, difficulty: difficulty), questions: [], using: &random)
            guard case .swipe(let gesture) = sealed.challenge else { throw OtherChallenge() }
            gestures[gesture, default: 0] += 1
            #expect(sealed.verdict(on: .swiped(gesture)) == .right)
        }
        // Once in 100,000 runs, for 3 or 7 degrees of freedom.
        #expect(gestures.count == 4 * fingers.count && chiSquare(gestures.values) < (fingers.count == 1 ? 26 : 36))
        #expect(Set(gestures.keys.map(\.fingers)) == Set(fingers))
    }

    @Test("a dump of a gesture shows what the person sees, and no solution")
    func solutionIsHidden() {
        for kind in [Challenge.Kind.confirm, .hold, .swipe] {
            let sealed = make(.init(kind))
            #expect(sealed.dumped.allSatisfy { !$0.contains("olution") })
            #expect("\(sealed)" == "\(sealed.challenge)")
        }
    }

    private func make(_ specification: ChallengeSpecification) -> SealedChallenge {
        var random = SeededGenerator(seed: 1)
        return SealedChallenge.make(specification, questions: [], using: &random)
    }

    /// The verdict on a hold pressed and released at these milliseconds.
    private func hold(_ sealed: SealedChallenge, from pressed: Int64, to released: Int64) -> SealedChallenge.Verdict {
        sealed.verdict(
            on: .released, at: BootTime(nanoseconds: released * 1_000_000), wallTime: WallTime(unixMilliseconds: 0),
            pressedAt: BootTime(nanoseconds: pressed * 1_000_000))
    }
}
