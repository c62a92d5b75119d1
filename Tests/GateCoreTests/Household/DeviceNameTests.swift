import GateModel
import Testing

@Suite("Names of devices, as people tell them apart (H-03)")
struct DeviceNameTests {
    private func member(_ digit: String, _ name: String, isRevoked: Bool = false) -> HouseholdMember {
        HouseholdMember(
            id: HouseholdID(String(repeating: digit, count: 32))!, name: name, publicKey: [], isRevoked: isRevoked)
    }

    @Test(
        "names that differ only in case, punctuation or similar letters look alike",
        arguments: [
            ("Tablet", "tablet"), ("Mia's tablet", "Mias Tablet"), ("Laptop 1", "Laptop l"), ("Laptop I", "laptop 1"),
            ("TV-0", "TV O"), ("Tablet", "Таblеt"), ("Küche", "Ku\u{308}che"), ("🙂", "🙂"),
        ])
    func alike(one: String, other: String) {
        #expect(one.looksLike(other) && other.looksLike(one))
    }

    @Test(
        "names that differ in their letters or numbers don't look alike",
        arguments: [("Lia's tablet", "Ila's tablet"), ("Tablet 1", "Tablet 2"), ("🙂", "🙃"), ("-", "."), ("厨房", "客厅")])
    func different(one: String, other: String) {
        #expect(!one.looksLike(other) && !other.looksLike(one))
    }

    @Test(
        "a device's name can't contain what separates names in a list",
        arguments: ["a, b", "a;b", "a (b", "a)", "甲、乙", "甲，乙", "ا، ب", "", " a", "a\nb"])
    func dividing(name: String) {
        #expect(!name.isDeviceName(atMost: 64))
        #expect("Mia's tablet".isDeviceName(atMost: 64))
    }

    @Test("names that look alike are told apart by the first digits of their ids")
    func distinct() {
        let members = [
            member("a", "Tablet"), member("b", "tab-let"), member("c", "Laptop"),
            member("d", "LAPTOP", isRevoked: true),
            member("e", "TV, Laptop"),
        ]
        #expect(
            HouseholdMember.distinctNames(of: members, among: members) == [
                "Tablet [aaaaaaaa]", "tab-let [bbbbbbbb]", "Laptop", "LAPTOP [dddddddd]", "TV, Laptop [eeeeeeee]",
            ])
    }
}
