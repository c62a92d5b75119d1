import GateModel
import Testing

@testable import GateHousehold

@Suite("Topics of a household (H-02)")
struct TopicsTests {
    private typealias Sample = SampleHousehold
    private static let prefix = "gate/\(Sample.household)"
    private static let me = Sample.me.description
    private static let other = Sample.other.description

    @Test(
        "each topic is read back as it was written, with the device that may write it",
        arguments: [
            (HouseholdTopic.state(Sample.me), "devices/\(me)/state"),
            (.availability(Sample.me), "devices/\(me)/availability"),
            (.commands(sender: Sample.other, target: Sample.me), "devices/\(other)/to/\(me)/commands"),
            (.commands(sender: Sample.other, target: nil), "devices/\(other)/to/all/commands"),
            (.results(sender: Sample.me, target: Sample.other), "devices/\(me)/to/\(other)/results"),
            (.homeAssistant(Sample.me), "devices/\(me)/home-assistant/set"),
            (.homeAssistantRequest(Sample.me), "devices/\(me)/home-assistant/request"),
            (.homeAssistantUsed(Sample.me), "devices/\(me)/home-assistant/used"),
            (.answer(sender: Sample.other, target: Sample.me, 12), "devices/\(other)/to/\(me)/answers/12"),
            (.guardians, "shared/guardians"), (.policy, "shared/policy"),
            (.receipt(Sample.me, 7), "shared/receipts/\(me)/7"), (.usage(Sample.me), "shared/usage/\(me)"),
        ])
    func texts(topic: HouseholdTopic, text: String) {
        #expect(topic.text(in: Sample.household) == "\(Self.prefix)/\(text)")
        #expect(HouseholdTopic("\(Self.prefix)/\(text)", in: Sample.household) == topic)
        #expect(HouseholdTopic("\(Self.prefix)/\(text)", in: Sample.other) == nil)
        #expect(HouseholdTopic("\(Self.prefix)/\(text)/", in: Sample.household) == nil)
        #expect(HouseholdTopic("/\(Self.prefix)/\(text)", in: Sample.household) == nil)
    }

    @Test(
        "malformed topics are refused",
        arguments: [
            "", "/", "gate", "\(prefix)", "\(prefix)/devices", "\(prefix)/devices/\(me)", "\(prefix)/devices/A/state",
            "\(prefix)/devices/\(me.uppercased())/state", "\(prefix)/devices/\(me)/mode", "\(prefix)/devices/all/state",
            "\(prefix)/devices/\(me)/to/\(other)", "\(prefix)/devices/\(me)/to/\(other)/commands/1",
            "\(prefix)/devices/\(me)/home-assistant", "\(prefix)/devices/\(me)/home-assistant/get",
            "\(prefix)/devices/home-assistant/state", "\(prefix)/devices/\(me)/from/\(other)/commands",
            "\(prefix)/devices/\(me)/to/all/results", "\(prefix)/devices/\(me)/to/all/answers/1",
            "\(prefix)/devices/\(me)/to/\(other)/answers", "\(prefix)/devices/\(me)/to/\(other)/answers/01",
            "\(prefix)/devices/\(me)/to//commands", "\(prefix)/shared/policy/1", "\(prefix)/shared/guardians/1",
            "\(prefix)/shared/receipts/\(me)", "\(prefix)/shared/receipts/\(me)/07",
            "\(prefix)/shared/receipts/\(me)/-1", "\(prefix)/shared/usage/all", "\(prefix)/shared/usage/\(me)/1",
            "\(prefix)/shared/receipts/all/1", "\(prefix)/shared/receipts/\(me)/1/2",
            "home/\(me)/devices/\(me)/state", "\(prefix)/join/1",
        ])
    func others(text: String) {
        #expect(HouseholdTopic(text, in: Sample.household) == nil)
    }

    @Test("a device subscribes to everything for it, and to no commands for others")
    func filters() {
        #expect(
            HouseholdTopic.filters(in: Sample.household, for: Sample.me) == [
                "\(Self.prefix)/shared/guardians",
                "\(Self.prefix)/devices/\(Self.me)/state", "\(Self.prefix)/devices/\(Self.me)/availability",
                "\(Self.prefix)/devices/\(Self.me)/requests/+",
                "\(Self.prefix)/devices/+/to/\(Self.me)/commands", "\(Self.prefix)/devices/+/to/all/commands",
                "\(Self.prefix)/devices/+/to/\(Self.me)/results",
                "\(Self.prefix)/devices/+/to/\(Self.me)/answers/+",
                "\(Self.prefix)/devices/\(Self.me)/to/+/answers/+",
            ])
        #expect(
            HouseholdTopic.stateFilters(in: Sample.household) == [
                "\(Self.prefix)/devices/+/state", "\(Self.prefix)/devices/+/availability",
                "\(Self.prefix)/devices/+/requests/+",
            ])
        #expect(
            HouseholdTopic.filters(in: Sample.household, for: Sample.me, takesPolicy: true).last
                == "\(Self.prefix)/shared/policy")
        #expect(
            HouseholdTopic.filters(in: Sample.household, for: Sample.me, sharesReceipts: true).last
                == "\(Self.prefix)/shared/receipts/+/+")
        #expect(
            HouseholdTopic.filters(in: Sample.household, for: Sample.me, sumsUsage: true).last
                == "\(Self.prefix)/shared/usage/+")
    }

    @Test("availability is one of two words")
    func availability() {
        #expect(Availability(payload: Array("online".utf8)) == .online)
        #expect(Availability(payload: Availability.offline.payload) == .offline)
        for text in ["", "Online", "online ", String(repeating: "online", count: 100_000)] {
            #expect(Availability(payload: Array(text.utf8)) == nil)
        }
    }
}
