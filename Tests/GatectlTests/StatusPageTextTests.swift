import GateModel
import Testing

@testable import gatectl

private let now = BootTime(nanoseconds: 1_000_000_000_000)

@Suite("Text of the status page (G-06)")
struct StatusPageTextTests {
    private let parent = DeviceStatus(
        mode: .parent, modeDeadline: now.advanced(by: .seconds(899)), isSubscriptionActive: true,
        subscriptionDeadline: now.advanced(by: .seconds(30 * 86_400)), revision: Revision(epoch: 3, number: 42))

    @Test("the page's text is like that of `status`, with another line for an active subscription")
    func lines() {
        var status = parent
        #expect(
            StatusPageText(status: status).lines(now: now, colours: .none)
                == ["rev 42  parent  14:59 left", "a subscription is active  720:00:00 left"])
        status.subscriptionDeadline = nil
        #expect(StatusPageText(status: status).lines(now: now, colours: .none).last == "a subscription is active")
        status.isSubscriptionActive = false
        #expect(StatusPageText(status: status).lines(now: now, colours: .none) == ["rev 42  parent  14:59 left"])
        #expect(StatusPageText(status: .closed).lines(now: now, colours: .none) == ["rev 0  child"])
    }

    @Test("the page's JSON has the same fields as that of `status`")
    func json() throws {
        #expect(
            try StatusPageText(status: parent).json()
                == #"{"revision":{"epoch":"3","number":"42"},"#
                + #""state":{"mode":"MODE_PARENT","deadlineBoottimeNanoseconds":"1899000000000"},"#
                + #""entitlements":{"state":{"isSubscriptionActive":true},"#
                + #""deadlineBoottimeNanoseconds":"2593000000000000"},"isLive":true}"#)
        #expect(
            try StatusPageText(status: .closed).json()
                == #"{"revision":{"epoch":"0","number":"0"},"#
                + #""state":{"mode":"MODE_CHILD","deadlineBoottimeNanoseconds":"0"},"#
                + #""entitlements":{"state":{"isSubscriptionActive":false},"deadlineBoottimeNanoseconds":"0"},"#
                + #""isLive":false}"#)
    }
}
