import CommandSupport
import GateModel
import Testing

@testable import GateCore

/// Olga, a grown-up, has the only screen of the laptop, and fills in a form that Anna requested. The tablet asks.
@Suite("What it costs another device to take a screen")
struct DeviceScreensTests {
    private var laptop: Device
    private var asked: UInt64 = 0

    init() throws {
        var configuration = Configuration.asking
        configuration.household = Configuration.ofLaptop.household
        laptop = Device(configuration: configuration)
        try laptop.apply(.applyList(.millers()), as: .carrier)
        try laptop.apply(.takeDeviceKey(RandomWalk.annasKey), as: .root)
        try laptop.apply(.register(.everything), as: .olga)
        _ = try laptop.apply(.requestForm(name: "profile"), as: .anna).wait()
    }

    enum Ending: CaseIterable {
        /// By the device, before a screen showed it.
        case takenBack
        /// By the device, from the screen.
        case takenBackFromScreen
        case dismissed
        case yes
        case no
    }

    /// What Olga's screen is offered or shows.
    private var onScreen: PresentationSummary? { laptop.state.presentation(forPresenter: Peer.olga.connection) }

    /// A device asks while Olga's screen shows the form. Returns whether the question takes the screen.
    private mutating func ask(_ device: HouseholdID = .tablet, left: Duration = .seconds(120)) throws -> Bool {
        let form = try #require(onScreen)
        try #require(form.kind == .form)
        if form.stage == .offered { _ = try laptop.claim(form.id, as: .olga) }
        asked += 1
        let request = HeardRequest.of(RequestName(device, asked), left: left)
        try laptop.apply(.receiveRequests(RequestNews(heard: [request])), as: .carrier)
        return onScreen?.kind != .form
    }

    private mutating func end(_ ending: Ending, of device: HouseholdID = .tablet) throws {
        let question = try #require(onScreen)
        if ending != .takenBack {
            let shown = try laptop.claim(question.id, as: .olga)
            switch ending {
            case .takenBack, .takenBackFromScreen: break
            case .dismissed: try laptop.apply(.dismiss(shown.cookie), as: .olga)
            case .yes: try laptop.apply(.complete(shown.cookie, .text("yes")), as: .olga)
            case .no: try laptop.apply(.complete(shown.cookie, .text("no")), as: .olga)
            }
        }
        try laptop.apply(.receiveRequests(RequestNews(closed: [RequestName(device, asked)])), as: .carrier)
    }

    @Test(
        "questions that take a screen from a form and get no answer wait behind it from the fifth on",
        arguments: [Ending.takenBack, .takenBackFromScreen, .dismissed])
    mutating func loop(ending: Ending) throws {
        for _ in 0..<4 {
            #expect(try ask())
            try end(ending)
        }
        #expect(laptop.journal.last { $0.kind == .lockedOut }?.detail.hasPrefix("Mia's tablet") == true)
        #expect(try !ask())
        // It is neither refused nor lost: once the form is done, it is shown.
        try laptop.turn(by: .seconds(20))
        #expect(onScreen?.kind == .form && laptop.state.requestsOfOthers(at: laptop.now).count == 1)
        var later = laptop
        let form = try #require(laptop.shown(to: .olga))
        try laptop.apply(.dismiss(form.cookie), as: .olga)
        #expect(onScreen?.asked.device == "Mia's tablet")
        // The wait is over, and the next one is longer.
        try later.turn(by: .seconds(10))
        laptop = later
        #expect(onScreen?.asked.device == "Mia's tablet")
        try end(ending)
        #expect(try !ask())
        try laptop.turn(by: .seconds(59))
        #expect(onScreen?.kind == .form)
        #expect(laptop.state.lockouts.isEmpty, "nobody of this device pays for it")
    }

    @Test("questions whose time is over before a screen shows them have taken it, too")
    mutating func shortLived() throws {
        for _ in 0..<4 {
            #expect(try ask(left: .seconds(1)))
            try laptop.turn(by: .seconds(1))
        }
        #expect(try !ask())
    }

    @Test("questions that are answered on the screen that they took cost nothing", arguments: [Ending.yes, .no])
    mutating func answered(ending: Ending) throws {
        for _ in 0..<20 {
            #expect(try ask())
            try end(ending)
        }
        #expect(!laptop.journal.contains { $0.kind == .lockedOut })
    }

    @Test("a yes on the screen forgives what the device left there before")
    mutating func forgiven() throws {
        for _ in 0..<3 {
            for _ in 0..<3 {
                #expect(try ask())
                try end(.takenBack)
            }
            #expect(try ask())
            try end(.yes)
        }
        #expect(try ask())
    }

    @Test("another device can still take the screen, and a free screen shows the question of the first one, too")
    mutating func others() throws {
        for _ in 0..<4 {
            #expect(try ask())
            try end(.takenBack)
        }
        #expect(try ask(.television))
        try end(.no, of: .television)
        #expect(try !ask())
        let second = Peer(connection: 20, uid: 1020, pid: 120, roles: [.app, .presenter, .grownUpPresenter])
        try laptop.apply(.register(.everything), as: second)
        #expect(laptop.state.presentation(forPresenter: second.connection)?.asked.device == "Mia's tablet")
    }
}
