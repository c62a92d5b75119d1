import GateModel
import GatePolicy
import Testing

@testable import gatectl

@Suite("The questions of gatectl setup (U-05)")
struct SetupConversationTests {
    @Test(
        "Return at each question makes a new laptop safe: the administrator is a grown-up, and the other user a child")
    func returns() {
        var conversation = SetupConversation(newLaptop, today: today)
        let asked = conversation.answering([])
        #expect(
            asked == [.role(thomas), .role(mia), .born(mia), .passcode, .links, .software, .screen, .screenWord])
        #expect(asked.count <= 8, "eight decisions at most")
        #expect(
            conversation.answers
                == SetupAnswers(
                    people: ["thomas": .grownUp, "mia": .child(born: nil)], links: true, software: true, screen: true))
        #expect(conversation.setsPasscode && !conversation.setsAuthenticator)
    }

    @Test("each question shows what Return answers")
    func defaults() {
        var conversation = SetupConversation(newLaptop, today: today)
        var shown: [SetupConversation.Question: String] = [:]
        while let question = conversation.question {
            shown[question] = conversation.standing ?? conversation.agrees.map { $0 ? "yes" : "no" } ?? "nothing"
            if question == .passcode { conversation.passcodeTyped() } else { #expect(conversation.answered("") == nil) }
        }
        #expect(
            shown == [
                .role(thomas): "1", .role(mia): "2", .born(mia): "nothing", .passcode: "nothing", .links: "yes",
                .software: "yes", .screen: "yes", .screenWord: "nothing",
            ])
    }

    @Test("each answer is taken: a number, a date, yes and no, and a word")
    func answers() throws {
        var conversation = SetupConversation(newLaptop, today: today)
        _ = conversation.answering(["3", "2", "2015-03-02", "n", "no", "y", " blue   whale "])
        #expect(
            conversation.answers
                == SetupAnswers(
                    people: ["thomas": .shared, "mia": .child(born: miasBirthday)], links: false, software: false,
                    screen: true, screenWord: try ScreenWord("blue whale")))
    }

    @Test("what is no answer is asked again, with the reason")
    func mistakes() {
        var conversation = SetupConversation(newLaptop, today: today)
        for typed in ["5", "child", "-"] { #expect(conversation.answered(typed) == "Type a number from 1 to 4.") }
        #expect(conversation.question == .role(thomas))
        _ = conversation.answered("")
        _ = conversation.answered("2")
        for typed in ["2015", "02.03.2015", "2026-11-30", "2015-02-30"] {
            #expect(conversation.answered(typed)?.contains("2015-03-02") == true, "\(typed)")
        }
        #expect(conversation.answered("2026-11-29") == nil, "somebody may be born today")
        conversation.passcodeTyped()
        #expect(conversation.answered("maybe") == "Type y or n." && conversation.question == .links)
        for _ in 0..<3 { #expect(conversation.answered("") == nil) }
        #expect(conversation.answered("x")?.contains("2 to 40") == true && conversation.question == .screenWord)
    }

    @Test("running it again shows what is so now, and Return changes nothing")
    func again() {
        var situation = newLaptop
        situation.people = [thomas.listed(.grownUp), mia.listed(.child(born: miasBirthday))]
        situation.secrets = [.passcode]
        situation.links = .on
        situation.linkUsers = ["mia"]
        (situation.software, situation.screen, situation.hasScreenWord) = (.on, .on, true)
        var conversation = SetupConversation(situation, today: today)
        var standing: [String] = []
        while let question = conversation.question {
            #expect(question != .passcode)
            standing.append(conversation.standing ?? (conversation.agrees == true ? "yes" : "no"))
            #expect(conversation.answered("") == nil)
        }
        #expect(standing == ["1", "2", "2015-03-02", "no", "yes", "yes", "yes"])
        #expect(SetupPlan(conversation.answers, on: situation).steps.isEmpty)
    }

    @Test("running it again to add a child keeps what was refused the first time, unless somebody types yes (U-05)")
    func refusedBefore() {
        let leo = DeviceUser(name: "leo", uid: 1002)
        var situation = newLaptop
        situation.users.append(leo)
        situation.people = [thomas.listed(.grownUp), mia.listed(.child(born: miasBirthday))]
        situation.secrets = [.passcode]
        situation.time = .off
        #expect(decisions(of: situation) == [.links: false, .software: false, .time: false, .screen: false])
        var conversation = SetupConversation(situation, today: today)
        _ = conversation.answering([])
        #expect(
            SetupPlan(conversation.answers, on: situation).steps == [.person(leo.listed(.child(born: nil)))])
        conversation = SetupConversation(situation, today: today)
        _ = conversation.answering(["", "", "", "", "", "", "y", "y", "y", "y", ""])
        #expect(
            SetupPlan(conversation.answers, on: situation).steps.dropFirst() == [
                .links(user: "mia", isOn: true), .links(user: "leo", isOn: true), .software(isOn: true),
                .time(isOn: true), .screen(isOn: true),
            ])

        (situation.software, situation.links, situation.linkUsers) = (.on, .on, ["mia"])
        #expect(decisions(of: situation) == [.links: true, .software: true, .time: false, .screen: false])
        conversation = SetupConversation(situation, today: today)
        _ = conversation.answering([])
        #expect(
            SetupPlan(conversation.answers, on: situation).steps.dropFirst() == [.links(user: "leo", isOn: true)],
            "the new child gets what the other one has")
    }

    @Test("links that ask a grown-up alone, by their own choice, stay so, and a no for the children leaves them alone")
    func linksOfGrownUp() {
        var situation = newLaptop
        situation.people = [thomas.listed(.grownUp), mia.listed(.child(born: miasBirthday))]
        (situation.links, situation.linkUsers) = (.on, ["thomas"])
        #expect(decisions(of: situation)[.links] == false)
        for answer in ["", "n"] {
            var conversation = SetupConversation(situation, today: today)
            while let question = conversation.question {
                if question == .passcode {
                    conversation.passcodeTyped()
                } else {
                    #expect(conversation.answered(question == .links ? answer : "") == nil)
                }
            }
            #expect(SetupPlan(conversation.answers, on: situation).steps.isEmpty)
        }
    }

    /// What Return answers to the questions that change rules.
    private func decisions(of situation: SetupSituation) -> [SetupConversation.Question: Bool] {
        var conversation = SetupConversation(situation, today: today)
        var decisions: [SetupConversation.Question: Bool] = [:]
        while let question = conversation.question {
            if question != .anotherPasscode { decisions[question] = conversation.agrees }
            if question == .passcode { conversation.passcodeTyped() } else { #expect(conversation.answered("") == nil) }
        }
        return decisions
    }

    @Test("another passcode is asked for only if it is wanted, and a code only if the policy asks for one")
    func secrets() {
        var situation = SetupSituation(secrets: [.passcode], asksForCode: true)
        var conversation = SetupConversation(situation, today: today)
        #expect(conversation.answering(["", ""]) == [.anotherPasscode, .authenticator])
        #expect(!conversation.setsPasscode && !conversation.setsAuthenticator)
        conversation = SetupConversation(situation, today: today)
        #expect(conversation.answering(["y", "y"]) == [.anotherPasscode, .passcode, .authenticator])
        #expect(conversation.setsPasscode && conversation.setsAuthenticator)
        situation.asksForCode = false
        conversation = SetupConversation(situation, today: today)
        #expect(conversation.answering([]) == [.anotherPasscode])
    }

    @Test("what the device can't do is not asked, and neither are links if nobody is a child")
    func leftOut() {
        var bare = SetupConversation(SetupSituation(users: [mia]), today: today)
        #expect(bare.answering([]) == [.role(mia), .born(mia), .passcode])
        var childless = SetupConversation(newLaptop, today: today)
        #expect(
            childless.answering(["1", "4", "n", "n"]) == [.role(thomas), .role(mia), .passcode, .software, .screen])
        #expect(childless.answers.people == ["thomas": .grownUp, "mia": .nobody])
        #expect(childless.answers.links == nil)
    }

    @Test("users of the device are those with a number of a person's and a log-in shell, in the order of their numbers")
    func users() {
        let passwd = """
            root:x:0:0:root:/root:/bin/bash
            mia:x:1001:1001:,,,:/home/mia:/bin/bash
            gate:x:990:990::/nonexistent:/usr/sbin/nologin
            thomas:x:1000:1000:Thomas Weber,,,:/home/thomas:/bin/zsh
            scanner:x:1002:1002::/srv/scanner:/usr/sbin/nologin
            backup-job:x:1003:1003::/srv:/bin/false
            nobody:x:65534:65534:nobody:/nonexistent:/bin/sh
            half a line:x:1004
            mia:x:1001:1001:twice:/home/mia:/bin/bash
            """
        #expect(DeviceUser.all(passwd: passwd, groups: "sudo:x:27:thomas,anna\n") == [thomas, mia])
        #expect(thomas.text == "thomas (Thomas Weber)" && mia.text == "mia")
    }
}
