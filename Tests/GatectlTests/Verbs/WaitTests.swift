import GateClient
import GateModel
import Testing

@testable import gatectl

@Suite("The command wait (K-15)")
struct WaitTests {
    private static func event(
        mode: Mode? = nil, isSignedIn: Bool? = nil, active: String? = nil
    ) -> WatchEvent {
        let signIn = isSignedIn.map { isSignedIn in
            SignInState(
                session: isSignedIn
                    ? SignInState.Session(name: "anna", isChild: false, deadline: .never) : nil,
                isAuthenticating: false, needsAuthentication: false)
        }
        let entitlements = active.map { active in
            EntitlementsState(
                entitlements: ["premium", "plus"].map { name in
                    Entitlement(
                        id: name, title: LocalizedText(name),
                        source: name == active
                            ? Entitlement.Source(
                                provider: .manual, saidAt: WallTime(unixMilliseconds: 0), status: .subscribed,
                                product: "",
                                holder: .device, until: nil) : nil)
                }, isSubscriptionActive: false)
        }
        return .change(
            StateUpdate(
                firstNumber: 1, revision: Revision(epoch: 1, number: 1),
                mode: mode.map { ModeState(mode: $0, deadline: nil) }, signIn: signIn, entitlements: entitlements))
    }

    @Test("a wait ends when all its conditions hold at once, and an event without a part leaves that part unchanged")
    func all() {
        var wait = Wait(mode: .parent, isForSignIn: true, entitlement: "premium")
        #expect(wait.topics == [.mode, .signIn, .entitlements])
        #expect(wait.isMet(after: Self.event(mode: .parent)) == false)
        #expect(wait.isMet(after: Self.event(isSignedIn: true)) == false)
        #expect(wait.isMet(after: Self.event(active: "plus")) == false)
        #expect(wait.isMet(after: Self.event(mode: .child, active: "premium")) == false)
        #expect(wait.isMet(after: Self.event(mode: .parent)) == true)
        let away = WatchEvent.lost(GateError(.unavailable, .unspecified, "away"))
        #expect(wait.isMet(after: away) == false, "without the daemon nobody is signed in")
        #expect(wait.isMet(after: Self.event(mode: .parent)) == false)
    }

    @Test("waiting for an entitlement that the policy does not name is refused")
    func unknown() {
        let wait = Wait(mode: nil, isForSignIn: false, entitlement: "premum")
        #expect(wait.topics == [.entitlements])
        #expect(wait.unknownEntitlement(in: Self.event(active: "premium"))?.code == .notFound)
        #expect(wait.unknownEntitlement(in: Self.event(mode: .child)) == nil)
        #expect(
            Wait(mode: nil, isForSignIn: false, entitlement: "plus").unknownEntitlement(
                in: Self.event(active: "premium")) == nil)
    }
}
