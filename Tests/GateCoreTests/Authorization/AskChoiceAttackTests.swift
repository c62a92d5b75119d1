import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A child tries to make more of a yes than a grown-up has chosen (W-04)")
struct AskChoiceAttackTests {
    @Test("a yes for a site is for the links of this site alone, however much another one looks like it")
    func sites() throws {
        var device = try Device.allowed(.thisSite)
        for link in [
            Device.link, "https://a.org", "https://a.org/", "https://a.org:443/y?z#w", "https://a.org/@evil.org",
        ] {
            #expect(try device.passes(link), "\(link)")
        }
        for link in [
            "https://a.org.evil.org/x", "https://a.org@evil.org/x", "https://a.org:443@evil.org/x", "http://a.org/x",
            "https://a.org:8443/x", "https://a.org\\@evil.org/x", "https://A.org/x", "HTTPS://a.org/x",
            "https://a.org./x",
            "https://а.org/x", "https://xn--80a.org/x", "https://a.org%2eevil.org/x", "https://b.a.org/x",
            "https://evil.org/https://a.org/x", "https:a.org/x", " https://a.org/x", "https://a.org /x", "a.org/x", "",
        ] {
            #expect(try !device.passes(link), "\(link)")
        }
        #expect(try !device.passes(of: "page.save") && !device.passes("https://a.org/y", of: "page.save"))
    }

    @Test(
        "a yes for a day, for always or for a time is for exactly its words",
        arguments: [
            AskChoice.today, .always, .time(.seconds(1800)),
        ])
    func words(choice: AskChoice) throws {
        var device = try Device.allowed(choice)
        for words in ["https://a.org/", "https://a.org/x/", "https://a.org/y", "https://a.org/x ", "https://a.org/X"] {
            #expect(try !device.passes(words), "\(words)")
        }
        #expect(try device.passes())
    }

    @Test("another user has nothing of it, nor a uid that is billed to the person", arguments: AskChoiceTests.lasting)
    func otherUser(choice: AskChoice, end: Duration?) throws {
        var device = try Device.allowed(choice)
        let ranged = Peer(connection: 30, uid: 100_001, owner: .user(Peer.ben.uid), pid: 130, roles: .app)
        for peer in [Peer.anna, .mara, ranged] { #expect(try !device.passes(as: peer)) }
        // The uid is somebody else's by now.
        try device.apply(.usersChecked(recognized: [Peer.anna.uid, Peer.olga.uid]), as: .daemon)
        #expect(try !device.passes())
    }

    @Test("what the policy does not offer is refused, and the question goes on waiting")
    func notOffered() throws {
        var device = try Device.withAsks(.choices)
        _ = try device.asksFor("no link")
        for choice in [AskChoice.thisSite, .time(.seconds(1801)), .time(.days(3000)), .time(.zero), .unrecognized] {
            device.refuses(.answerAsk(1, .yes(choice)), as: .olga, .invalidArgument, .invalidRequest)
        }
        device = try Device.withAsks()
        _ = try device.asksFor(Device.link)
        for choice in [AskChoice.always, .thisSite, .time(.seconds(1800))] {
            device.refuses(.answerAsk(1, .yes(choice)), as: .olga, .invalidArgument, .invalidRequest)
        }
        #expect(device.states() == [1: .waiting] && device.answers.isEmpty)
        for peer in [Peer.ben, .anna, .mara] {
            device.refuses(.answerAsk(1, .yes(.today)), as: peer, .permissionDenied, .notPermitted)
        }
    }

    @Test("a clock that is set back gives nothing", arguments: AskChoiceTests.lasting)
    func clock(choice: AskChoice, end: Duration?) throws {
        var device = try Device.allowed(choice)
        device.wallTime = Device.newYear.advanced(by: .milliseconds(-1))
        #expect(try !device.passes())
        device = try device.restarted(rebooted: true, .choices)
        #expect(try !device.passes())

        // Within a boot its time is over by the boot clock, whatever the other clock says.
        guard let end else { return }
        device = try Device.allowed(choice)
        try device.pass(end - .seconds(1))
        device.wallTime = Device.newYear
        try device.turn(by: .seconds(1))
        #expect(try !device.passes() && device.answers.isEmpty)
    }

    @Test("today ends at the device's midnight, also on the days on which summer time begins and ends")
    func today() throws {
        let hour: Int64 = 3_600_000
        let (march, october) = (
            WallTime(unixMilliseconds: 1_774_738_800_000), WallTime(unixMilliseconds: 1_792_879_200_000)
        )
        let berlin = ZoneOffsets(
            minutesEastOfUTC: 60,
            changes: [
                .init(at: WallTime(unixMilliseconds: march.unixMilliseconds + 2 * hour), minutesEastOfUTC: 120),
                .init(at: WallTime(unixMilliseconds: october.unixMilliseconds + 3 * hour), minutesEastOfUTC: 60),
            ])
        for (midnight, hours) in [(march, 23), (october, 25)] as [(WallTime, Int64)] {
            for minutes in [0, 45, 5 * 60, 22 * 60 + 59] as [Int64] {
                var device = try Device.withAsks(.choices)
                device.zone = berlin
                device.wallTime.unixMilliseconds = midnight.unixMilliseconds + minutes * 60_000
                #expect(berlin.localTime(midnight).millisecondsOfDay == 0)
                _ = try device.asksFor(Device.link)
                try device.apply(.answerAsk(1, .yes(.today)), as: .olga)
                try device.pass(.seconds(hours * 3600 - minutes * 60) - .milliseconds(1))
                #expect(try device.passes(), "\(hours) hours, after \(minutes) minutes")
                try device.pass(.milliseconds(1))
                #expect(try !device.passes(), "\(hours) hours, after \(minutes) minutes")
            }
        }
    }

    @Test("a restored backup brings no yes back")
    func backup() throws {
        var device = try Device.allowed(.always)
        let backup = device.stored
        try device.apply(.answerAsk(1, .no), as: .olga)
        try device.apply(.control(.restore(backup, detail: "")), as: .root)
        try device.recognizeAll()
        #expect(try !device.passes() && device.answers.isEmpty)
    }

    // MARK: - Limits

    /// A device on which so many pages are always allowed to Mia, and so many to Otto.
    private func device(mias: Int, ottos: Int = 0) throws -> Device {
        var device = try Device.withAsks(.choices)
        let mark = Configuration.choices.gatedActions["page.open"]?.mark ?? ""
        let asked = Device.newYear.advanced(by: .days(-5))
        for number in 1...UInt64(mias + ottos) {
            let (uid, person) = number <= mias ? (Peer.ben.uid, "mia") : (Peer.anna.uid, "otto")
            let yes = KeptGrant.Yes(
                details: "https://site\(number).org/", choice: number.isMultiple(of: 2) ? .thisSite : .always,
                person: person, mark: mark, from: asked, until: .never, uses: KeptGrant.Yes.anyNumber)
            let key = KeptGrant.Key(uid: uid, gatedAction: "page.open", ask: number)
            device.stored.keptGrants[key] = KeptGrant(deadline: .never, yes: yes)
            device.stored.asks[number] = AskRecord(
                uid: uid, person: person, gatedAction: "page.open", details: "", mark: mark, state: .over,
                askedAt: asked, end: .never, mayWait: .days(3))
        }
        device.stored.nextPresentation = 1000
        return try device.restarted(.choices)
    }

    private func refusal(of command: Command, on device: Device) -> GateError? {
        var device = device
        do throws(GateError) {
            try device.apply(command, as: .olga)
            return nil
        } catch {
            return error
        }
    }

    @Test("300 lasting yeses of a person fit, the next one is refused, and none is dropped for it")
    func limitOfPerson() throws {
        var device = try device(mias: 300)
        #expect(try device.asksFor(Device.link) == .asked(1000))
        for choice in [AskChoice.today, .always, .thisSite, .time(.seconds(1800))] {
            device.refuses(.answerAsk(1000, .yes(choice)), as: .olga, .resourceExhausted, .limit)
            let refusal = refusal(of: .answerAsk(1000, .yes(choice)), on: device)
            #expect(refusal?.parameters["what"] == "lasting-answers" && refusal?.parameters["maximum"] == "300")
        }
        #expect(device.answers.count == 300)
        // Once is always possible, another person has room, and room can be made.
        #expect(try device.asksFor(Device.link, as: .anna) == .asked(1001))
        try device.apply(.answerAsk(1001, .yes(.always)), as: .olga)
        try device.apply(.answerAsk(1000, .yes(.once)), as: .olga)
        #expect(try device.passes(of: 2) == 1)
        #expect(try device.asksFor(Device.link) == .asked(1002))
        try device.apply(.answerAsk(7, .no), as: .olga)
        try device.apply(.answerAsk(1002, .yes(.always)), as: .olga)
        #expect(try device.passes())
    }

    @Test("500 lasting yeses of the device fit, and each of them is found")
    func limitOfDevice() throws {
        var device = try device(mias: 300, ottos: 200)
        #expect(device.state.asks(visibleTo: .olga).count == 500 && device.state.asks(visibleTo: .ben).count == 300)
        for number in [1, 2, 150, 299, 300] { #expect(try device.passes("https://site\(number).org/")) }
        for number in [301, 302, 499, 500] { #expect(try device.passes("https://site\(number).org/", as: .anna)) }
        #expect(try device.passes("https://site300.org/other") && !device.passes("https://site299.org/other"))
        #expect(try !device.passes("https://site301.org/") && !device.passes("https://site300.org/", as: .anna))

        #expect(try device.asksFor(Device.link, as: .anna) == .asked(1000))
        let refusal = refusal(of: .answerAsk(1000, .yes(.today)), on: device)
        #expect(refusal?.parameters["what"] == "lasting-answers-of-device")
        try device.apply(.answerAsk(1000, .yes(.once)), as: .olga)
        #expect(try device.passes(as: .anna))
    }
}
