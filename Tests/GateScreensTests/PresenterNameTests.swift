import GateScreens
import Testing

@Suite("The one presenter of a session")
struct PresenterNameTests {
    @Test("the presenter has one name for the device's daemon, and another for each daemon on a path of its own (S-01)")
    func names() {
        #expect(PresenterName.name(socketPath: nil) == "org.gate.Presenter")
        let own = PresenterName.name(socketPath: "/tmp/a b/gate.sock")
        #expect(own == PresenterName.name(socketPath: "/tmp/a b/gate.sock"))
        #expect(own != PresenterName.name(socketPath: "/tmp/a c/gate.sock"))
        #expect(own.wholeMatch(of: /org\.gate\.Presenter\.at[0-9a-f]+/) != nil)
    }
}
