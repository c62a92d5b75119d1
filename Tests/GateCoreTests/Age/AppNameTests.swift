import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("The names of apps that ask how old somebody is (Y-02)")
struct AppNameTests {
    private static let mia = GatePerson(
        name: "mia", kind: .child(born: CivilDate(year: 2012, month: 5, day: 14)),
        user: GatePerson.UnixUser(name: "ben", uid: Peer.ben.uid))

    @Test(
        "an app whose name looks like that of another one, or like none, is never on the list and is told nothing",
        arguments: [
            " ", "\u{3000}", "chat ", " chat", "chat\u{A0}", "my  chat", "my\u{2003}chat", "chat\n", "chat\u{200B}",
        ])
    func lookAlikes(name: String) throws {
        var device = Device(configuration: .gates)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.apply(.setPerson(Self.mia), as: .root)
        try device.apply(.usersChecked(recognized: [Peer.ben.uid]), as: .daemon)
        try device.apply(.setAges(isOn: true), as: .root)
        for app in ["chat", "my chat"] { try device.apply(.chooseAge("mia", app, .never), as: .root) }
        var peer = Peer.ben
        peer.program = name
        #expect(try !device.apply(.ageAsked, as: peer).isChange)
        #expect(device.state.ageApps.map(\.app) == ["chat", "my chat"])
        #expect(device.refusal(.chooseAge("mia", name, .always), as: .root)?.parameters["field"] == "app")
        #expect(device.state.ageRange(for: peer, on: device.zone.localTime(device.wallTime).day) == nil)
    }
}
