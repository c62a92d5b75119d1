import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import Testing

@testable import gatectl

@Suite("Entitlements for people and for programs")
struct EntitlementTests {
    @Test("an entitlement's line has its status, its end and its source")
    func entitlement() {
        #expect(
            EntitlementText.line(premium(.subscribed))
                == "premium  subscribed  until 2027-01-01T00:00:00Z  revenuecat monthly  for anna")
        #expect(EntitlementText.line(premium(nil)) == "premium  not bought")
        var gift = premium(.inGracePeriod)
        gift.source?.until = nil
        gift.source?.holder = .device
        #expect(EntitlementText.columns(gift)[1...2] == ["in-grace-period", "for good"])
        #expect(EntitlementText.columns(gift).last == "for the device")
    }

    @Test("a provider that can't be reached is reported with the reason, and one that can is not")
    func providers() {
        let since = WallTime(unixMilliseconds: 1_767_225_600_000)
        let down = ProviderReport(
            provider: .revenueCat, health: ProviderHealth(isReachable: false, detail: "No route.", since: since))
        #expect(EntitlementText.line(down) == "revenuecat can't be heard since 2026-01-01T00:00:00Z: No route.")
        let up = ProviderReport(
            provider: .revenueCat, health: ProviderHealth(isReachable: true, detail: "", since: since))
        #expect(EntitlementText.line(up) == nil)
    }

    @Test("a watch of entitlements prints changes only")
    func watch() {
        let revision = Revision(epoch: 1, number: 7)
        var lines = EntitlementLines()
        #expect(lines.lines(for: premiumState(nil), revision: revision) == ["rev 7  premium  not bought"])
        #expect(lines.lines(for: premiumState(nil), revision: revision) == [])
        let bought = lines.lines(for: premiumState(.subscribed), revision: revision)
        #expect(bought.count == 1 && bought[0].hasPrefix("rev 7  premium  subscribed  until"))
        #expect(lines.lines(for: .closed, revision: revision) == ["rev 7  premium  gone"])
        lines.forget()
        #expect(lines.lines(for: .closed, revision: revision) == ["rev 7  there are no entitlements"])
    }

    @Test("a day means its end and a moment means itself, and both are printed as they were given")
    func times() throws {
        #expect(try WallTimeText.parse("1970-01-01").unixMilliseconds == 86_400_000)
        #expect(try WallTimeText.parse("1970-01-01T00:00:01Z").unixMilliseconds == 1000)
        for text in ["2000-02-29T23:59:59Z", "2026-12-31T00:00:00Z", "2100-03-01T12:30:00Z", "1969-12-31T23:59:59Z"] {
            #expect(WallTimeText.utc(try WallTimeText.parse(text)) == text)
        }
        #expect(WallTimeText.utc(try WallTimeText.parse("2027-01-31")) == "2027-02-01T00:00:00Z")
        #expect(WallTimeText.utc(WallTime(unixMilliseconds: 1)) == "1970-01-01T00:00:00.001Z")
    }

    @Test(
        "a time that can't be read is refused, with an example",
        arguments: [
            "", "2027", "2027-02-30", "2027-01-31T", "2027-01-31T18:30", "2027-01-31T24:00:00Z",
            "2027-01-31T18:60:00Z", "2027-01-31T18:30:00", "2027-01-31T1a:30:00Z", "2027-01-31T18:30:00+0100",
        ])
    func noTimes(text: String) {
        let error = #expect(throws: ValidationError.self) { try WallTimeText.parse(text) }
        #expect(error?.message.contains("2027-01-31T18:30:00Z") == true)
    }
}

@Suite("Watching sign-in and entitlements")
struct StateWatchTests {
    private let now = BootTime(nanoseconds: 1_000_000_000)
    private let topics: Set<WatchTopic> = [.signIn, .entitlements]

    private func message(
        _ number: UInt64, _ signIn: SignInState?, _ entitlements: EntitlementsState?
    ) -> StateUpdate {
        StateUpdate(
            firstNumber: number, revision: Revision(epoch: 3, number: number), signIn: signIn,
            entitlements: entitlements)
    }

    @Test("a watch prints a log-in, an expiry and the loss of the daemon for people")
    func human() throws {
        var lines = WatchLines(isJSON: false, colours: .none, topics: topics)
        let events: [WatchEvent] = [
            .snapshot(message(1, .closed, premiumState(nil))),
            .change(message(2, anna, premiumState(.subscribed))), .change(message(3, nil, premiumState(.expired))),
            .lost(GateError(.unavailable, .stopping, "The daemon is stopping")),
            .resumed(message(3, anna, premiumState(.expired))),
        ]
        let text = try events.flatMap { try lines.lines(for: $0, now: now) }
        #expect(
            text == [
                "rev 1  nobody is signed in", "rev 1  premium  not bought", "rev 2  anna is signed in  59:59 left",
                "rev 2  premium  subscribed  until 2027-01-01T00:00:00Z  revenuecat monthly  for anna",
                "rev 3  premium  expired  until 2027-01-01T00:00:00Z  revenuecat monthly  for anna",
                "lost the daemon: The daemon is stopping; showing nobody signed in, nothing active",
                "connected again", "rev 3  anna is signed in  59:59 left",
                "rev 3  premium  expired  until 2027-01-01T00:00:00Z  revenuecat monthly  for anna",
            ])
    }

    @Test("a watch prints each opening and closing of a schedule (Z-01)")
    func schedules() throws {
        var lines = WatchLines(isJSON: false, colours: .none, topics: [.schedules])
        func update(_ number: UInt64, isOpen: Bool, until: WallTime?) -> StateUpdate {
            StateUpdate(
                firstNumber: number, revision: Revision(epoch: 3, number: number),
                schedules: [ScheduleState(name: "after-school", isOpen: isOpen, until: until)])
        }
        let end = WallTime(unixMilliseconds: 1_798_761_600_000)
        let events: [WatchEvent] = [
            .snapshot(update(1, isOpen: false, until: nil)), .change(update(2, isOpen: true, until: end)),
            .lost(GateError(.unavailable, .stopping, "The daemon is stopping")),
        ]
        #expect(
            try events.flatMap { try lines.lines(for: $0, now: now) } == [
                "rev 1  after-school  closed", "rev 2  after-school  open  until 2027-01-01T00:00:00Z",
                "lost the daemon: The daemon is stopping; showing nothing open",
            ])
        var objects = WatchLines(isJSON: true, colours: .none, topics: [.schedules])
        #expect(
            try objects.lines(for: events[1], now: now) == [
                #"{"event":"change","firstNumber":"2","revision":{"epoch":"3","number":"2"},"isSnapshot":false,"#
                    + #""schedules":{"schedules":[{"name":"after-school","isOpen":true,"#
                    + #""untilUnixMilliseconds":"1798761600000"}]}}"#
            ])
        #expect(try objects.lines(for: events[2], now: now).first?.contains(#""schedules":{"schedules":[]}"#) == true)
    }

    @Test("a watch prints the time that was used today whenever it changes (Z-02)")
    func usage() throws {
        var lines = WatchLines(isJSON: false, colours: .none, topics: [.usage])
        let day = CivilDate(WallTime(unixMilliseconds: 0))
        func update(_ number: UInt64, used: Int64, left: Int64, isRunning: Bool) -> StateUpdate {
            StateUpdate(
                firstNumber: number, revision: Revision(epoch: 3, number: number),
                usage: [
                    UsedTime(
                        person: "mia", uid: 1002, subject: .allowance("games"), day: day, used: .seconds(used),
                        left: .seconds(left), isToday: true, isRunning: isRunning)
                ])
        }
        let events: [WatchEvent] = [
            .snapshot(update(1, used: 0, left: 3600, isRunning: true)),
            .change(update(2, used: 3300, left: 300, isRunning: true)),
            .change(update(3, used: 3600, left: 0, isRunning: false)),
        ]
        #expect(
            try events.flatMap { try lines.lines(for: $0, now: now) } == [
                "rev 1  mia  games  –  1h left, being used now", "rev 2  mia  games  55m  5m left, being used now",
                "rev 3  mia  games  1h  used up",
            ])
    }

    @Test("without the daemon programs get the same fields, closed")
    func json() throws {
        var lines = WatchLines(isJSON: true, colours: .none, topics: topics)
        let closed = message(1, .closed, .closed)
        let there = try #require(try lines.lines(for: .snapshot(closed), now: now).first)
        let lost = GateError(.unavailable, .stopping, "Bye.")
        let gone = try #require(try lines.lines(for: .lost(lost), now: now).first)
        for field in [
            #""signIn":{"isAuthenticating":false,"needsAuthentication":false}"#,
            #""entitlements":{"entitlements":[],"isSubscriptionActive":false}"#,
        ] {
            #expect(there.contains(field))
            #expect(gone.contains(field))
        }
        #expect(gone.hasSuffix(#","error":{"code":"UNAVAILABLE","reason":"REASON_STOPPING","message":"Bye."}}"#))
    }

    @Test("presentations of sign-ins and paywalls have names of their own, and a cover has no time left")
    func presentations() {
        var lines = PresentationLines()
        let revision = Revision(epoch: 1, number: 5)
        var sold = paywall(2).summary
        sold.provider = .storeKit
        let open = lines.lines(for: [signIn(1).summary, sold], revision: revision, now: start)
        #expect(
            open == [
                "rev 5  sign-in 1  claimed  somebody to sign in  uid 0 pid 0 \"gated\"  full screen",
                "rev 5  paywall 2  claimed  Premium  uid 0 pid 42 \"photos\"  15:00 left  the App Store  sheet",
            ])
        #expect(lines.lines(for: [], revision: revision, now: start)[1] == "rev 5  paywall 2  closed")
    }
}
