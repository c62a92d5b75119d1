import GateGuardians
import GateModel
import Testing
import X509

@testable import GateHousehold

@Suite("Home Assistant's certificate (H-07)")
struct HomeAssistantAccessTests {
    @Test(
        "Home Assistant's certificate is signed by the household's authority, has its own name, and expires in a year")
    func certificate() throws {
        let household = try FoundedHousehold()
        let authority = try household.file("ca.pem")
        let access = try #require(
            try HomeAssistantAccess(household.secret, authority: authority, now: FoundedHousehold.now))
        #expect(access.files.map(\.path) == ["ca.pem", "home-assistant.pem", "home-assistant.key"])
        #expect(access.files.allSatisfy { $0.readers == .nobody } && access.files[0].content == authority)
        let certificate = try #require(Certificate(pem: access.files[1].content))
        #expect(certificate.commonName == HomeAssistantAccess.userName && certificate.ends == access.ends)
        #expect(access.ends <= FoundedHousehold.now.advanced(by: .seconds(366 * 24 * 3600)))
        #expect(HouseholdID(HomeAssistantAccess.userName) == nil && HouseholdKeeping.Issued(certificate) == nil)
        let signer = try #require(Certificate(pem: authority))
        #expect(signer.publicKey.isValidSignature(certificate.signature, for: certificate))
        // There is a new key each time.
        let again = try HomeAssistantAccess(household.secret, authority: authority, now: FoundedHousehold.now)
        #expect(again?.files[2] != access.files[2])
    }

    @Test("no certificate is made with another household's authority, or a malformed one")
    func others() throws {
        let (household, other) = (try FoundedHousehold(), try FoundedHousehold())
        for authority in [try other.file("ca.pem"), [], Array("-----BEGIN".utf8)] {
            #expect(try HomeAssistantAccess(household.secret, authority: authority, now: FoundedHousehold.now) == nil)
        }
    }

    @Test("the access list lets Home Assistant ask and read, and devices publish their own descriptions")
    func rules() throws {
        let household = try FoundedHousehold()
        let rules = String(decoding: try household.file("mosquitto/devices.acl"), as: UTF8.self)
        let lines = rules.split(separator: "\n").map(String.init)
        let components = Set(HomeAssistantEntity.allCases.map(\.component))
        let written = Set(lines.filter { $0.hasPrefix("pattern write homeassistant/") })
        #expect(written == Set(components.map { "pattern write homeassistant/\($0)/%u/+/config" }))
        let root = "gate/\(household.keeping.settings.household)"
        let start = try #require(lines.firstIndex(of: "user home-assistant"))
        let own = lines[(start + 1)...].prefix { $0.hasPrefix("topic ") }
        #expect(
            own.filter { !$0.hasPrefix("topic read ") } == [
                "topic deny \(root)/devices/+/requests/#", "topic deny \(root)/devices/+/to/#",
                "topic deny \(root)/shared/#",
                "topic write \(root)/devices/+/home-assistant/set", "topic write homeassistant/status",
            ])
        // The question is a device's own word. The device that has the household's key takes it away when that device is gone.
        #expect(own.contains("topic read \(root)/devices/+/home-assistant/request"))
        let ofQuestions = lines.filter { $0.contains("home-assistant/request") && !$0.hasPrefix("topic read ") }
        #expect(
            ofQuestions == [
                "pattern write \(root)/devices/%u/home-assistant/request",
                "topic write \(root)/devices/+/home-assistant/request",
            ])
        let keeper = try #require(lines.firstIndex(of: "user \(household.keeping.settings.device)"))
        #expect(lines[keeper...].contains(ofQuestions[1]))
    }
}
