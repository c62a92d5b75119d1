import ArgumentParser
import Foundation
import GateModel
import GatePolicy
import Testing

@testable import gatectl

@Suite("What gatectl setup does (U-05)")
struct SetupPlanTests {
    private static let all = SetupAnswers(
        people: ["thomas": .grownUp, "mia": .child(born: miasBirthday)], links: true, software: true, screen: true)

    @Test("everything is said back before anything is changed, in the order in which it is done")
    func saidBack() throws {
        var answers = Self.all
        answers.screenWord = try ScreenWord("blue whale")
        let plan = SetupPlan(answers, on: newLaptop, setsPasscode: true, setsAuthenticator: true)
        #expect(
            plan.steps.map(\.text) == [
                "thomas is a grown-up", "mia is a child, born 2015-03-02", "a new passcode is set",
                "an authenticator is set up", "links opened by mia ask first",
                "programs are installed only in parent mode", "Gate's own screen asks for passcodes",
                "Gate's own screen shows your word",
            ])
    }

    @Test("a person on the list keeps name and password, and a date of birth that nobody gives anew")
    func people() {
        var situation = newLaptop
        var listed = mia.listed(.child(born: miasBirthday), hasPassword: true)
        listed.name = "Mia Weber"
        situation.people = [listed, GatePerson(name: "thomas", kind: .grownUp, hasPassword: true)]
        let kept = SetupPlan(SetupAnswers(people: ["mia": .child(born: nil)]), on: situation)
        #expect(kept.steps.isEmpty)
        let grown = SetupPlan(SetupAnswers(people: ["mia": .grownUp, "thomas": .grownUp]), on: situation)
        listed.kind = .grownUp
        #expect(
            grown.steps == [.person(thomas.listed(.grownUp, hasPassword: true)), .person(listed)],
            "an account of before gets the user of its name")
    }

    @Test("an account of before keeps its date of birth when it gets the user of its name, if somebody vouches for it")
    func account() {
        var situation = newLaptop
        situation.people = [GatePerson(name: "mia", kind: .child(born: miasBirthday), hasPassword: true)]
        #expect(situation.role(of: mia) == .child(born: miasBirthday))
        let answers = SetupAnswers(people: ["mia": .child(born: nil)])
        #expect(
            SetupPlan(answers, on: situation).steps
                == [.person(mia.listed(.child(born: miasBirthday), hasPassword: true))])
        situation.people[0].isConfirmed = false
        #expect(situation.role(of: mia) == .child(born: nil))
        #expect(
            SetupPlan(answers, on: situation).steps
                == [.person(mia.listed(.child(born: nil), hasPassword: true), endsPassword: true)],
            "whoever registered it in parent mode may have given any date")
        situation.people = [GatePerson(name: "mia", kind: .grownUp, hasPassword: true, isConfirmed: false)]
        #expect(situation.role(of: mia) == .child(born: nil))
    }

    @Test("somebody who is not confirmed is vouched for by setup, also if nothing else changes")
    func unconfirmed() {
        var situation = newLaptop
        var listed = mia.listed(.child(born: miasBirthday))
        listed.isConfirmed = false
        situation.people = [listed]
        listed.isConfirmed = true
        #expect(SetupPlan(SetupAnswers(people: ["mia": .child(born: nil)]), on: situation).steps == [.person(listed)])
    }

    @Test("a plan that ends a password of somebody who is not confirmed says so, for each kind of person")
    func endedPassword() {
        func texts(_ role: SetupAnswers.Role, _ before: GatePerson) -> [String] {
            var situation = newLaptop
            situation.people = [before]
            return SetupPlan(SetupAnswers(people: ["mia": role]), on: situation).steps.map(\.text)
        }
        var before = mia.listed(.child(born: miasBirthday), hasPassword: true)
        before.isConfirmed = false
        let end = "; the password is removed, because anybody could have chosen it"
        #expect(texts(.child(born: nil), before) == ["mia is a child, born 2015-03-02" + end], "also on Return")
        #expect(texts(.grownUp, before) == ["mia is a grown-up" + end])
        #expect(texts(.shared, before) == ["mia is used by several people" + end])
        before.user?.uid = 1007
        #expect(texts(.grownUp, before) == ["mia is a grown-up" + end], "who has the name is replaced")
        before.user = nil
        #expect(texts(.grownUp, before) == ["mia is a grown-up" + end], "so is an account without a user")
        before.isConfirmed = true
        #expect(texts(.grownUp, before) == ["mia is a grown-up"])
        before.isConfirmed = false
        before.hasPassword = false
        #expect(texts(.grownUp, before) == ["mia is a grown-up"])
    }

    @Test("a name that was given to another user is no grown-up's because somebody of that name was")
    func reusedName() {
        var situation = newLaptop
        var before = mia.listed(.grownUp)
        before.user?.uid = 1007
        situation.people = [before]
        #expect(situation.role(of: mia) == .child(born: nil))
        #expect(
            SetupPlan(SetupAnswers(people: ["mia": .child(born: nil)]), on: situation).steps
                == [.person(mia.listed(.child(born: nil)))])
    }

    @Test("somebody who is nobody of the family goes off the list, or only loses the user if they sign in")
    func nobody() {
        var situation = newLaptop
        situation.people = [thomas.listed(.grownUp, hasPassword: true), mia.listed(.child(born: nil))]
        let plan = SetupPlan(SetupAnswers(people: ["thomas": .nobody, "mia": .nobody]), on: situation)
        let withoutUser = GatePerson(name: "thomas", kind: .grownUp, hasPassword: true)
        #expect(plan.steps == [.person(withoutUser), .removal(name: "mia")])
        #expect(plan.steps.first?.text == "thomas keeps the password, but no longer has a Unix user")
        #expect(SetupPlan(SetupAnswers(people: ["mia": .nobody]), on: newLaptop).steps.isEmpty)
        situation.people[0].isConfirmed = false
        #expect(
            SetupPlan(SetupAnswers(people: ["thomas": .nobody]), on: situation).steps.isEmpty,
            "setting somebody who is not confirmed would end their password")
    }

    @Test("links are turned on for children alone, and off for whoever has them")
    func links() {
        var situation = newLaptop
        situation.links = .on
        situation.linkUsers = ["thomas"]
        #expect(
            SetupPlan(SetupAnswers(people: ["mia": .child(born: nil)], links: true), on: situation).steps.last
                == .links(user: "mia", isOn: true))
        #expect(
            SetupPlan(SetupAnswers(links: false), on: situation).steps == [.links(user: "thomas", isOn: false)])
        situation.people = [mia.listed(.child(born: nil))]
        #expect(
            SetupPlan(SetupAnswers(links: true), on: situation).steps == [.links(user: "mia", isOn: true)],
            "who is a child by now counts")
    }

    @Test("what has no answer stays as it is, and a word needs the screen")
    func unanswered() throws {
        #expect(SetupPlan(SetupAnswers(), on: newLaptop).steps.isEmpty)
        let word = SetupAnswers(screenWord: try ScreenWord("blue whale"))
        #expect(SetupPlan(word, on: newLaptop).steps.isEmpty)
        var situation = newLaptop
        situation.screen = .on
        #expect(SetupPlan(word, on: situation).steps == [.screenWord(try ScreenWord("blue whale"))])
        #expect(SetupPlan(SetupAnswers(screen: false), on: situation).steps == [.screen(isOn: false)])
    }

    @Test("answers of a file that this device can't carry out are refused before anything is done")
    func impossible() throws {
        var situation = newLaptop
        situation.links = .unavailable(package: "xdg-utils")
        do throws(GateError) {
            try SetupAdvice.check(Self.all, on: situation)
            Issue.record("nothing was wrong")
        } catch {
            #expect(error.message == "`links: true` is not possible: install xdg-utils first.")
        }
        try SetupAdvice.check(SetupAnswers(links: false), on: situation)
        try SetupAdvice.check(Self.all, on: newLaptop)
        #expect(SetupAdvice.missingPackages(situation).map { $0.contains("`sudo apt install xdg-utils`") } == [true])
    }

    @Test("installing is put behind parent mode by polkit's rule of the example, and nothing becomes easier")
    func software() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../examples/polkit")
        let example = try String(contentsOf: folder.appending(path: "00-gate.rules"), encoding: .utf8)
        let actions = ["org.freedesktop.packagekit.package-install", "org.freedesktop.Flatpak.app-install"]
        let rule = try #require(SoftwareGate.rule(example, for: actions))
        for action in actions {
            #expect(rule.contains("\"\(action)\": { gate: \"software.install\", granted: polkit.Result.NOT_HANDLED }"))
        }
        #expect(!rule.contains("org.example") && !rule.contains("Result.YES }") && rule.contains("isInGroup(\"sudo\")"))
        #expect(SoftwareGate.rule(example, for: []) == nil && SoftwareGate.rule("// another rule", for: actions) == nil)

        let gate = SoftwareGate(options: try PolicyOptions.parse([]))
        let text = try gate.policy(beside: .builtIn)
        let policy = try PolicyReader.read([PolicySource(name: "policy.d/gate-software.yaml", text: text)])
        #expect(policy.roles.brokers == Principals(users: ["polkitd"]))
        #expect(policy.configuration.gatedActions["software.install"]?.requirement == .parentMode)
        let again = try gate.policy(beside: policy)
        #expect(!again.contains("polkitd") && !again.contains("software.install:"), "each key stands once")
    }
}
