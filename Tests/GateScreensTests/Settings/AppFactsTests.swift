import GateModel
import GateScreens
import Testing

@Suite("The apps that gatectl apps list tells of")
struct AppFactsTests {
    private static func app(_ line: String) -> AppFacts? { AppFacts(line: Array(line.utf8)) }

    @Test("each line is read as an app, with a title at least, and what says least where a later version says more")
    func lines() {
        #expect(
            Self.app(
                #"{"name":"pybik","action":"app.pybik","title":"Pybik","icon":"pybik","packages":["pybik"],"#
                    + #""guarded":true,"isListed":true,"requires":"{mode: parent}","holds":"hands","#
                    + #""reasons":["It has scripts.","It has modules."],"problem":"Remove the file."}"#)
                == AppFacts(
                    "pybik", title: "Pybik", icon: "pybik", isGuarded: true, isListed: true, holds: .hands,
                    reasons: ["It has scripts.", "It has modules."], problem: "Remove the file."))
        #expect(
            Self.app(
                #"{"name":"chess","action":"app.chess","title":"","icon":"","packages":[],"guarded":false,"#
                    + #""isListed":false,"requires":"","holds":"kernel","reasons":[],"problem":"","new":{}}"#)
                == AppFacts("chess", title: "chess"))
        #expect(Self.app(#"{"name":"chess","holds":"magic"}"#)?.holds == .nothing)
        #expect(Self.app(#"{"name":"chess"}"#)?.action == "app.chess")
        #expect(
            Self.app(#"{"name":"wesnoth-editor","action":"app.wesnoth","title":"Editor","holds":"kernel"}"#)
                == AppFacts("wesnoth-editor", action: "app.wesnoth", title: "Editor"))
        for line in ["", "{}", "[]", "gatectl: no", #"{"name":""}"#, #"{"name":7}"#, #"{"title":"Chess"}"#] {
            #expect(Self.app(line) == nil, "\(line)")
        }
    }

    @Test("what the policy says, what the device does and what is wrong make each standing")
    func standings() {
        let standings: [(isChosen: Bool, isGuarded: Bool, holds: AppFacts.Hold, problem: String, AppFacts.Standing)] = [
            (false, false, .kernel, "", .free), (false, false, .hands, "", .free),
            (false, false, .kernel, "Wrong.", .free),
            (false, false, .nothing, "", .unguardable), (false, false, .nothing, "Wrong.", .unguardable),
            (true, false, .kernel, "", .beingGuarded), (true, false, .hands, "", .beingGuarded),
            (true, false, .nothing, "", .beingGuarded),
            (true, false, .kernel, "Wrong.", .problem), (true, false, .nothing, "Wrong.", .problem),
            (true, true, .kernel, "", .guarded), (true, true, .hands, "Wrong.", .guarded),
            (true, true, .nothing, "", .guarded),
            (false, true, .kernel, "", .beingReleased), (false, true, .hands, "Wrong.", .beingReleased),
        ]
        for (isChosen, isGuarded, holds, problem, standing) in standings {
            let told = AppFacts("chess", title: "Chess", isGuarded: isGuarded, holds: holds, problem: problem)
            #expect(told.standing(isChosen: isChosen) == standing, "\(isChosen) \(isGuarded) \(holds) \(problem)")
            // The list of apps can know of the choice earlier than the list of gates, or later.
            var listed = told
            listed.isListed = isChosen
            #expect(listed.standing(isChosen: false) == standing)
        }
    }

    @Test(
        "while the device follows, the list is read again after 1, 2, 4 seconds and so on, and after a minute at most")
    func pace() {
        func at(_ second: Int) -> BootTime { BootTime(nanoseconds: 0).advanced(by: .seconds(second)) }
        var pace = AppsPace()
        let settled = pace.next(isSettled: true, at: at(0))
        #expect(settled == nil)
        var now = 0
        var pauses: [Int] = []
        for _ in 0..<9 {
            let due = pace.next(isSettled: false, at: at(now))
            // What is drawn meanwhile moves nothing.
            let same = pace.next(isSettled: false, at: at(now).advanced(by: .milliseconds(500)))
            #expect(due == same)
            guard let due else { break }
            let pause = Int(at(now).duration(to: due) / .seconds(1))
            pauses.append(pause)
            now += pause
            pace.looked()
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        let followed = pace.next(isSettled: true, at: at(now))
        let again = pace.next(isSettled: false, at: at(now))
        #expect(followed == nil)
        #expect(again == at(now + 1), "the next change begins anew")
    }
}
