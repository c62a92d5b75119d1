import GateModel
import GateScripting
import Testing

@Suite("Parsing scripts")
struct ScriptParserTests {
    @Test("a script has a world, and commands with what they print")
    func wholeScript() throws {
        let script = try Script(
            parsing: """
                # A story.
                people mum 7 administrator, kid 8, tv 9 presenter
                seed 42

                challenge arithmetic-entry

                # She forgets something.
                toggle as mum
                answer 1 " 90 "
                ----
                challenge 1: 35 + 55 = ?

                mode
                ----

                """)
        let mum = Person(name: "mum", uid: 7, roles: [.app, .presenter, .grownUpPresenter, .administrator])
        #expect(script.world.people.map(\.name) == ["mum", "kid", "tv"])
        #expect(script.world.people.map(\.roles) == [mum.roles, .app, [.app, .presenter]])
        #expect(script.world.seed == 42)
        #expect(try script.world.configuration.modeChallenge == ChallengeRule(.arithmeticEntry))
        guard case .dialogue(let first) = script.paragraphs[2], case .dialogue(let second) = script.paragraphs[3] else {
            Issue.record("these are no exchanges: \(script.paragraphs)")
            return
        }
        #expect(first.line == 7 && first.commands == [.toggle(mum), .answer(challenge: 1, " 90 ", by: nil)])
        #expect(first.expected == ["challenge 1: 35 + 55 = ?"])
        #expect(second.commands == [.mode] && second.expected.isEmpty)
    }

    @Test("every command is parsed")
    func verbs() throws {
        let people = ScriptWorld.ordinary.people
        let (anna, ben, root) = (people[0], people[1], people[2])
        let verbs: [(String, ScriptCommand)] = [
            ("toggle as anna", .toggle(anna)),
            ("answer 3 b", .answer(challenge: 3, "b", by: nil)),
            ("answer 3 56 as ben", .answer(challenge: 3, "56", by: ben)),
            ("answer 3 fifty six", .answer(challenge: 3, "fifty six", by: nil)),
            ("dismiss 3", .dismiss(challenge: 3)),
            ("hang-up 3", .hangUp(challenge: 3)),
            ("cancel as ben", .cancel(ben)),
            ("lock as ben", .lock(ben)),
            ("extend as anna", .extend(nil, anna)),
            ("extend 5m as anna", .extend(.seconds(300), anna)),
            ("override child because it is late", .override(.child, nil, reason: "it is late", root)),
            ("override parent for 1h as ben because he can", .override(.parent, .seconds(3600), reason: "he can", ben)),
            ("mode", .mode),
            ("advance 1m30s", .advance(.seconds(90))), ("sleep 2h", .turn(.sleep(.seconds(7200)))),
            ("set-clock back 1m", .turn(.set(by: .seconds(-60)))),
            ("zone east 90m", .turn(.zone(minutesEastOfUTC: 90))),
            ("restart", .restart),
            ("reboot", .reboot),
            ("audit", .audit),
            ("watch as ben", .watch(ben)),
            ("check link.open as ben", .check(AuthorizationRequest(gatedAction: "link.open"), ben)),
            ("authorize share as ben", .authorize(AuthorizationRequest(gatedAction: "share", details: ""), ben)),
            (
                "authorize share as ben by anna for a b.jpg",
                .authorize(AuthorizationRequest(gatedAction: "share", details: "a b.jpg", redeemer: 1001), ben)
            ),
            ("redeem share as anna for x", .redeem(AuthorizationRequest(gatedAction: "share", details: "x"), anna)),
            ("ask toggle as ben", .ask(.toggle, ben)),
            (
                "ask share as ben for x",
                .ask(.authorize(AuthorizationRequest(gatedAction: "share", details: "x")), ben)
            ),
            ("result as ben", .result(ben)),
            ("present as anna", .present(anna)),
            ("screen as anna", .screen(anna)),
            ("leave as anna", .leave(anna)),
            ("press 3", .press(challenge: 3)),
            ("grants as root", .grants(root)),
            ("revoke share as ben", .revoke("share", ben)),
            ("passcode 2468", .passcode("2468")),
            ("authenticator", .authenticator),
        ]
        for (text, command) in verbs {
            guard case .dialogue(let exchange) = try Script(parsing: "\(text)\n----\n").paragraphs.first else {
                Issue.record("\(text) is no exchange")
                continue
            }
            #expect(exchange.commands == [command], "\(text)")
        }
    }

    @Test("every verb about accounts, and about what is paid for, is understood")
    func signInAndPurchaseVerbs() throws {
        let people = ScriptWorld.ordinary.people
        let (anna, root) = (people[0], people[2])
        let verbs: [(String, ScriptCommand)] = [
            ("login anna kite as anna", .logIn("anna", password: "kite", anna)),
            ("logout as anna", .logOut(anna)),
            ("register eve kite as root", .register(GatePerson(name: "eve", kind: .grownUp), password: "kite", root)),
            (
                "person mia child born 2016-05-14 user ben as root",
                .setPerson(
                    GatePerson(
                        name: "mia", kind: .child(born: CivilDate("2016-05-14")),
                        user: GatePerson.UnixUser(name: "user1002", uid: 1002)), root)
            ),
            (
                "register dora hat born 2016-05-14 as root",
                .register(
                    GatePerson(name: "dora", kind: .child(born: CivilDate("2016-05-14"))),
                    password: "hat",
                    root)
            ),
            ("password eve old new as anna", .changePassword("eve", from: "old", to: "new", anna)),
            ("reset eve new as root", .setPassword("eve", to: "new", root)),
            ("remove eve as root", .removePerson("eve", root)),
            ("people as anna", .people(anna)),
            ("who", .who),
            ("entitlements", .entitlements),
            (
                "give premium as root",
                .give(ScriptGift(entitlement: "premium", holder: .device, duration: nil), root)
            ),
            (
                "give premium to eve for 5m as root",
                .give(ScriptGift(entitlement: "premium", holder: .account("eve"), duration: .seconds(300)), root)
            ),
            ("take-back storekit 7 as root", .takeBack(Claim.ID(.storeKit, "7"), root)),
            (
                "buy monthly as root",
                .submit(.bought(transaction: "1", product: "monthly", for: nil, holder: nil), root)
            ),
            (
                "buy monthly for 1h of eve transaction 7 as root",
                .submit(
                    .bought(transaction: "7", product: "monthly", for: .seconds(3600), holder: .account("eve")), root)
            ),
            (
                "buy monthly of device as root",
                .submit(.bought(transaction: "1", product: "monthly", for: nil, holder: .device), root)
            ),
            ("refund 7 as root", .submit(.refunded(transaction: "7"), root)),
            ("unpaid 7 as root", .submit(.unpaid(transaction: "7", grace: nil), root)),
            ("unpaid 7 grace 1h as root", .submit(.unpaid(transaction: "7", grace: .seconds(3600)), root)),
            ("put-away 3 as root", .withdraw(presentation: 3, root)),
            ("ask paywall as anna", .ask(.paywall(PaywallRequest()), anna)),
            ("ask paywall extras as anna", .ask(.paywall(PaywallRequest(entitlement: "extras")), anna)),
            (
                "ask paywall extras through storekit as anna",
                .ask(.paywall(PaywallRequest(entitlement: "extras", provider: .storeKit)), anna)
            ),
            (
                "ask paywall through revenuecat as anna",
                .ask(.paywall(PaywallRequest(provider: .revenueCat)), anna)
            ),
            ("watch sign-in as anna", .watchSignIn(anna)),
            ("watch entitlements as anna", .watchEntitlements(anna)),
        ]
        for (text, command) in verbs {
            guard case .dialogue(let exchange) = try Script(parsing: "\(text)\n----\n").paragraphs.first else {
                Issue.record("\(text) is no exchange")
                continue
            }
            #expect(exchange.commands == [command], "\(text)")
        }
    }

    @Test("every verb about forms, and about what is new, is understood")
    func formVerbs() throws {
        let people = ScriptWorld.ordinary.people
        let (anna, root) = (people[0], people[2])
        let visit = ScriptFormTarget("visit")
        let draw = ScriptNews(app: "draw", version: "1.2")
        let response = "response full\n{}\n\n"
        var world = ScriptWorld.ordinary
        world.responses = ["full": "{}\n"]
        var awaited = AuthorizationRequest(gatedAction: "a.b", details: "x y")
        awaited.mayWait = true
        var atOnce = awaited
        atOnce.atOnce = true
        let told = ScriptUse(
            used: .seconds(1200), allowance: "games", day: CivilDate(year: 2026, month: 1, day: 1)!, device: "tablet",
            person: anna)
        let verbs: [(String, ScriptCommand)] = [
            ("open form visit as anna", .openForm("visit", anna)),
            ("set visit guest Ann Lind as anna", .editForm(visit, .set("guest", ["Ann Lind"]), anna)),
            ("set visit food rice | more rice as anna", .editForm(visit, .set("food", ["rice", "more rice"]), anna)),
            (
                "set visit at 7 bed[1]/for Ann as anna",
                .editForm(ScriptFormTarget("visit", at: 7), .set("bed[1]/for", ["Ann"]), anna)
            ),
            ("clear visit guest as anna", .editForm(visit, .set("guest", []), anna)),
            ("suggest visit guest Ann as root", .editForm(visit, .suggest("guest", ["Ann"]), root)),
            ("remove visit bed[1] as anna", .editForm(visit, .remove("bed[1]"), anna)),
            ("fill visit from full as anna", .editForm(visit, .fill(from: "full"), anna)),
            ("reset form visit as anna", .editForm(visit, .reset, anna)),
            ("reset form visit at 3 as anna", .editForm(ScriptFormTarget("visit", at: 3), .reset, anna)),
            ("load form visit 4 as anna", .editForm(visit, .load(4), anna)),
            ("reuse form visit as anna", .editForm(visit, .load(nil), anna)),
            ("read visit as anna", .readForm("visit", path: nil, anna)),
            ("read visit bed[1] as anna", .readForm("visit", path: "bed[1]", anna)),
            ("missing visit as anna", .missing(in: "visit", anna)),
            ("save form visit as anna", .saveForm("visit", anna)),
            ("complete form visit as anna", .completeForm(visit, anna)),
            ("complete form visit at 2 as anna", .completeForm(ScriptFormTarget("visit", at: 2), anna)),
            ("discard form visit as anna", .discardForm("visit", anna)),
            ("responses as anna", .responses(anna)),
            ("response 4 as anna", .response(4, anna)),
            ("withdraw 4 as anna", .withdrawResponse(4, anna)),
            ("ask form visit as anna", .ask(.form("visit"), anna)),
            ("hand-in 3 from full", .handIn(presentation: 3, from: "full")),
            ("watch forms as anna", .watchForms(anna)),
            ("whats-new draw 1.2 as anna", .showNews(draw, anna)),
            ("ask whats-new draw 1.2 as anna", .ask(.news(draw), anna)),
            ("seen draw 1.2 as anna", .acknowledgeNews(draw, anna)),
            ("forget draw as anna", .forgetNews(app: "draw", anna)),
            ("forget as anna", .forgetNews(app: nil, anna)),
            ("news as anna", .listNews(anna)),
            ("reload as root", .reload(world, root)),
            ("gate a.b {mode: parent} as root", .setGate("a.b", requires: "{mode: parent}", root)),
            ("ungate a.b as root", .setGate("a.b", requires: nil, root)),
            ("allowance a mon=1h as root", .setTimeRule(.allowance, "a", ["mon=1h"], root)),
            ("schedule a none as root", .setTimeRule(.schedule, "a", [], root)),
            ("await a.b as anna for x y", .ask(.authorize(awaited), anna)),
            ("await a.b as anna at-once for x y", .ask(.authorize(atOnce), anna)),
            ("asks as anna", .asks(anna)),
            ("allow 3 as root", .answerAsk(3, .yes(), root)),
            ("allow 3 this-site as root", .answerAsk(3, .yes(.thisSite), root)),
            ("allow 3 1h30m as root", .answerAsk(3, .yes(.time(.seconds(5400))), root)),
            ("refuse 3 as root", .answerAsk(3, .no, root)),
            ("unask 3 as anna", .withdrawAsk(3, anna)),
            ("more-time a.b as anna", .askMoreTime("a.b", nil, anna)),
            ("more-time a.b 15m as anna", .askMoreTime("a.b", .time(.seconds(900)), anna)),
            ("use a.b as anna", .use("a.b", anna)), ("stop a.b as anna", .stopUsing("a.b", anna)),
            ("hear a.b as anna", .hearUse("a.b", anna)), ("usage as anna", .usage(anna)),
            ("told 20m of games on 2026-01-01 by tablet as anna", .told(told)),
        ]
        for (text, command) in verbs {
            guard case .dialogue(let exchange) = try Script(parsing: "\(response)\(text)\n----\n").paragraphs.last
            else {
                Issue.record("\(text) is no exchange")
                continue
            }
            #expect(exchange.commands == [command], "\(text)")
        }
    }

    @Test("a world has forms and release notes, from examples or written out, and others after a reload")
    func files() throws {
        let text = """
            forms consent
            notes draw

            form visit
            title: A visit
              item: []

            form tour
            {"title": "A tour"}

            release-notes chess
            app: chess

            mode
            ----
            child

            form visit
            title: Another visit

            reload as root
            ----
            reloaded

            """
        let script = try Script(parsing: text) { "the text of \($0)" }
        #expect(
            script.world.files == [
                "questionnaires.d/consent.yaml": "the text of questionnaires.d/consent.yaml",
                "release-notes.d/draw.yaml": "the text of release-notes.d/draw.yaml",
                "questionnaires.d/visit.yaml": "title: A visit\n  item: []\n",
                "questionnaires.d/tour.json": "{\"title\": \"A tour\"}\n",
                "release-notes.d/chess.yaml": "app: chess\n",
            ])
        guard case .dialogue(let exchange) = script.paragraphs.last, case .reload(let world, _) = exchange.commands[0]
        else {
            Issue.record("there is no reload")
            return
        }
        #expect(world.files["questionnaires.d/visit.yaml"] == "title: Another visit\n")
        #expect(world.files.count == 5)
        #expect(script.text == text)
    }

    @Test("a world has products, and a person may report what was paid for")
    func shop() throws {
        let script = try Script(
            parsing: """
                people root 0 administrator, shop 990 provider
                sells monthly premium, stickers extras

                who
                ----

                """)
        #expect(script.world.people.map(\.roles)[1] == [.app, .provider])
        #expect(script.world.products == ["monthly": "premium", "stickers": "extras"])
        let items = try script.world.configuration.items
        #expect(
            items == [ProviderItem(.storeKit, "monthly"): "premium", ProviderItem(.storeKit, "stickers"): "extras"])
    }

    @Test(
        "a line that can't be parsed is reported with its number and what is allowed",
        arguments: [
            ("mode\n----\n\nfly as anna\n----\n", 4, "nothing is called \"fly\"; there are: toggle, answer,"),
            ("toggle as carl\n----\n", 1, "nobody is called \"carl\"; there are: anna, ben, root"),
            ("toggle\n----\n", 1, "\"toggle\" needs \"as\" and a name"),
            ("mode\n----\n\nmode\n", 4, "no line \"----\""),
            ("# only talk\n----\n", 1, "nothing is done above the line \"----\""),
            (
                "sead 5\n", 1,
                "before the first dialogue come people, seed, sells, challenge, forms, notes, policy, questions, form, "
                    + "release-notes and response, not \"sead\""
            ),
            ("# x\nseed five\n", 2, "a seed is a whole number, not \"five\""),
            ("challenge riddle\n", 1, "there are: arithmetic-choice, arithmetic-entry"),
            ("people anna\n", 1, "\"anna\" is nobody"),
            (
                "people anna 5 queen\n", 1,
                "a role is administrator, presenter, grown-up-presenter, provider, broker or timekeeper, not \"queen\""
            ),
            ("advance soon\n----\n", 1, "\"advance\" needs a duration such as 90s, 15m or 1h30m"),
            ("answer b\n----\n", 1, "\"answer\" needs the number of a challenge"),
            ("check\n----\n", 1, "\"check\" needs the name of a gated action"),
            ("answer 1\n----\n", 1, "\"answer\" needs the challenge's number and the answer"),
            ("override holiday because sun\n----\n", 1, "\"override\" needs a mode: child or parent"),
            ("override child\n----\n", 1, "\"override\" ends with \"because\" and why"),
            ("mode please\n----\n", 1, "\"please\" is too much after \"mode\""),
            ("people anna 5\n\noverride child because x\n----\n", 3, "nobody in this world is an administrator"),
            ("sells monthly\n", 1, "\"monthly\" is no product: give its name and an entitlement"),
            ("sells monthly premium, yearly premium now\n", 1, "\"yearly premium now\" is no product"),
            ("login\n----\n", 1, "\"login\" needs a name"),
            ("login anna\n----\n", 1, "\"login\" needs a password"),
            ("login anna kite\n----\n", 1, "\"login\" needs \"as\" and a name"),
            ("logout as carl\n----\n", 1, "nobody is called \"carl\""),
            ("register anna kite born soon as root\n----\n", 1, "\"soon\" is no date: write YYYY-MM-DD"),
            ("register anna kite born\n----\n", 1, "\"born\" needs something after it"),
            ("password anna kite\n----\n", 1, "\"password\" needs the new one"),
            ("reset anna\n----\n", 1, "\"reset\" needs the new password"),
            ("remove\n----\n", 1, "\"remove\" needs a name"),
            ("who as anna\n----\n", 1, "\"as anna\" is too much after \"who\""),
            ("give\n----\n", 1, "\"give\" needs an entitlement"),
            ("give premium for ever as root\n----\n", 1, "\"for\" needs a duration such as 90s, 15m or 1h30m"),
            ("take-back apple 7 as root\n----\n", 1, "a provider is storekit, revenuecat or manual, not \"apple\""),
            ("take-back manual\n----\n", 1, "\"take-back\" needs the claim's name"),
            ("buy\n----\n", 1, "\"buy\" needs a product"),
            ("buy monthly for 1h\n----\n", 1, "\"buy\" needs \"as\" and a name"),
            ("refund as shop\n----\n", 1, "\"refund\" needs \"as\" and a name"),
            ("unpaid 1 grace as root\n----\n", 1, "\"grace\" needs a duration"),
            ("put-away the-cover as root\n----\n", 1, "\"put-away\" needs the number of a challenge"),
            ("ask paywall through apple as anna\n----\n", 1, "a paywall is storekit's or revenuecat's, not \"apple\""),
            ("watch sign-in\n----\n", 1, "\"watch\" needs \"as\" and a name"),
            ("forms mortgage\n", 1, "there is no example questionnaires.d/mortgage.yaml"),
            ("open consent as anna\n----\n", 1, "\"open\" needs \"form\" and the name of one"),
            ("open form\n----\n", 1, "\"open\" needs the name of a form"),
            ("set visit\n----\n", 1, "\"set\" needs the path of a question"),
            ("set visit at noon guest Ann as anna\n----\n", 1, "\"at\" needs a revision"),
            ("set visit guest Ann\n----\n", 1, "\"set\" ends with \"as\" and a name"),
            ("set visit guest as anna\n----\n", 1, "\"set\" needs an answer; \"clear\" takes one away"),
            ("set visit guest Ann | as anna\n----\n", 1, "\"set\" needs an answer; \"clear\" takes one away"),
            ("fill visit as anna\n----\n", 1, "\"fill\" needs \"from\" and the name of a response"),
            ("fill visit from me as anna\n----\n", 1, "there is no response \"me\": write it under a line"),
            ("load form visit as anna\n----\n", 1, "\"load\" needs the number of a response"),
            ("whats-new draw as anna\n----\n", 1, "\"whats-new\" needs \"as\" and a name"),
            ("mode\n----\nchild\n\nform visit\ntitle: A visit\n", 5, "nothing reads this: it takes a `reload`"),
        ])
    func errors(text: String, line: Int, message: String) {
        let error = #expect(throws: ScriptError.self) { try Script(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.message.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("a paragraph that is a file is kept unchanged, with its indentation")
    func policyFile() throws {
        let text = "policy\nmode:\n  lease: 5m\n  challenge: totp\n\nmode\n----\nchild\n"
        let script = try Script(parsing: text)
        #expect(script.world.policy == "mode:\n  lease: 5m\n  challenge: totp\n")
        #expect(try script.world.configuration.lease == .seconds(300))
        #expect(script.text == text)
    }
}
