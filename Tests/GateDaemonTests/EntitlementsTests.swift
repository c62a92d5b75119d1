import Foundation
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Entitlements over the wire", .timeLimit(.minutes(10)))
struct EntitlementsTests {
    private static let policy = LiveGate.signInPolicy
    private static let day = Duration.seconds(86_400)

    /// The peer's watch of entitlements, after its snapshot.
    private func watch(_ peer: Connected) async throws -> OpenStream<WatchResponse> {
        var stream = try await peer.open(Methods.Watch.watch, WatchRequest(topics: [.entitlements]))
        #expect(try await stream.next()?.entitlements != nil)
        return stream
    }

    @Test("an entitlement that an administrator gives ends when it expires, and watchers are told")
    func expiry() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            var (first, second) = (try await watch(anna), try await watch(root))
            let end = WallTime(unixMilliseconds: gate.clock.wallTime().unixMilliseconds + 86_400_000)
            let added = try await root.call(
                Methods.Entitlements.addClaim,
                AddClaimRequest(entitlement: "premium", holder: .device, expiresAt: end))
            #expect(added.name == "1")
            #expect(try await anna.premium() == .subscribed)
            for told in [try await first.next(), try await second.next()] {
                #expect(told?.entitlements?.isSubscriptionActive == true)
                #expect(told?.revision == added.revision)
                #expect(told?.signIn == nil)
            }
            await gate.advance(by: Self.day - .milliseconds(1))
            #expect(try await anna.premium() == .subscribed)
            await gate.advance(by: .milliseconds(1))
            for told in [try await first.next(), try await second.next()] {
                #expect(told?.entitlements?.isSubscriptionActive == false)
                #expect(told?.entitlements?.premium == .expired)
            }
        }
    }

    @Test("setting the wall clock ends an entitlement at once, and setting it back restores it")
    func clockIsSet() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            let end = WallTime(unixMilliseconds: gate.clock.wallTime().unixMilliseconds + 86_400_000)
            _ = try await root.call(
                Methods.Entitlements.addClaim,
                AddClaimRequest(entitlement: "premium", holder: .device, expiresAt: end))
            var stream = try await watch(anna)
            await gate.setWallClock(by: Self.day * 2)
            #expect(try await stream.next()?.entitlements?.premium == .expired)
            await gate.setWallClock(by: Self.day * -2)
            #expect(try await stream.next()?.entitlements?.premium == .subscribed)
        }
    }

    @Test("an expired entitlement is not reported as active, even if the disk can't record the end")
    func expiryThatCannotBeRecorded() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, store in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            let end = WallTime(unixMilliseconds: gate.clock.wallTime().unixMilliseconds + 1000)
            _ = try await root.call(
                Methods.Entitlements.addClaim,
                AddClaimRequest(entitlement: "premium", holder: .device, expiresAt: end))
            var stream = try await watch(anna)
            store.setFull(true)
            await gate.ringLate(by: .seconds(1))
            let refusal = await anna.refusal(of: Methods.Entitlements.get, GetEntitlementsRequest())
            #expect(refusal?.reason == .storeFailed)
            let error = await #expect(throws: GateError.self) { while try await stream.next() != nil {} }
            #expect(error?.code == .unavailable)
            store.setFull(false)
            #expect(try await anna.premium() == .expired)
        }
    }

    @Test("claims of an account count while it is signed in")
    func ofAccount() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Anna", "open sesame")
            _ = try await root.call(
                Methods.Entitlements.addClaim,
                AddClaimRequest(entitlement: "premium", holder: .account("Anna"), expiresAt: nil))
            #expect(try await anna.premium() == nil)
            _ = try await anna.logIn("Anna", "open sesame")
            #expect(try await anna.premium() == .subscribed)
            await gate.advance(by: .seconds(12 * 3600))
            #expect(try await anna.premium() == nil)
        }
    }

    @Test("only administrators give and revoke entitlements; providers may read claims, and others may not")
    func permissions() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let root = try await gate.connect("root")
            let add = AddClaimRequest(entitlement: "premium", holder: .device, expiresAt: nil)
            for name in ["anna", "shop"] {
                let peer = try await gate.connect(name)
                #expect(await peer.refusal(of: Methods.Entitlements.addClaim, add)?.code == .permissionDenied)
                let revoke = RevokeClaimRequest(claim: Claim.ID(.manual, "1"))
                #expect(await peer.refusal(of: Methods.Entitlements.revokeClaim, revoke)?.code == .permissionDenied)
                let list = await peer.refusal(of: Methods.Entitlements.listClaims, ListClaimsRequest())
                #expect(list?.code == (name == "anna" ? .permissionDenied : nil))
                let report = await peer.refusal(
                    of: Methods.Entitlements.reportProvider,
                    ReportProviderRequest(provider: .revenueCat, isReachable: false, detail: "no answer"))
                #expect(report?.code == (name == "anna" ? .permissionDenied : nil))
            }
            let providers = try await root.call(Methods.Entitlements.get, GetEntitlementsRequest()).providers
            #expect(providers.map(\.provider) == [.revenueCat])
            #expect(providers.map(\.health.isReachable) == [false])
            let unknown = await root.refusal(
                of: Methods.Entitlements.addClaim,
                AddClaimRequest(entitlement: "premum", holder: .device, expiresAt: nil))
            #expect(unknown?.code == .notFound)
        }
    }

    @Test("claims come in pages, and one that is taken back is active no more")
    func pages() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let root = try await gate.connect("root")
            for _ in 1...11 {
                _ = try await root.call(
                    Methods.Entitlements.addClaim,
                    AddClaimRequest(entitlement: "premium", holder: .device, expiresAt: nil))
            }
            var (names, token) = ([String](), "")
            repeat {
                let page = try await root.call(
                    Methods.Entitlements.listClaims, ListClaimsRequest(pageSize: 4, pageToken: token))
                #expect(page.elements.count <= 4)
                #expect(page.elements.allSatisfy { $0.entitlement == "premium" && $0.status == .subscribed })
                names += page.elements.map(\.claim.name)
                token = page.nextPageToken
            } while !token.isEmpty
            #expect(Set(names) == Set((1...11).map { "\($0)" }))
            #expect(names.count == 11)
            for name in names {
                #expect(try await root.premium() == .subscribed)
                _ = try await root.call(
                    Methods.Entitlements.revokeClaim, RevokeClaimRequest(claim: Claim.ID(.manual, name)))
            }
            #expect(try await root.premium() != .subscribed)
        }
    }
}
